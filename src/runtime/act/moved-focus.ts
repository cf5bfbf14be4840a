import { DesktopError } from '../../shared/index.js';
import { quote, roleInText } from '../../tree/index.js';
import type { Target } from '../find-target.js';
import type { Reader } from '../reader.js';

/** What has the keys now, where that is something else than the target; undefined also where nobody tells. */
export async function movedFocus(reader: Reader, target: Target): Promise<Target | undefined> {
  try {
    const found = await reader.target('focused', undefined, { depth: 0 });
    const [has, wanted] = [found.element.ref, target.element.ref];
    if (has === wanted || found.path.some(({ ref }) => ref === wanted)) return undefined;
    // Some tell it of what is around the field only.
    return [...target.path, target.window].some(({ ref }) => ref === has) ? undefined : found;
  } catch (error) {
    // It is told besides what is known already: without it that is told alone.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** `e3 textbox "To"`, with its window where it is another one. */
export function placeOf({ element, window }: Target, from: Target): string {
  const name = element.name ? ` ${quote(element.name)}` : '';
  return `${element.ref} ${roleInText(element.role)}${name}${window.ref === from.window.ref ? '' : ` in ${window.ref}`}`;
}
