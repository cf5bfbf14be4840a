import type { Box, Node, Role, Span } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  COMPONENT,
  type AncestorChain,
  MAX_DEPTH,
  readChildAt,
  readChildren,
  readExtents,
  readStates,
  readString,
  SCREEN,
  WINDOW,
} from './accessible.js';
import type { AppCalls } from './app-connection.js';
import { type Place, reportedArea } from './bounds.js';
import { readCells, readTableInfo } from './cells.js';
import { fieldNameFromBox } from './names.js';
import { clipAtScrolledEdges, dropHiddenPages, dropStaleRows } from './stale-elements.js';
import type { StateSet } from './states.js';
import { readContainerText } from './text.js';
import { isBrowser } from './toolkit.js';
import { readGrid, tableFromRows } from './table.js';
import type { WalkContext, Walk } from './walk.js';

interface ElementContext {
  count: number;
  bits: StateSet;
  place: Place;
  parent: WalkContext;
  chain: AncestorChain;
}

export type ChildrenRead = Pick<Node, 'children'> & Partial<Pick<Node, 'unread' | 'table' | 'items'>>;

const GRIDS: ReadonlySet<Role> = new Set(['table', 'treegrid', 'tree', 'grid']);
const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox', 'tree', 'menu']);
const DRAWN: ReadonlySet<Role> = new Set(['list', 'listbox', 'tree', 'treeitem']);
/** Toolkits whose tables have rows as children. The others expose only cells. */
export const ROWS_AS_CHILDREN: ReadonlySet<string> = new Set(['chromium', 'gecko', 'gtk4']);
/** Roles that browsers name by their content. */
const NAMED_BY_CONTENT: ReadonlySet<Role> = new Set([
  'cell',
  'columnheader',
  'rowheader',
  'heading',
  'link',
  'button',
  'tab',
  'option',
  'menuitem',
]);
/** GTK 4 controls with their own name. Their only child is a label that repeats it. */
const LABELLED_CONTROLS: ReadonlySet<Role> = new Set(['button', 'togglebutton', 'link', 'tab']);
/** Above this count, only the visible children are read. */
const MAX_DIRECT_CHILDREN = 1000;

export async function childrenOf(
  walk: Walk,
  address: Address,
  node: Node,
  element: ElementContext,
): Promise<ChildrenRead> {
  const { count, bits, place, parent: context, chain } = element;
  if (count === 0) {
    await readContainerText(walk.calls, address[1], node, []);
    return { children: [] };
  }
  if (chain.depth >= MAX_DEPTH) {
    walk.gaps.tooDeep = true;
    return { children: [], unread: count };
  }
  const { toolkit } = walk.calls.app;
  const cut = context.depth <= 0;
  // Being a sheet is a property of the element itself, so it is read even at the depth limit.
  if (cut && !walk.options.detail && !(toolkit.name === 'libreoffice' && GRIDS.has(node.role)))
    return { children: [], unread: count };
  if (
    !cut &&
    count === 1 &&
    isUnambiguousName(node.name) &&
    toolkit.classNamesAsNames &&
    LABELLED_CONTROLS.has(node.role)
  )
    return { children: [] };
  if (GRIDS.has(node.role) && !ROWS_AS_CHILDREN.has(toolkit.name)) {
    const grid = await readGrid(walk.calls, address[1]);
    if (grid && cut) return { children: [], unread: count, table: await readTableInfo(walk, grid, place, node) };
    if (grid) return readCells(walk, address, grid, place, node);
  }
  if (cut) return { children: [], unread: count };
  const repeatsParentName = count === 1 && node.name !== undefined && NAMED_BY_CONTENT.has(node.role);
  const boxName = fieldNameFromBox(node.role, node.name, count, context.boxName);
  const { enabled } = node.states;
  const childContext: WalkContext = {
    place,
    enabled,
    role: node.role,
    depth: context.depth - 1,
    chain,
    repeatsParentName,
    boxName,
  };
  if (count > MAX_DIRECT_CHILDREN || bits.has('managesDescendants'))
    return readVisibleItems(walk, address, node, element, childContext);
  const listed = await readChildren(walk.calls, address[1]);
  const isDrawn = toolkit.drawnByLabels && DRAWN.has(node.role);
  const addresses = isDrawn ? await firstObjects(walk.calls, address[1], listed) : listed;
  let nodes = await Promise.all(addresses.map((child) => readChild(walk, child, childContext)));
  if (toolkit.showingBy === 'geometry' && LISTS.has(node.role)) {
    nodes = await walk.gaps.orIfLate(dropStaleRows(walk.calls, address, place, nodes, walk.options.full), []);
  }
  if (toolkit.showingBy === 'geometry' && !walk.options.full && node.role === 'group') {
    nodes = await walk.gaps.orIfLate(dropHiddenPages(walk.calls, address, place, nodes), []);
  }
  if (isBrowser(toolkit) && !walk.options.full) clipAtScrolledEdges(nodes, place);
  await walk.gaps.orIfLate(readContainerText(walk.calls, address[1], node, nodes), undefined);
  const children = nodes.filter((child) => child !== undefined);
  const result: ChildrenRead = { children };
  // An incomplete read cannot determine which rows are visible, or their numbers.
  if (walk.gaps.timedOut) return { children, unread: addresses.length - children.length };
  if (walk.count >= walk.options.maxNodes && children.length < addresses.length) {
    result.unread = addresses.length - children.length;
  }
  if (ROWS_AS_CHILDREN.has(toolkit.name) && GRIDS.has(node.role))
    return tableFromRows(walk, addresses, nodes, result, childContext);
  if (LISTS.has(node.role) && node.role !== 'menu') addItemRange(result, nodes);
  return result;
}

const MAX_REMEMBERED = 500;

/**
 * Swing makes a new object for each item at every request. Refs need the same one, so the first is used as long as it
 * exists and still stands for what is in its place.
 */
async function firstObjects(calls: AppCalls, parent: string, listed: readonly Address[]): Promise<Address[]> {
  const { firstItems } = calls.app;
  const before = firstItems.get(parent);
  const nameOf = (path: string): Promise<string> => readString(calls, path, ACCESSIBLE, 'Name');
  const same = await Promise.all(
    listed.map(async (now, at) => {
      const first = before?.[at];
      if (!first || first[1] === now[1] || !(await readStates(calls, now[1]))?.has('showing')) return now;
      const [states, old, current] = await Promise.all([readStates(calls, first[1]), nameOf(first[1]), nameOf(now[1])]);
      return states?.has('showing') && old === current ? first : now;
    }),
  );
  firstItems.delete(parent);
  firstItems.set(parent, same);
  const [oldest] = firstItems.keys();
  if (firstItems.size > MAX_REMEMBERED && oldest !== undefined) firstItems.delete(oldest);
  return same;
}

/** If the name contains an underscore, only the label shows whether it is visible text or marks a mnemonic. */
function isUnambiguousName(name: string | undefined): boolean {
  return name !== undefined && !name.includes('_');
}

/** Children may live in another process (a plug-in). Its tree is not followed. */
function readChild(walk: Walk, child: Address, childContext: WalkContext): Promise<Node | undefined> {
  return child[0] === walk.calls.app.busName ? walk.child(child, childContext) : Promise.resolve(undefined);
}

/** Adds the range of visible list items, unless all are visible. */
function addItemRange(result: ChildrenRead, nodes: readonly (Node | undefined)[]): void {
  const first = nodes.findIndex((node) => node !== undefined);
  const last = nodes.findLastIndex((node) => node !== undefined);
  if (first < 0 || result.children.length === nodes.length) return;
  result.items = { total: nodes.length, shown: [first + 1, last + 1] };
}

/** A list with very many items. Hit tests at its corners find the visible ones. */
async function readVisibleItems(
  walk: Walk,
  address: Address,
  node: Node,
  element: ElementContext,
  childContext: WalkContext,
): Promise<ChildrenRead> {
  const span = walk.options.full ? undefined : await visibleItems(walk.calls, address[1], element.place, element.count);
  const [first, last] = span ?? [1, Math.min(element.count, walk.options.full ? MAX_DIRECT_CHILDREN : 50)];
  const indexes = Array.from({ length: last - first + 1 }, (_, i) => first - 1 + i);
  const addresses = await Promise.all(indexes.map((index) => readChildAt(walk.calls, address[1], index)));
  const nodes = await Promise.all(addresses.map(async (child) => child && readChild(walk, child, childContext)));
  const children = nodes.filter((child) => child !== undefined);
  if (walk.gaps.timedOut) return { children, unread: element.count - children.length };
  if (indexes.length === element.count) return { children };
  const visible = nodes.flatMap((child, i) => (child ? [first + i] : []));
  const shown = visible.length > 0 && { shown: [visible[0]!, visible.at(-1)!] satisfies Span };
  return { children, items: { total: element.count, ...shown }, unread: element.count - indexes.length };
}

/** More than any screen shows. An app that claims more is cut here. */
const MAX_SHOWN = 300;
/** Give up after this many consecutive items without a size. */
const MAX_EMPTY_RUN = 8;

/** Range of the visible items, counted from 1. Undefined when it cannot be determined. */
async function visibleItems(calls: AppCalls, path: string, place: Place, count: number): Promise<Span | undefined> {
  const area = reportedArea(place);
  if (!area) return undefined;
  // Chromium's hit test returns the state before the page was scrolled, and only the innermost element.
  if (calls.app.toolkit.name !== 'chromium') return spanByHitTest(calls, path, area, count);
  return spanByBounds(area, count, async (index) => {
    const item = await readChildAt(calls, path, index);
    return item && readExtents(calls, item[1]);
  });
}

async function spanByHitTest(calls: AppCalls, path: string, area: Box, count: number): Promise<Span | undefined> {
  const x = area.x + Math.min(10, area.width / 2);
  const indexAt = async (y: number): Promise<number | undefined> => {
    const space = calls.app.toolkit.coordinates === 'window' ? WINDOW : SCREEN;
    const answer = await calls.maybe(
      calls.call(path, COMPONENT, 'GetAccessibleAtPoint', 'iiu', [Math.round(x), Math.round(y), space]),
    );
    const item = asAddress(answer?.[0]);
    if (!item || item[1] === path) return undefined;
    const index = await calls.maybe(calls.call(item[1], ACCESSIBLE, 'GetIndexInParent'));
    return typeof index?.[0] === 'number' && index[0] >= 0 && index[0] < count ? index[0] : undefined;
  };
  const [top, bottom] = await Promise.all([indexAt(area.y + 4), indexAt(area.y + area.height - 4)]);
  if (top === undefined || bottom === undefined || bottom < top) return undefined;
  return [top + 1, Math.min(bottom, top + MAX_SHOWN) + 1];
}

type BoxAt = (index: number) => Promise<Box | undefined>;

/** Items are ordered from top to bottom, so a binary search finds the first and the last item in the area. */
export async function spanByBounds(area: Box, count: number, boxAt: BoxAt): Promise<Span | undefined> {
  const [first, after] = await Promise.all([
    firstIndexWhere(count, boxAt, (box) => box.y + box.height > area.y),
    firstIndexWhere(count, boxAt, (box) => box.y >= area.y + area.height),
  ]);
  if (first === undefined || after === undefined || after <= first) return undefined;
  return [first + 1, Math.min(after, first + MAX_SHOWN)];
}

/** The first index from which the condition holds; `count` if there is none. */
async function firstIndexWhere(count: number, boxAt: BoxAt, holds: (box: Box) => boolean): Promise<number | undefined> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = await nextWithSize(middle, Math.min(high, middle + MAX_EMPTY_RUN), boxAt);
    if (!found && high - middle > MAX_EMPTY_RUN) return undefined;
    if (!found || holds(found.box)) high = middle;
    else low = found.index + 1;
  }
  return low;
}

/** The next item that has a size. Hidden items between the others have none. */
async function nextWithSize(from: number, to: number, boxAt: BoxAt): Promise<{ index: number; box: Box } | undefined> {
  for (let index = from; index < to; index++) {
    const box = await boxAt(index);
    if (box && box.width > 0 && box.height > 0) return { index, box };
  }
  return undefined;
}
