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
import { type Ancestor, readParentInfo } from './ancestors.js';
import type { AppCalls } from './app-connection.js';
import { childPlace, type Place, visiblePart } from './bounds.js';

const MAX_ROW_LEVELS = 20;

/**
 * GTK 4 keeps the bounds and states of list rows that were scrolled out, so old rows seem to lie under the new ones or
 * where nothing is drawn. If a list has rows that are not visible, a hit test checks which rows are really there. The
 * others are dropped or, in a full read, marked off-screen.
 */
export async function dropStaleRows(
  calls: AppCalls,
  list: Address,
  place: Place,
  rows: (Node | undefined)[],
  includeAll = false,
): Promise<(Node | undefined)[]> {
  const visible = rows.filter((row) => row !== undefined && !row.states.offscreen) as Node[];
  if (
    visible.length === rows.length &&
    !visible.some((row) => visible.some((other) => other !== row && overlap(row, other)))
  )
    return rows;
  const kept = await Promise.all(
    visible.map(async ({ id, bounds }) => !bounds || isRowAt(calls, list, place, addressOf(id), bounds)),
  );
  const stale = new Set(visible.filter((_, i) => !kept[i]));
  if (includeAll) stale.forEach(markOffscreen);
  return includeAll ? rows : rows.map((row) => (row && stale.has(row) ? undefined : row));
}

function overlap(a: Node, b: Node): boolean {
  const shared = a.bounds && b.bounds && intersect(a.bounds, b.bounds);
  return shared !== undefined && shared.height > 2 && shared.width > 2;
}

/** Marks the element and its descendants as off-screen and removes their bounds. */
export function markOffscreen(node: Node): void {
  delete node.bounds;
  delete node.clickPoint;
  node.states.offscreen = true;
  node.children.forEach(markOffscreen);
}

const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox', 'tree']);

/**
 * `notShown`: the list still contains the row but does not draw it at its reported position. `gone`: the list no longer
 * contains the row.
 */
type RowPresence = 'shown' | 'notShown' | 'gone';

/** State of the row that is, or contains, the last ancestor. By now another row may be at its reported position. */
export async function readRowPresence(
  calls: AppCalls,
  ancestors: readonly Ancestor[],
  root: Place,
): Promise<RowPresence> {
  if (calls.app.toolkit.showingBy !== 'geometry') return 'shown';
  let found: RowPresence = 'shown';
  for (const [i, list] of ancestors.entries()) {
    const row = ancestors[i + 1];
    if (!row || !LISTS.has(roleFromAtspi(list.roleNumber))) continue;
    const [{ place }, extents] = await Promise.all([
      readParentInfo(calls, ancestors.slice(0, i + 2), root),
      readExtents(calls, row.address[1]),
    ]);
    const visible = visiblePart(childPlace(calls.app.toolkit, place, row.roleNumber, extents));
    if (!visible || (await isRowAt(calls, list.address, place, row.address, visible))) continue;
    if (!(await isChildOf(calls, list.address, row.address))) return 'gone';
    found = 'notShown';
  }
  return found;
}

/** Asks the list, because a removed row may still report the list as its parent. */
async function isChildOf(calls: AppCalls, list: Address, [, path]: Address): Promise<boolean> {
  return (await readChildren(calls, list[1])).some(([, child]) => child === path);
}

async function isRowAt(
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
 * Hidden pages of a GTK 4 stack or notebook keep their states and, once shown, their bounds. If several children have
 * the same bounds, hit tests find the visible page. A page that no hit test returns is hidden.
 */
export async function dropHiddenPages(
  calls: AppCalls,
  parent: Address,
  place: Place,
  nodes: (Node | undefined)[],
): Promise<(Node | undefined)[]> {
  const pages = nodes.filter(
    (node) => node?.bounds && nodes.some((other) => other !== node && hasSameBounds(node, other)),
  );
  if (pages.length < 2) return nodes;
  const visible = await Promise.all(pages.map((page) => isPageVisible(calls, parent, place, page!)));
  // If the hit tests find no page at all, the app's answers are unusable.
  if (!visible.includes(true)) return nodes;
  const hidden = new Set(pages.filter((_, i) => !visible[i]));
  return nodes.map((node) => (hidden.has(node) ? undefined : node));
}

function hasSameBounds(node: Node, other: Node | undefined): boolean {
  return other?.bounds !== undefined && sameBox(node.bounds, other.bounds);
}

async function isPageVisible(calls: AppCalls, parent: Address, place: Place, page: Node): Promise<boolean> {
  const wanted = addressOf(page.id)?.[1];
  const boxes = leafBoxes(page);
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

function leafBoxes(node: Node): Box[] {
  if (node.children.length === 0) return node.bounds ? [node.bounds] : [];
  return node.children.flatMap(leafBoxes);
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
 * Chromium reports which elements are showing, but reports whole boxes and does not say which boxes scroll. If some
 * children show and others do not, a child that crosses the edge of an outer box is clipped there, because its centre
 * may lie outside.
 */
export function clipAtScrolledEdges(nodes: readonly (Node | undefined)[], place: Place): void {
  const shown = nodes.filter((node) => node !== undefined);
  if (shown.length === nodes.length) return;
  for (const node of shown) {
    const edge = node.bounds && nearestEdge(node.bounds, place);
    if (edge) clipNode(node, edge);
  }
}

function nearestEdge(box: Box, place: Place): Box | undefined {
  for (let outer: Place | undefined = place; outer; outer = outer.parent) {
    const part = outer.whole && intersect(box, outer.whole);
    if (part && (part.width < box.width - 1 || part.height < box.height - 1)) return outer.whole;
  }
  return undefined;
}

function clipNode(node: Node, edge: Box): void {
  const part = node.bounds && intersect(node.bounds, edge);
  if (part) node.bounds = part;
  for (const child of node.children) clipNode(child, edge);
}
