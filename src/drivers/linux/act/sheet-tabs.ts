import { readLineage } from '../atspi/lineage.js';
import { readChildCount, readChildren, readRole } from '../atspi/raw-element.js';
import type { Subject } from './subject.js';

const FILLER = 20;
const PANEL = 39;
const PUSH_BUTTON = 43;
const ROOT_PANE = 46;
const SCROLL_PANE = 49;
const VIEWPORT = 68;
/** What is above each of them, from the window's pane down. Buttons elsewhere are in tool bars or in dialogs. */
const ABOVE = [ROOT_PANE, SCROLL_PANE, VIEWPORT, PANEL, FILLER];
/** To the first, back, forth, to the last; Calc has one more for a new sheet. */
const BUTTONS = [4, 5];

/**
 * The buttons beside the tabs of sheets: LibreOffice says that it clicked them and does nothing, because they listen to
 * the mouse itself. They are told by where they stand, which is so in every language.
 */
export async function isBesideSheetTabs({ calls, address, role }: Subject): Promise<boolean> {
  if (calls.app.toolkit.name !== 'libreoffice' || role !== 'button') return false;
  const above = (await readLineage(calls, address)).slice(0, -1).slice(-ABOVE.length);
  if (above.length < ABOVE.length || !above.every(({ roleNumber }, at) => roleNumber === ABOVE[at])) return false;
  const box = above.at(-1)!.address[1];
  if (!BUTTONS.includes(await readChildCount(calls, box))) return false;
  const children = await readChildren(calls, box);
  const roles = await Promise.all(children.map(([, child]) => readRole(calls, child)));
  return roles.every((one) => one === PUSH_BUTTON);
}
