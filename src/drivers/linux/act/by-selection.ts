import type { AppCalls } from '../atspi/app-link.js';
import { ACCESSIBLE, COMPONENT, SELECTION, TABLE } from '../atspi/interfaces.js';
import { asAddress, readChildAt, readInterfaces, readStates, type Address } from '../atspi/raw-element.js';
import { readGrid, positionOf, type Grid } from '../atspi/table.js';
import { deed, type Already, type Deed } from './deed.js';
import type { Subject } from './subject.js';

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
