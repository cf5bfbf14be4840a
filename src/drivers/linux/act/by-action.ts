import type { Role } from '../../../tree/index.js';
import { ACTION, readChildCount, readChildren, readRole } from '../atspi/accessible.js';
import { readLineage } from '../atspi/ancestors.js';
import type { ToolkitName } from '../atspi/toolkit.js';
import { ACTION_TABLE, type ActionRow, type Verb } from './action-table.js';
import { closedAbove, readActionNames, type Subject } from './action-target.js';
import { type Already, deed, type Deed } from './send-call.js';

/** The action that the table names for this; undefined when the element offers none. */
export async function byAction(subject: Subject, verb: Verb): Promise<Deed | Already | undefined> {
  const rows = ACTION_TABLE[subject.calls.app.toolkit.name].filter((row) => fits(row, verb, subject.role));
  if (rows.length === 0) return undefined;
  // Where nothing says whether it is open, the action that closes it might as well open it.
  if (verb === 'collapse' && !subject.bits.has('expandable') && !subject.bits.has('expanded')) return undefined;
  const already = alreadyIs(subject, verb);
  if (already) return { already };
  if (await opensInClosed(subject)) throw closedAbove();
  if (await isBesideSheetTabs(subject)) return undefined;
  const names = await readActionNames(subject);
  for (const { names: wanted, namelessAt, takes, unselects } of rows) {
    const name = wanted.find((word) => names.includes(word));
    const nameless = namelessAt !== undefined && names.length === 1 && names[0] === '';
    const index = name === undefined ? (nameless ? namelessAt : -1) : names.indexOf(name);
    if (index < 0) continue;
    if (unselects && subject.selected) return { already: 'is selected already' };
    const word = name === undefined ? 'Action 1' : `Action ${name}`;
    return deed(subject.path, ACTION, 'DoAction', 'i', [index], takes ? `${word} (${takes})` : word);
  }
  return undefined;
}

/**
 * GTK 3 would show the menu beside one that is not there, and take the mouse for it: nothing in the app hears of a click
 * any more, also after it was closed.
 */
async function opensInClosed({ calls, path, role, bits }: Subject): Promise<boolean> {
  if (!GRABS.has(calls.app.toolkit.name) || !IN_MENUS.has(role) || bits.has('showing')) return false;
  return (await readChildCount(calls, path)) > 0;
}

function fits({ verbs, roles }: ActionRow, verb: Verb, role: Role): boolean {
  return verbs.includes(verb) && roles.includes(role);
}

/** Such actions turn a thing over, whatever was asked for: what is so already would be undone. */
function alreadyIs({ bits, role, selected }: Subject, verb: Verb): string | undefined {
  if (verb === 'expand' && bits.has('expanded')) return 'is expanded already';
  if (verb === 'collapse' && !bits.has('expanded')) return 'is collapsed already';
  if (verb !== 'select') return undefined;
  if (selected || (RADIOS.has(role) && bits.has('checked'))) return 'is selected already';
  return undefined;
}

const GRABS: ReadonlySet<ToolkitName> = new Set(['gtk3', 'libreoffice']);
const IN_MENUS: ReadonlySet<Role> = new Set(['menu', 'menuitem']);

const RADIOS: ReadonlySet<Role> = new Set(['radio', 'menuitemradio']);

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
