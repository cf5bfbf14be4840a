import type { Property } from 'x11';
import { cleanName, TEXT_BOUNDS, WHOLE } from '../../../tree/index.js';
import type { Atoms } from './atoms.js';
import { textOf } from './property.js';

/** More of it would be no title any more. */
const LONGEST = 20_000;

export interface Title {
  title: string;
  [WHOLE]?: string;
}

/** Of the properties that titles are in, the first that holds one. */
export function titleOf(
  properties: readonly (Property | undefined)[],
  atoms: Pick<Atoms, 'UTF8_STRING' | 'COMPOUND_TEXT'>,
): Title {
  for (const property of properties) {
    const text = textOf(property, atoms);
    if (!text) continue;
    const title = cleanName(text).text;
    const whole = wholeOf(text, property!.bytesAfter);
    return whole === title ? { title } : { title, [WHOLE]: whole };
  }
  return { title: '' };
}

/** What the server has not sent of it is missing like what was cut, and is said so; no cut text is short. */
function wholeOf(text: string, missing: number): string {
  const whole = cleanName(text, LONGEST).text;
  return missing > 0 ? `${whole.padEnd(TEXT_BOUNDS.title)}…(+${missing})` : whole;
}
