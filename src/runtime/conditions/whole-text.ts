import { DesktopError } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import type { Moment } from './moment.js';

const CUT = /…\(\+\d+\)$/;
/** A longer text is compared by its beginning. */
const LONGEST = 200_000;

/** A look cuts long values; the mark of the cut says so. */
export function isCutText(text: string | number | undefined): boolean {
  return typeof text === 'string' && CUT.test(text);
}

/** The element's text beyond what a look keeps of it; undefined when the app does not tell more. */
export async function wholeText(element: Element, { desktop, call }: Moment): Promise<string | undefined> {
  if (element.states.secret || !desktop.driver.text) return undefined;
  try {
    return (await desktop.driver.text(element.id, { start: 0, end: LONGEST }, call)).text;
  } catch (error) {
    // No text of its own, or gone meanwhile: what the look kept is all there is. Silence is told as silence.
    if (error instanceof DesktopError && !['app_hung', 'timeout', 'cancelled'].includes(error.code)) return undefined;
    throw error;
  }
}
