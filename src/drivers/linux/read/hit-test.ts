import { type Box, contains, intersect, type Node, type Point, type Role, roleFromAtspi } from '../../../tree/index.js';
import type { Found } from '../../contract/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  COMPONENT,
  idOf,
  parseElementId,
  readChildCount,
  readChildren,
  readExtents,
  readRole,
  readStates,
  readString,
  SCREEN,
  WINDOW,
} from '../atspi/accessible.js';
import { type Ancestor, readAncestors } from '../atspi/ancestors.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { childPlace, type Place } from '../atspi/bounds.js';
import { readCell, readRows } from '../atspi/cells.js';
import { cellAt, positionOf, readGrid } from '../atspi/table.js';
import type { ToolkitName } from '../atspi/toolkit.js';
import { Walk, type WalkContext } from '../atspi/walk.js';
import type { XWindow } from '../x11/windows/window.js';
import { rootWithoutTree, withAppErrors, findTree, type WindowTree } from './window-tree.js';
import type { ReadContext } from './window.js';

const MAX_STEPS = 60;
const MAX_NODES = 3000;
/** Nested menus. */
const MAX_MENU_LEVELS = 8;
const MENUS: ReadonlySet<Role> = new Set(['menu', 'menuitem', 'menubutton', 'combobox', 'popup', 'listbox']);
const FRAME = 23;
const LABEL = 29;
const ROOT_PANE = 46;
const DOCUMENT_WEB = 95;

/** The element that a click at this point would hit. */
export async function findAtPoint(context: ReadContext, point: Point): Promise<Found | undefined> {
  const window = context.windows.find(
    (one) => one.visible && !one.minimised && !one.placeless && contains(one.bounds, point),
  );
  if (!window) return undefined;
  const tree = await owningTree(context, window);
  if (!tree) return { window: window.id, path: [rootWithoutTree(window)] };
  return withAppErrors(tree.calls.app, async () => {
    const inMenu = tree.window === window ? undefined : await findInPopup(tree, window.bounds, point);
    const leaf = inMenu ?? (await hitTest(tree, point));
    return { window: tree.window.id, path: await pathTo(tree, leaf) };
  });
}

/** Items of an open menu are in the tree of the window that owns the menu. */
async function owningTree(context: ReadContext, window: XWindow): Promise<WindowTree | undefined> {
  const { apps, windows, screen, deadline } = context;
  let current: XWindow | undefined = window;
  for (let level = 0; current && level < MAX_MENU_LEVELS; level++) {
    const tree = await findTree(apps, windows, current, screen, deadline);
    if (tree || current.role !== 'popup') return tree;
    const owner: number | undefined = current.of;
    current = windows.find((one) => one.xid === owner);
  }
  return undefined;
}

/**
 * The owner's tree does not know what is in front. Menu items that lie in the popup are preferred over other elements
 * there.
 */
async function findInPopup({ calls, topLevel, place }: WindowTree, popup: Box, point: Point) {
  const context: WalkContext = { place, enabled: true, role: 'application', depth: Infinity, requested: true };
  const root = await new Walk(calls, { maxNodes: MAX_NODES }).element(topLevel.address, context);
  const items: Node[] = [];
  const others: Node[] = [];
  const collect = (node: Node, inMenu: boolean): void => {
    if (node.bounds && inMenu && isMostlyInside(node.bounds, popup)) items.push(node);
    else if (node.bounds && isInside(node.bounds, popup)) others.push(node);
    for (const child of node.children) collect(child, inMenu || MENUS.has(node.role));
  };
  if (root) collect(root, false);
  return (await smallestAt(calls, items, point)) ?? smallestAt(calls, others, point);
}

/** Qt reports the full width of a list item, even if the list is narrower. */
function isMostlyInside(box: Box, frame: Box): boolean {
  const part = intersect(box, frame);
  return part !== undefined && 2 * part.width * part.height > box.width * box.height;
}

function isInside(box: Box, frame: Box): boolean {
  const { x, y, width, height } = intersect(box, frame) ?? { x: 0, y: 0, width: 0, height: 0 };
  return box.x >= x - 2 && box.y >= y - 2 && box.width <= width + 2 && box.height <= height + 2;
}

/** Some toolkits return the leaf at once, others one level at a time. Each level is asked in its own coordinates. */
async function hitTest(tree: WindowTree, point: Point): Promise<Address> {
  const { calls } = tree;
  const { toolkit } = calls.app;
  let current = tree.topLevel.address;
  let above = tree.place;
  let place: Place = childPlace(toolkit, above, FRAME, tree.topLevel.extents);
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = (await accessibleAtPoint(calls, current, place, point)) ?? (await libreOfficePane(calls, current));
    if (!next) break;
    const [roleNumber, extents] = await Promise.all([readRole(calls, next[1]), readExtents(calls, next[1])]);
    above = place;
    place = childPlace(toolkit, place, roleNumber, extents);
    current = next;
    // GTK 4 returns the leaf. A second call would use coordinates relative to the leaf.
    if (toolkit.coordinates === 'window') break;
  }
  if (toolkit.name === 'chromium') current = await skipLabel(calls, current);
  const innermost = (part: Address): Promise<Address> => smallestInside(calls, part, tree.place, point);
  const hit = await topmostAt(calls, await smallestInside(calls, current, above, point), point, innermost);
  const isTitleBar = toolkit.name === 'chromium' && (await isTitleBarBox(calls, hit));
  return isTitleBar ? smallestInside(calls, tree.topLevel.address, tree.place, point) : hit;
}

/**
 * Chromium's own boxes lie over the buttons of its title bar and win the hit test. Then the smallest element at the
 * point is the hit target.
 */
async function isTitleBarBox(calls: AppCalls, hit: Address): Promise<boolean> {
  const ancestors = await readAncestors(calls, hit);
  if (ancestors.some(({ roleNumber }) => roleNumber === DOCUMENT_WEB)) return false;
  const role = roleFromAtspi(ancestors.at(-1)?.roleNumber ?? 0);
  return ['group', 'window'].includes(role) && (await readString(calls, hit[1], ACCESSIBLE, 'Name')) === '';
}

/**
 * Every toolkit stops at some containers (GTK 3 at notebooks, GTK 4 at icons, LibreOffice at native widgets). Inside
 * the returned element, the smallest element around the point is the hit target.
 */
async function smallestInside(calls: AppCalls, hit: Address, place: Place, point: Point): Promise<Address> {
  if ((await readChildCount(calls, hit[1])) === 0) return hit;
  const context: WalkContext = { place, enabled: true, role: 'group', depth: Infinity, requested: true };
  const container = await new Walk(calls, { maxNodes: MAX_NODES }).element(hit, context);
  return (container && (await smallestWithin(calls, container, point))) ?? hit;
}

async function accessibleAtPoint(
  calls: AppCalls,
  current: Address,
  place: Place,
  point: Point,
): Promise<Address | undefined> {
  const space = calls.app.toolkit.coordinates === 'window' ? WINDOW : SCREEN;
  const at = [point.x - place.shift.x, point.y - place.shift.y, space];
  const next = asAddress(
    (await calls.maybe(calls.call(current[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at)))?.[0],
  );
  return next && next[0] === calls.app.busName && next[1] !== current[1] ? next : undefined;
}

/** LibreOffice's own pane is offset by 25 pixels, so GTK does not find it at points near its end. */
async function libreOfficePane(calls: AppCalls, current: Address): Promise<Address | undefined> {
  if (calls.app.toolkit.name !== 'libreoffice' || (await readChildCount(calls, current[1])) !== 1) return undefined;
  const [child] = await readChildren(calls, current[1]);
  return child && (await readRole(calls, child[1])) === ROOT_PANE ? child : undefined;
}

/**
 * Chromium tests boxes, and the box of a wrapped label covers everything between its two lines. The hit target may be a
 * field beside the label.
 */
async function skipLabel(calls: AppCalls, hit: Address): Promise<Address> {
  if ((await readRole(calls, hit[1])) !== LABEL) return hit;
  return (await readAncestors(calls, hit)).at(-2)?.address ?? hit;
}

function smallestWithin(calls: AppCalls, root: Node, point: Point): Promise<Address | undefined> {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.children.forEach(visit);
  };
  visit(root);
  return smallestAt(calls, nodes, point);
}

/** The window's root and all elements down to the leaf. */
async function pathTo(tree: WindowTree, leaf: Address): Promise<Node[]> {
  const { calls } = tree;
  const ancestors = await readAncestors(calls, leaf);
  const extents = await Promise.all(ancestors.map(({ address }) => readExtents(calls, address[1])));
  const places: Place[] = [];
  ancestors.forEach(({ roleNumber, native }, i) =>
    places.push(childPlace(calls.app.toolkit, places[i - 1] ?? tree.place, roleNumber, extents[i], native)),
  );
  const walk = new Walk(calls, { maxNodes: Infinity, depth: 0 });
  const steps = await Promise.all(
    ancestors.map(async ({ address }, i) => {
      const parent = ancestors[i - 1];
      const cell = parent && (await readCellPath(calls, parent, ancestors[i]!, places[i - 1]!));
      if (cell) return cell;
      const role: Role = parent ? roleFromAtspi(parent.roleNumber) : 'application';
      const place = places[i - 1] ?? tree.place;
      const node = await walk.element(address, { place, enabled: true, role, depth: 0, requested: true });
      if (!node) return [];
      delete node.unread;
      return [i === 0 ? { ...rootWithoutTree(tree.window), platformIds: node.platformIds } : node];
    }),
  );
  const lost = steps.findIndex((step) => step.length === 0);
  return steps.slice(0, lost < 0 ? undefined : lost).flat();
}

/**
 * In a table that exposes only cells, a cell is identified by its position, not by its object. Its row, which is not an
 * object, comes before it. Rows of a sheet are left out.
 */
async function readCellPath(
  calls: AppCalls,
  parent: Ancestor,
  self: Ancestor,
  place: Place,
): Promise<Node[] | undefined> {
  if (![55, 65, 66].includes(parent.roleNumber) || [90, 91, 10, 57].includes(self.roleNumber)) return undefined;
  if (calls.app.toolkit.name === 'chromium' || calls.app.toolkit.name === 'gtk4') return undefined;
  const grid = await readGrid(calls, parent.address[1]);
  const position = grid && (await positionOf(calls, grid, self.address[1]));
  if (!position) return undefined;
  const walk = new Walk(calls, { maxNodes: Infinity, full: true });
  const { row, column } = position;
  if (grid.sheet) {
    const cell = await readCell(walk, idOf(parent.address), grid, row, column, place, { empty: true });
    return cell && [cell];
  }
  const [rowNode] = await readRows(walk, parent.address, grid, [row, row], [1, Math.min(grid.columns, 60)], place);
  const cell = rowNode?.children.find((node) => node.cell?.column === column);
  return rowNode && cell && [{ ...rowNode, children: [] }, cell];
}

/** The smallest of these nodes around a point. Of equal nodes the last, which is the innermost. */
export async function smallestAt(calls: AppCalls, nodes: readonly Node[], point: Point): Promise<Address | undefined> {
  let best: Node | undefined;
  const area = (node: Node) => (node.bounds ? node.bounds.width * node.bounds.height : Infinity);
  for (const node of nodes) {
    if (node.bounds && contains(node.bounds, point) && (!best || area(node) <= area(best))) best = node;
  }
  return best && objectAt(calls, best, point);
}

/**
 * In a table that exposes only cells, a row or cell is a position and not an object. Returns the cell object at that
 * position.
 */
async function objectAt(calls: AppCalls, node: Node, point: Point): Promise<Address | undefined> {
  const id = parseElementId(node.id);
  if (id?.row === undefined) return id?.address;
  const column = id.column ?? nearestCell(node, point)?.cell?.column;
  const grid = column === undefined ? undefined : await readGrid(calls, id.address[1]);
  return (grid && (await cellAt(calls, grid, id.row, column!))) ?? id.address;
}

/** There is no element between two cells of a row, so the nearest cell is used. */
function nearestCell(row: Node, { x }: Point): Node | undefined {
  const distance = ({ bounds }: Node): number =>
    bounds ? Math.max(bounds.x - x, x - bounds.x - bounds.width + 1, 0) : Infinity;
  return [...row.children].sort((a, b) => distance(a) - distance(b))[0];
}

/** More children than this do not overlap each other: they form a list. */
const MAX_STACKED_CHILDREN = 64;
/** Occluders on top of each other. */
const MAX_OCCLUDERS = 8;
/**
 * These toolkits return the first child that contains the point, although the last child is drawn above it. The others
 * find the topmost child themselves.
 */
const RETURNS_LOWEST: ReadonlySet<ToolkitName> = new Set(['gtk3', 'qt']);
/** Transparent where they are empty. Many of them also let pointer events through. */
const TRANSPARENT: ReadonlySet<Role> = new Set(['group', 'scrollpane', 'tabpanel', 'region']);

/**
 * The topmost element at a point, starting from the element that the toolkit returned. `within` finds the innermost
 * element.
 */
async function topmostAt(
  calls: AppCalls,
  hit: Address,
  point: Point,
  within: (part: Address) => Promise<Address>,
): Promise<Address> {
  if (!RETURNS_LOWEST.has(calls.app.toolkit.name)) return hit;
  let found = hit;
  for (let occluders = 0; occluders < MAX_OCCLUDERS; occluders++) {
    const occluder = await occluderAbove(calls, found, point, within);
    if (!occluder) return found;
    found = occluder;
  }
  return found;
}

/** The topmost element that covers the given element or one of its ancestors. */
async function occluderAbove(
  calls: AppCalls,
  element: Address,
  point: Point,
  within: (part: Address) => Promise<Address>,
): Promise<Address | undefined> {
  const ancestors = (await readAncestors(calls, element)).map(({ address }) => address);
  const levels = await Promise.all(
    ancestors.slice(0, -1).map((parent, level) => laterSiblingsAt(calls, parent, ancestors[level + 1]!, point)),
  );
  for (const occluder of levels.flatMap((level) => level.reverse())) {
    const inner = await within(occluder);
    if (inner[1] !== occluder[1] || !TRANSPARENT.has(roleFromAtspi(await readRole(calls, occluder[1])))) return inner;
  }
  return undefined;
}

/** Later siblings that are showing and contain the point. */
async function laterSiblingsAt(calls: AppCalls, parent: Address, child: Address, point: Point): Promise<Address[]> {
  const count = await readChildCount(calls, parent[1]);
  if (count < 2 || count > MAX_STACKED_CHILDREN) return [];
  const children = await readChildren(calls, parent[1]);
  const at = children.findIndex(([, path]) => path === child[1]);
  if (at < 0) return [];
  const later = children.slice(at + 1).filter(([busName]) => busName === calls.app.busName);
  const there = await Promise.all(
    later.map(async ([, path]) => {
      const [bits, box] = await Promise.all([readStates(calls, path), readExtents(calls, path)]);
      return bits?.has('showing') && bits.has('visible') && box && contains(box, point);
    }),
  );
  return later.filter((_, index) => there[index]);
}
