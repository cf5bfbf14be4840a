import type { Deadline } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { findTarget, type Target } from '../find-target.js';

/**
 * A modal dialog that a browser keeps in the window itself, as it does with what a page asks: until it is answered the
 * page gets nothing, though it goes on answering; tabs and the address bar go on. Only one right in the window counts:
 * what a page itself calls modal takes nothing away from what is beside it.
 */
export async function dialogWithin(desktop: Desktop, target: Target, deadline: Deadline): Promise<Element | undefined> {
  const { element, path, how, window } = target;
  const known = path.length > 0 ? [...path, element] : undefined;
  if (known && !isInPage(known)) return undefined;
  // What a selector found was found in all of its window, just now. What no look has shown has no path yet.
  const read = known ? { depth: 1 } : {};
  const found = how === 'name' && path[0];
  const top = found || (await findTarget(desktop, window.ref, undefined, deadline, read)).element;
  const dialog = top.children.find(isModal);
  const line = known ?? lineTo(top, element.ref);
  if (!dialog || line?.some(({ ref }) => ref === dialog.ref)) return undefined;
  return !line || isInPage(line) ? dialog : undefined;
}

const isInPage = (line: readonly Element[]): boolean => line.some(({ role }) => role === 'document');

const isModal = ({ role, states }: Element): boolean =>
  (role === 'dialog' || role === 'alertdialog') && states.modal === true && states.visible;

/** From the top down to it; undefined when it does not show there. */
function lineTo(top: Element, ref: string): Element[] | undefined {
  if (top.ref === ref) return [top];
  for (const child of top.children) {
    const line = lineTo(child, ref);
    if (line) return [top, ...line];
  }
  return undefined;
}
