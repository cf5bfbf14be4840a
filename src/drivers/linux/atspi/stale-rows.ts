import { centre, intersect, roleFromAtspi, type Box, type Node, type Role } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, WINDOW } from './interfaces.js';
import { placeAbove, type Ancestor } from './lineage.js';
import { childPlace, seenPart, type Place } from './place.js';
import { addressOf, asAddress, readChildren, readExtents, type Address } from './raw-element.js';

const MAX_ROW_LEVELS = 20;

/**
 * GTK 4 keeps the bounds and states of list rows that it scrolled away, so that old rows seem to lie under the new ones,
 * or where nothing is drawn at all. Where a list has rows that are not seen, the app is asked which ones are there. The
 * others are left out, or, where all is wanted, told as out of view.
 */
export async function withoutStaleRows(
  calls: AppCalls,
  list: Address,
  place: Place,
  rows: (Node | undefined)[],
  all = false,
): Promise<(Node | undefined)[]> {
  const seen = rows.filter((row) => row !== undefined && !row.states.offscreen) as Node[];
  if (seen.length === rows.length && !seen.some((row) => seen.some((other) => other !== row && overlap(row, other))))
    return rows;
  const kept = await Promise.all(
    seen.map(async ({ id, bounds }) => !bounds || isThere(calls, list, place, addressOf(id), bounds)),
  );
  const stale = new Set(seen.filter((_, i) => !kept[i]));
  if (all) stale.forEach(outOfView);
  return all ? rows : rows.map((row) => (row && stale.has(row) ? undefined : row));
}

function overlap(a: Node, b: Node): boolean {
  const shared = a.bounds && b.bounds && intersect(a.bounds, b.bounds);
  return shared !== undefined && shared.height > 2 && shared.width > 2;
}

/** It and all in it have no place that anybody could see. */
export function outOfView(node: Node): void {
  delete node.bounds;
  delete node.clickPoint;
  node.states.offscreen = true;
  node.children.forEach(outOfView);
}

const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox', 'tree']);

/** `away`: its list has it still, but does not draw it where it says. `gone`: its list knows nothing of it. */
export type RowPlace = 'there' | 'away' | 'gone';

/** Of the row that the last of `line` is, or is in: another one may be by now where it says that it is. */
export async function rowPlace(calls: AppCalls, line: readonly Ancestor[], root: Place): Promise<RowPlace> {
  if (calls.app.toolkit.showingBy !== 'geometry') return 'there';
  let found: RowPlace = 'there';
  for (const [i, list] of line.entries()) {
    const row = line[i + 1];
    if (!row || !LISTS.has(roleFromAtspi(list.roleNumber))) continue;
    const [{ place }, extents] = await Promise.all([
      placeAbove(calls, line.slice(0, i + 2), root),
      readExtents(calls, row.address[1]),
    ]);
    const seen = seenPart(childPlace(calls.app.toolkit, place, row.roleNumber, extents));
    if (!seen || (await isThere(calls, list.address, place, row.address, seen))) continue;
    if (!(await isChildOf(calls, list.address, row.address))) return 'gone';
    found = 'away';
  }
  return found;
}

/** The list is asked: what was taken out of it may still name it as its parent. */
async function isChildOf(calls: AppCalls, list: Address, [, path]: Address): Promise<boolean> {
  return (await readChildren(calls, list[1])).some(([, child]) => child === path);
}

async function isThere(
  calls: AppCalls,
  list: Address,
  place: Place,
  row: Address | undefined,
  box: Box,
): Promise<boolean> {
  const point = centre(box);
  const at = [point.x - place.shift.x, point.y - place.shift.y, WINDOW];
  const answer = await calls.maybe(calls.call(list[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at));
  const wanted = row?.[1];
  let current = asAddress(answer?.[0]);
  for (let level = 0; current && level < MAX_ROW_LEVELS; level++) {
    if (current[1] === wanted) return true;
    if (current[1] === list[1]) return false;
    current = asAddress(await calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')));
  }
  return false;
}
