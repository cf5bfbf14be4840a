import { centre, intersect, roleFromAtspi, type Box, type Node, type Role } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, WINDOW } from './interfaces.js';
import { placeAbove, type Ancestor } from './lineage.js';
import { childPlace, seenPart, type Place } from './place.js';
import { addressOf, asAddress, readExtents, type Address } from './raw-element.js';

const MAX_LEVELS = 20;

/**
 * GTK 4 keeps the bounds and states of list rows that it scrolled away, so that old rows seem to lie under the new ones,
 * or where nothing is drawn at all. Where a list has rows that are not seen, the app is asked which ones are there.
 */
export async function withoutStaleRows(
  calls: AppCalls,
  list: Address,
  place: Place,
  rows: (Node | undefined)[],
): Promise<(Node | undefined)[]> {
  const seen = rows.filter((row) => row !== undefined);
  if (seen.length === rows.length && !seen.some((row) => seen.some((other) => other !== row && overlap(row, other))))
    return rows;
  const kept = await Promise.all(
    seen.map(async ({ id, bounds }) => !bounds || isThere(calls, list, place, addressOf(id), bounds)),
  );
  const stale = new Set(seen.filter((_, i) => !kept[i]));
  return rows.map((row) => (row && stale.has(row) ? undefined : row));
}

function overlap(a: Node, b: Node): boolean {
  const shared = a.bounds && b.bounds && intersect(a.bounds, b.bounds);
  return shared !== undefined && shared.height > 2 && shared.width > 2;
}

const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox', 'tree']);

/** Whether the last of `line` is, or is in, a row that is no more where it says: another one is there now. */
export async function isInStaleRow(calls: AppCalls, line: readonly Ancestor[], root: Place): Promise<boolean> {
  if (calls.app.toolkit.showingBy !== 'geometry') return false;
  for (const [i, list] of line.entries()) {
    const row = line[i + 1];
    if (!row || !LISTS.has(roleFromAtspi(list.roleNumber))) continue;
    const [{ place }, extents] = await Promise.all([
      placeAbove(calls, line.slice(0, i + 2), root),
      readExtents(calls, row.address[1]),
    ]);
    const seen = seenPart(childPlace(calls.app.toolkit, place, row.roleNumber, extents));
    if (seen && !(await isThere(calls, list.address, place, row.address, seen))) return true;
  }
  return false;
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
  for (let level = 0; current && level < MAX_LEVELS; level++) {
    if (current[1] === wanted) return true;
    if (current[1] === list[1]) return false;
    current = asAddress(await calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')));
  }
  return false;
}
