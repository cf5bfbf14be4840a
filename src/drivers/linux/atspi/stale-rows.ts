import { centre, intersect, type Node } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, WINDOW } from './interfaces.js';
import type { Place } from './place.js';
import { addressOf, asAddress, type Address } from './raw-element.js';

const MAX_LEVELS = 20;

/**
 * GTK 4 keeps the bounds of list rows that it scrolled away, and their states, so that old rows seem to lie under the
 * new ones. Where two rows claim the same place, the app is asked which one is there.
 */
export async function withoutStaleRows(
  calls: AppCalls,
  list: Address,
  place: Place,
  rows: (Node | undefined)[],
): Promise<(Node | undefined)[]> {
  const disputed = rows.filter((row) => row && rows.some((other) => other && other !== row && overlap(row, other)));
  if (disputed.length === 0) return rows;
  const kept = await Promise.all(disputed.map((row) => isThere(calls, list, place, row!)));
  const stale = new Set(disputed.filter((_, i) => !kept[i]));
  return rows.map((row) => (stale.has(row) ? undefined : row));
}

function overlap(a: Node, b: Node): boolean {
  const shared = a.bounds && b.bounds && intersect(a.bounds, b.bounds);
  return shared !== undefined && shared.height > 2 && shared.width > 2;
}

async function isThere(calls: AppCalls, list: Address, place: Place, row: Node): Promise<boolean> {
  const point = centre(row.bounds!);
  const at = [point.x - place.shift.x, point.y - place.shift.y, WINDOW];
  const answer = await calls.maybe(calls.call(list[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at));
  const wanted = addressOf(row.id)?.[1];
  let current = asAddress(answer?.[0]);
  for (let level = 0; current && level < MAX_LEVELS; level++) {
    if (current[1] === wanted) return true;
    if (current[1] === list[1]) return false;
    current = asAddress(await calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')));
  }
  return false;
}
