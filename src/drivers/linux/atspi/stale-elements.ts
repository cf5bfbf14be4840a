import { type Box, centre, intersect, type Node, type Role, roleFromAtspi, sameBox } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  addressOf,
  asAddress,
  COMPONENT,
  readChildren,
  readExtents,
  WINDOW,
} from './accessible.js';
import { type Ancestor, placeAbove } from './ancestors.js';
import type { AppCalls } from './app-connection.js';
import { childPlace, type Place, seenPart } from './bounds.js';

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

const MAX_PAGE_LEVELS = 60;
const SAMPLES = 3;

/**
 * Pages of a GTK 4 stack or notebook that are turned away keep their states and, once seen, their bounds. Where
 * several children fill the same place, the app is asked what is there; a page of which nothing is, is not seen.
 */
export async function withoutHiddenPages(
  calls: AppCalls,
  parent: Address,
  place: Place,
  nodes: (Node | undefined)[],
): Promise<(Node | undefined)[]> {
  const pages = nodes.filter((node) => node?.bounds && nodes.some((other) => other !== node && fillsSame(node, other)));
  if (pages.length < 2) return nodes;
  const seen = await Promise.all(pages.map((page) => isSeen(calls, parent, place, page!)));
  // When the app names none, something else is wrong with its answers.
  if (!seen.includes(true)) return nodes;
  const hidden = new Set(pages.filter((_, i) => !seen[i]));
  return nodes.map((node) => (hidden.has(node) ? undefined : node));
}

function fillsSame(node: Node, other: Node | undefined): boolean {
  return other?.bounds !== undefined && sameBox(node.bounds, other.bounds);
}

async function isSeen(calls: AppCalls, parent: Address, place: Place, page: Node): Promise<boolean> {
  const wanted = addressOf(page.id)?.[1];
  const boxes = leavesOf(page);
  const step = Math.max(1, Math.floor(boxes.length / SAMPLES));
  const samples = boxes.filter((_, i) => i % step === 0).slice(0, SAMPLES);
  const hits = await Promise.all(
    [...samples, page.bounds!].map(async (box) => {
      const point = centre(box);
      const at = [point.x - place.shift.x, point.y - place.shift.y, WINDOW];
      const answer = await calls.maybe(calls.call(parent[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at));
      return isWithin(calls, asAddress(answer?.[0]), wanted, parent[1]);
    }),
  );
  return hits.includes(true);
}

function leavesOf(node: Node): Box[] {
  if (node.children.length === 0) return node.bounds ? [node.bounds] : [];
  return node.children.flatMap(leavesOf);
}

async function isWithin(
  calls: AppCalls,
  found: Address | undefined,
  wanted: string | undefined,
  end: string,
): Promise<boolean> {
  let current = found;
  for (let level = 0; current && current[1] !== end && level < MAX_PAGE_LEVELS; level++) {
    if (current[1] === wanted) return true;
    current = asAddress(await calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')));
  }
  return false;
}

/**
 * Chromium says which elements show, but gives whole boxes and does not tell which boxes scroll. Where some children
 * show and others do not, one that reaches over the edge of a box around it is cut there: its middle may lie outside.
 */
export function cutAtScrolledEdges(nodes: readonly (Node | undefined)[], place: Place): void {
  const shown = nodes.filter((node) => node !== undefined);
  if (shown.length === nodes.length) return;
  for (const node of shown) {
    const edge = node.bounds && nearestEdge(node.bounds, place);
    if (edge) cut(node, edge);
  }
}

function nearestEdge(box: Box, place: Place): Box | undefined {
  for (let around: Place | undefined = place; around; around = around.above) {
    const part = around.whole && intersect(box, around.whole);
    if (part && (part.width < box.width - 1 || part.height < box.height - 1)) return around.whole;
  }
  return undefined;
}

function cut(node: Node, edge: Box): void {
  const part = node.bounds && intersect(node.bounds, edge);
  if (part) node.bounds = part;
  for (const child of node.children) cut(child, edge);
}
