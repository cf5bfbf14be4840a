import { cleanName, quote, type Role, roleFromAtspi } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  COMPONENT,
  readChildAt,
  readChildCount,
  readChildren,
  readInterfaces,
  readRole,
  readStates,
  readString,
  SELECTION,
  TABLE,
} from '../atspi/accessible.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { type Grid, positionOf, readGrid } from '../atspi/table.js';
import { notReadyError, readActionTarget, type ActionTarget } from './action-target.js';
import { planNamedAction } from './by-action.js';
import { setText } from './by-text.js';
import { type AlreadyDone, plannedCall, type PlannedCall } from './send-call.js';

const MAX_SELECTED = 200;

/**
 * Selects through the container: lists, tab lists and tables select their children, and most children offer no such
 * action. Not in Qt: there the item becomes selected but not current, and apps act on the current item. A click does
 * both.
 */
export async function planSelection(target: ActionTarget): Promise<PlannedCall | AlreadyDone | undefined> {
  const { calls, path, place } = target;
  if (target.selected) return { noop: 'is selected already' };
  if (calls.app.toolkit.name === 'qt') return undefined;
  // A cell of a spreadsheet becomes current by getting the focus. Selecting a row there would select its whole length.
  if (place?.grid.sheet)
    return place.column === undefined ? undefined : plannedCall(path, COMPONENT, 'GrabFocus', '', []);
  if (place && calls.app.toolkit.drawnByLabels) return selectCell(place.grid, place.row, place.column ?? 1);
  if (place) return selectRow(calls, place.grid, place.row);
  const parent = asAddress(await calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')));
  if (!parent || parent[0] !== calls.app.busName) return undefined;
  const interfaces = await readInterfaces(calls, parent[1]);
  if (interfaces.has(SELECTION)) return selectChild(calls, parent, path);
  if (!interfaces.has(TABLE)) return undefined;
  const grid = await readGrid(calls, parent[1]);
  const position = grid && (await positionOf(calls, grid, path));
  return grid && position ? selectRow(calls, grid, position.row) : undefined;
}

async function selectChild(calls: AppCalls, parent: Address, path: string): Promise<PlannedCall | undefined> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetIndexInParent'));
  const index = answer?.[0];
  // Verifies the index with the parent: some toolkits report another index than the one they select by.
  if (typeof index !== 'number' || index < 0) return undefined;
  const there = await readChildAt(calls, parent[1], index);
  if (!there || !(await isSameItem(calls, there[1], path))) return undefined;
  const select = plannedCall(parent[1], SELECTION, 'SelectChild', 'i', [index]);
  return (await isMultiSelectable(calls, parent[1]))
    ? { ...plannedCall(parent[1], SELECTION, 'ClearSelection', '', []), then: select }
    : select;
}

/** Swing makes a new object for an item at every request. Its position is fixed, so its name is compared. */
async function isSameItem(calls: AppCalls, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  if (!calls.app.toolkit.drawnByLabels) return false;
  const [first, second] = await Promise.all([one, other].map((path) => readString(calls, path, ACCESSIBLE, 'Name')));
  return first === second;
}

/** Swing selects no rows, but cells, by their number in the whole table. The row of the cell is then selected. */
function selectCell({ path, columns }: Grid, row: number, column: number): PlannedCall {
  const select = plannedCall(path, SELECTION, 'SelectChild', 'i', [(row - 1) * columns + column - 1]);
  return { ...plannedCall(path, SELECTION, 'ClearSelection', '', []), then: select };
}

/** AddRowSelection adds to the selection. If several rows can be selected, the others are removed first. */
async function selectRow(calls: AppCalls, { path }: Grid, row: number): Promise<PlannedCall | undefined> {
  const answer = await calls.maybe(calls.call(path, TABLE, 'GetSelectedRows'));
  const selected = Array.isArray(answer?.[0]) ? (answer[0] as unknown[]).filter((n) => typeof n === 'number') : [];
  const others = selected.filter((n) => n !== row - 1).slice(0, MAX_SELECTED);
  if (selected.includes(row - 1) && others.length === 0) return undefined;
  const add = plannedCall(path, TABLE, 'AddRowSelection', 'i', [row - 1]);
  if (!(await isMultiSelectable(calls, path))) return add;
  return others.reduceRight<PlannedCall>(
    (then, n) => ({ ...plannedCall(path, TABLE, 'RemoveRowSelection', 'i', [n]), then }),
    add,
  );
}

async function isMultiSelectable(calls: AppCalls, path: string): Promise<boolean> {
  return (await readStates(calls, path))?.has('multiSelectable') ?? false;
}

const MAX_OPTIONS = 1000;
const OPTIONS: ReadonlySet<Role> = new Set(['menuitem', 'option', 'listitem']);
const CONTAINERS: ReadonlySet<Role> = new Set(['menu', 'list', 'listbox', 'popup', 'group']);

/**
 * Sets a combo box by choosing its option with that name, without opening it. This works in GTK 3 and Chromium. Options
 * in Qt return true and do nothing, and GTK 4 exposes no names: there mouse and keys are used. An editable combo box
 * contains a text field.
 */
export async function chooseOption(combo: ActionTarget, name: string): Promise<PlannedCall | AlreadyDone | undefined> {
  const { calls, path } = combo;
  if (calls.app.toolkit.name === 'qt') return undefined;
  if (calls.app.toolkit.drawnByLabels) return chooseDrawnOption(combo, name);
  const inside = await readParts(calls, path);
  const fields = inside.filter(({ role }) => role === 'textbox');
  const option = await findByName(calls, await optionsIn(calls, inside), name);
  if (option) {
    const target = await readActionTarget(calls, { address: option });
    if (!target.enabled && calls.app.toolkit.name === 'chromium')
      throw notReadyError(`has an option ${quote(name)}, but it is disabled`);
    if (!target.enabled) return undefined;
    return planNamedAction(target, 'select');
  }
  if (fields.length !== 1) return undefined;
  return setText(await readActionTarget(calls, { address: fields[0]!.address }), name);
}

/** Levels between a combo box of Swing and its list: menu, scroll pane, viewport. */
const MAX_POPUP_LEVELS = 4;

/** Swing's combo box selects by the position of the option. Its list lies deep in a menu that never opens for this. */
async function chooseDrawnOption(combo: ActionTarget, name: string): Promise<PlannedCall | undefined> {
  const { calls, path } = combo;
  let level: string[] = [path];
  for (let depth = 0; depth < MAX_POPUP_LEVELS && level.length > 0; depth++) {
    const parts = (await Promise.all(level.map((above) => readParts(calls, above)))).flat();
    const list = parts.find(({ role }) => role === 'list');
    if (list) {
      const options = (await readParts(calls, list.address[1])).map(({ address }) => address);
      const option = await findByName(calls, options, name);
      return option && plannedCall(path, SELECTION, 'SelectChild', 'i', [options.indexOf(option)]);
    }
    level = parts.filter(({ role }) => role !== 'textbox').map(({ address }) => address[1]);
  }
  return undefined;
}

interface Part {
  address: Address;
  role: Role;
}

async function readParts(calls: AppCalls, path: string): Promise<Part[]> {
  const count = await readChildCount(calls, path);
  if (count === 0 || count > MAX_OPTIONS) return [];
  const children = await readChildren(calls, path);
  return Promise.all(
    children.map(async (address) => ({ address, role: roleFromAtspi(await readRole(calls, address[1])) })),
  );
}

async function optionsIn(calls: AppCalls, parts: readonly Part[]): Promise<Address[]> {
  const direct = parts.filter(({ role }) => OPTIONS.has(role));
  if (direct.length > 0) return direct.map(({ address }) => address);
  for (const { address, role } of parts) {
    if (!CONTAINERS.has(role)) continue;
    const below = (await readParts(calls, address[1])).filter((part) => OPTIONS.has(part.role));
    if (below.length > 0) return below.map((part) => part.address);
  }
  return [];
}

/** Only if exactly one option has that name: two equal names cannot be distinguished. */
async function findByName(calls: AppCalls, options: readonly Address[], name: string): Promise<Address | undefined> {
  const names = await Promise.all(options.map(([, path]) => readString(calls, path, ACCESSIBLE, 'Name')));
  const matches = options.filter((_, index) => cleanName(names[index]!).text.trim() === name.trim());
  return matches.length === 1 ? matches[0] : undefined;
}
