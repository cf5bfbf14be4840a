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
import { notReady, readSubject, type Subject } from './action-target.js';
import { byAction } from './by-action.js';
import { setText } from './by-text.js';
import { type Already, deed, type Deed } from './send-call.js';

const MOST_SELECTED = 200;

/**
 * Through what it is in: lists, tab lists and tables select their children; most children cannot do it themselves. Not in
 * Qt: there an item becomes selected without becoming the current one, which is what apps go by. A click does both.
 */
export async function bySelection(subject: Subject): Promise<Deed | Already | undefined> {
  const { calls, path, place } = subject;
  if (subject.selected) return { already: 'is selected already' };
  if (calls.app.toolkit.name === 'qt') return undefined;
  // A cell of a sheet becomes the current one by the focus; a row of it would be selected in its whole length.
  if (place?.grid.sheet) return place.column === undefined ? undefined : deed(path, COMPONENT, 'GrabFocus', '', []);
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

async function selectChild(calls: AppCalls, parent: Address, path: string): Promise<Deed | undefined> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetIndexInParent'));
  const index = answer?.[0];
  // The parent is asked back: what some toolkits count is not what they select by.
  if (typeof index !== 'number' || index < 0 || (await readChildAt(calls, parent[1], index))?.[1] !== path) {
    return undefined;
  }
  const select = deed(parent[1], SELECTION, 'SelectChild', 'i', [index]);
  return (await severalAt(calls, parent[1]))
    ? { ...deed(parent[1], SELECTION, 'ClearSelection', '', []), then: select }
    : select;
}

/** Rows are added to what is selected; where several can be, the others are taken out first. */
async function selectRow(calls: AppCalls, { path }: Grid, row: number): Promise<Deed | undefined> {
  const answer = await calls.maybe(calls.call(path, TABLE, 'GetSelectedRows'));
  const selected = Array.isArray(answer?.[0]) ? (answer[0] as unknown[]).filter((n) => typeof n === 'number') : [];
  const others = selected.filter((n) => n !== row - 1).slice(0, MOST_SELECTED);
  if (selected.includes(row - 1) && others.length === 0) return undefined;
  const add = deed(path, TABLE, 'AddRowSelection', 'i', [row - 1]);
  if (!(await severalAt(calls, path))) return add;
  return others.reduceRight<Deed>((then, n) => ({ ...deed(path, TABLE, 'RemoveRowSelection', 'i', [n]), then }), add);
}

async function severalAt(calls: AppCalls, path: string): Promise<boolean> {
  return (await readStates(calls, path))?.has('multiSelectable') ?? false;
}

const MOST_OPTIONS = 1000;
const OPTIONS: ReadonlySet<Role> = new Set(['menuitem', 'option', 'listitem']);
const BETWEEN: ReadonlySet<Role> = new Set(['menu', 'list', 'listbox', 'popup', 'group']);

/**
 * A combo box gets a value by its option of that name, without being opened: GTK 3 and Chromium do it. Qt's options
 * answer true and do nothing, GTK 4 tells no names: there it is left to mouse and keys. One that is typed into has a
 * field of its own.
 */
export async function chooseOption(combo: Subject, name: string): Promise<Deed | Already | undefined> {
  const { calls, path } = combo;
  if (calls.app.toolkit.name === 'qt') return undefined;
  const inside = await partsOf(calls, path);
  const fields = inside.filter(({ role }) => role === 'textbox');
  const option = await named(calls, await optionsIn(calls, inside), name);
  if (option) {
    const subject = await readSubject(calls, { address: option });
    if (!subject.enabled && calls.app.toolkit.name === 'chromium')
      throw notReady(`has an option ${quote(name)}, but it is disabled`);
    if (!subject.enabled) return undefined;
    return byAction(subject, 'select');
  }
  if (fields.length !== 1) return undefined;
  return setText(await readSubject(calls, { address: fields[0]!.address }), name);
}

interface Part {
  address: Address;
  role: Role;
}

async function partsOf(calls: AppCalls, path: string): Promise<Part[]> {
  const count = await readChildCount(calls, path);
  if (count === 0 || count > MOST_OPTIONS) return [];
  const children = await readChildren(calls, path);
  return Promise.all(
    children.map(async (address) => ({ address, role: roleFromAtspi(await readRole(calls, address[1])) })),
  );
}

async function optionsIn(calls: AppCalls, parts: readonly Part[]): Promise<Address[]> {
  const own = parts.filter(({ role }) => OPTIONS.has(role));
  if (own.length > 0) return own.map(({ address }) => address);
  for (const { address, role } of parts) {
    if (!BETWEEN.has(role)) continue;
    const below = (await partsOf(calls, address[1])).filter((part) => OPTIONS.has(part.role));
    if (below.length > 0) return below.map((part) => part.address);
  }
  return [];
}

/** Exactly one of that name: two that read the same are not told apart by a guess. */
async function named(calls: AppCalls, options: readonly Address[], name: string): Promise<Address | undefined> {
  const names = await Promise.all(options.map(([, path]) => readString(calls, path, ACCESSIBLE, 'Name')));
  const fits = options.filter((_, index) => cleanName(names[index]!).text.trim() === name.trim());
  return fits.length === 1 ? fits[0] : undefined;
}
