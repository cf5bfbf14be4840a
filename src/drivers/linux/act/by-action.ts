import type { Role } from '../../../tree/index.js';
import { ACTION, readChildCount, readChildren, readRole } from '../atspi/accessible.js';
import { readAncestors } from '../atspi/ancestors.js';
import type { ToolkitName } from '../atspi/toolkit.js';
import { ACTION_TABLE, type ActionRow, type Verb } from './actions-by-toolkit.js';
import { closedMenuError, readActionNames, type ActionTarget } from './action-target.js';
import { type AlreadyDone, plannedCall, type PlannedCall } from './send-call.js';

/** The action that the table lists for this verb and role; undefined if the element does not offer it. */
export async function planNamedAction(
  target: ActionTarget,
  verb: Verb,
): Promise<PlannedCall | AlreadyDone | undefined> {
  const rows = ACTION_TABLE[target.calls.app.toolkit.name].filter((row) => matchesRow(row, verb, target.role));
  if (rows.length === 0) return undefined;
  // If the state does not show whether it is open, the action that closes it might open it.
  if (verb === 'collapse' && !target.bits.has('expandable') && !target.bits.has('expanded')) return undefined;
  const noop = stateAlreadyReached(target, verb);
  if (noop) return { noop };
  if (await opensInsideClosedMenu(target)) throw closedMenuError();
  if (await isBesideSheetTabs(target)) return undefined;
  const names = await readActionNames(target);
  for (const { names: wanted, unnamedIndex, sideEffect, clearsSelection } of rows) {
    const name = wanted.find((word) => names.includes(word));
    const isUnnamed = unnamedIndex !== undefined && names.length === 1 && names[0] === '';
    const index = name === undefined ? (isUnnamed ? unnamedIndex : -1) : names.indexOf(name);
    if (index < 0) continue;
    if (clearsSelection && target.selected) return { noop: 'is selected already' };
    const word = name === undefined ? 'Action 1' : `Action ${name}`;
    return plannedCall(target.path, ACTION, 'DoAction', 'i', [index], sideEffect ? `${word} (${sideEffect})` : word);
  }
  return undefined;
}

/**
 * GTK 3 would show the submenu beside a closed menu and grab the pointer for it. Then the app receives no clicks any
 * more, even after the submenu was closed.
 */
async function opensInsideClosedMenu({ calls, path, role, bits }: ActionTarget): Promise<boolean> {
  if (!GRABBING_TOOLKITS.has(calls.app.toolkit.name) || !MENU_ROLES.has(role) || bits.has('showing')) return false;
  return (await readChildCount(calls, path)) > 0;
}

function matchesRow({ verbs, roles }: ActionRow, verb: Verb, role: Role): boolean {
  return verbs.includes(verb) && roles.includes(role);
}

/** These actions toggle, whatever was requested: they would undo a state that is already reached. */
function stateAlreadyReached({ bits, role, selected }: ActionTarget, verb: Verb): string | undefined {
  if (verb === 'expand' && bits.has('expanded')) return 'is expanded already';
  if (verb === 'collapse' && !bits.has('expanded')) return 'is collapsed already';
  if (verb !== 'select') return undefined;
  if (selected || (RADIOS.has(role) && bits.has('checked'))) return 'is selected already';
  return undefined;
}

const GRABBING_TOOLKITS: ReadonlySet<ToolkitName> = new Set(['gtk3', 'libreoffice']);
const MENU_ROLES: ReadonlySet<Role> = new Set(['menu', 'menuitem']);

const RADIOS: ReadonlySet<Role> = new Set(['radio', 'menuitemradio']);

const FILLER = 20;
const PANEL = 39;
const PUSH_BUTTON = 43;
const ROOT_PANE = 46;
const SCROLL_PANE = 49;
const VIEWPORT = 68;
/**
 * The ancestors of these buttons, from the root pane of the window down. Buttons elsewhere are in tool bars or dialogs.
 */
const SHEET_BUTTON_ANCESTORS = [ROOT_PANE, SCROLL_PANE, VIEWPORT, PANEL, FILLER];
/** First, previous, next and last sheet. Calc has one more button for a new sheet. */
const SHEET_BUTTON_COUNTS = [4, 5];

/**
 * The buttons beside the sheet tabs. LibreOffice reports success for their click action but does nothing, because they
 * react only to the mouse. They are recognised by their position in the tree, which is the same in every language.
 */
async function isBesideSheetTabs({ calls, address, role }: ActionTarget): Promise<boolean> {
  if (calls.app.toolkit.name !== 'libreoffice' || role !== 'button') return false;
  const ancestors = (await readAncestors(calls, address)).slice(0, -1).slice(-SHEET_BUTTON_ANCESTORS.length);
  if (
    ancestors.length < SHEET_BUTTON_ANCESTORS.length ||
    !ancestors.every(({ roleNumber }, at) => roleNumber === SHEET_BUTTON_ANCESTORS[at])
  )
    return false;
  const box = ancestors.at(-1)!.address[1];
  if (!SHEET_BUTTON_COUNTS.includes(await readChildCount(calls, box))) return false;
  const children = await readChildren(calls, box);
  const roles = await Promise.all(children.map(([, child]) => readRole(calls, child)));
  return roles.every((entry) => entry === PUSH_BUTTON);
}
