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
  const { element, path, how } = target;
  if (![...path, element].some(({ role }) => role === 'document')) return undefined;
  // What a selector found was found in all of its window, just now.
  const top = how === 'name' && path[0] ? path[0] : await rootOf(desktop, target, deadline);
  const dialog = top.children.find(isModal);
  return dialog && ![...path, element].some(({ ref }) => ref === dialog.ref) ? dialog : undefined;
}

async function rootOf(desktop: Desktop, { window }: Target, deadline: Deadline): Promise<Element> {
  return (await findTarget(desktop, window.ref, undefined, deadline, { depth: 1 })).element;
}

const isModal = ({ role, states }: Element): boolean =>
  (role === 'dialog' || role === 'alertdialog') && states.modal === true && states.visible;
