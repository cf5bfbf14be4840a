import type { Node } from './element.js';
import { type Item, itemOf, mayBeSameItem } from './items.js';
import { ITEM_ROLES } from './roles/kinds.js';
import type { Role } from './roles/roles.js';

/** The items that contain an element, outermost first. */
export interface Place {
  items: readonly Item[];
  /** The tree was read from the middle, so there may be more items around the first one. */
  open: boolean;
}

interface WalkContext extends Place {
  /** Inside a row or another item: a cell here belongs to it. */
  inItem: boolean;
  /** In a sheet the address identifies the cell, whatever its content. */
  inSheet: boolean;
}

/** `parent` is the result of visiting the parent. */
type Visit<Made> = (node: Node, place: Place, parent: Made | undefined) => Made;

/** Visits parents before children, in tree order, each element with its items. `whole`: the root is a window's root. */
export function walkItems<Made>(root: Node, whole: boolean, visit: Visit<Made>): Made {
  const around: WalkContext = { items: [], open: !whole, inItem: false, inSheet: false };
  return walk(root, undefined, around, undefined, visit);
}

function walk<Made>(
  node: Node,
  rowItem: Item | undefined,
  around: WalkContext,
  parent: Made | undefined,
  visit: Visit<Made>,
): Made {
  const inSheet = around.inSheet || node.role === 'sheet' || node.table?.sheet === true;
  const item = rowItem ?? (isItem(node, inSheet) ? itemOf([node], node.id, node.role) : undefined);
  let here = around;
  if (item) here = { items: [...around.items, item], open: around.open, inItem: true, inSheet };
  else if (inSheet !== around.inSheet) here = { ...around, inSheet };
  const made = visit(node, here, parent);
  const rows = here.inItem || inSheet ? undefined : rowsWithoutElement(node);
  for (const child of node.children) walk(child, rows?.get(child), here, made, visit);
  return made;
}

function isItem(node: Node, inSheet: boolean): boolean {
  if (inSheet || !ITEM_ROLES.has(node.role)) return false;
  return node.role !== 'row' || !node.children.some((child) => child.cell?.address !== undefined);
}

const CELL_CONTAINERS: ReadonlySet<Role> = new Set([
  'grid',
  'list',
  'listbox',
  'rowgroup',
  'table',
  'tree',
  'treegrid',
]);

/** In GTK3 and Qt, cells are direct children of their table; cells with the same row number still form one item. */
function rowsWithoutElement(container: Node): Map<Node, Item> | undefined {
  if (!CELL_CONTAINERS.has(container.role)) return undefined;
  const cells = container.children.filter((child) => isCell(child) && child.cell?.address === undefined);
  if (cells.length === 0) return undefined;
  const rows = new Map<number | Node, Node[]>();
  for (const cell of cells) {
    const row = cell.cell?.row ?? cell;
    const known = rows.get(row);
    if (known) known.push(cell);
    else rows.set(row, [cell]);
  }
  const items = new Map<Node, Item>();
  for (const [row, members] of rows) {
    const read = itemOf(members, container.id, typeof row === 'number' ? 'row' : 'cell');
    const item = container.unread ? { ...read, partial: true } : read;
    for (const member of members) items.set(member, item);
  }
  return items;
}

function isCell(node: Node): boolean {
  return node.role === 'cell' || node.role === 'rowheader';
}

/** False if what was read shows that the element is in other items now. Only text counts, not the item's identity. */
export function mayBeSamePlace(a: Place, b: Place): boolean {
  const missing = a.items.length - b.items.length;
  if (missing > 0 && !b.open) return false;
  if (missing < 0 && !a.open) return false;
  const shared = Math.min(a.items.length, b.items.length);
  for (let fromEnd = 1; fromEnd <= shared; fromEnd++) {
    const one = a.items.at(-fromEnd)!;
    const other = b.items.at(-fromEnd)!;
    if (one !== other && !mayBeSameItem(one, other)) return false;
  }
  return true;
}
