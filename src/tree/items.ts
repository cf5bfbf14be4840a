import type { Node } from './element.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_FIELD_ROLES, type Role } from './roles/roles.js';
import { createHash } from 'node:crypto';

/**
 * Toolkits reuse the widget of a row for another row when a list scrolls: after one turn of the wheel, 204 of 205
 * identities of a GTK4 list referred to another item. So an item is identified by the text in it.
 */
export interface Item {
  /** The element to read again to get the item's text: the item itself, or the table if rows are not elements. */
  id: string;
  role: Role;
  /** The first text, for display: row "1004". */
  name: string;
  /** All parts, compared as a whole. */
  key: string;
  /** Not everything in it was read, so the text may be incomplete. */
  partial: boolean;
}

// Cleaned text has no control characters, so the separator cannot occur inside a part.
const PART_SEPARATOR = '\x1f';
const MAX_KEY_LENGTH = 2_000;

/** Roles whose text identifies the item that contains them. */
const IDENTIFYING_ROLES: ReadonlySet<Role> = new Set([
  'caption',
  'cell',
  'heading',
  'image',
  'label',
  'link',
  'mark',
  'paragraph',
  'rowheader',
  'text',
]);

/** The text that identifies this item: independent of selection, focus, check marks and typed text. @internal */
export function itemText(item: Node): string {
  return collectText([item]).parts.join(' | ');
}

/** A display name: the element's own name, or the first text in an item without a name (row "1004"). */
export function displayName(node: Node): string {
  if (node.name || !ITEM_ROLES.has(node.role)) return node.name ?? '';
  return collectText([node]).parts[0] ?? '';
}

/** The item that consists of `nodes`: one element, or the cells of a row that is not an element itself. */
function itemOf(nodes: readonly Node[], id: string, role: Role): Item {
  const { parts, partial } = collectText(nodes);
  const joined = parts.join(PART_SEPARATOR);
  const key = joined.length <= MAX_KEY_LENGTH ? joined : `${joined.slice(0, MAX_KEY_LENGTH)}#${hash64(joined)}`;
  return { id, role, name: parts[0] ?? '', key, partial };
}

export function textOfItem(item: Item): string {
  return item.key.replaceAll(PART_SEPARATOR, ' | ');
}

/** False if what was read of both shows that they are different items. */
function mayBeSameItem(a: Item, b: Item): boolean {
  if (a.key === b.key) return true;
  return (a.partial && containsPartsOf(b, a)) || (b.partial && containsPartsOf(a, b));
}

function containsPartsOf(whole: Item, part: Item): boolean {
  if (part.key === '') return true;
  const rest = whole.key.split(PART_SEPARATOR)[Symbol.iterator]();
  return part.key.split(PART_SEPARATOR).every((wanted) => {
    for (let next = rest.next(); !next.done; next = rest.next()) if (next.value === wanted) return true;
    return false;
  });
}

interface ItemText {
  parts: string[];
  partial: boolean;
}

function collectText(nodes: readonly Node[]): ItemText {
  const words: ItemText = { parts: [], partial: false };
  for (const node of nodes) {
    addOwn(node, words.parts);
    addDescendants(node, node, words, false);
  }
  if (words.parts.length === 0) for (const node of nodes) addDescendants(node, node, words, true);
  return words;
}

function addDescendants(node: Node, item: Node, words: ItemText, everyName: boolean): void {
  if (node.unread) words.partial = true;
  for (const child of node.children) {
    // If the item is on screen, only its on-screen parts count, so that a full snapshot gives the same text.
    const counts = child.states.visible && (!child.states.offscreen || item.states.offscreen === true);
    if (!counts || ITEM_ROLES.has(child.role)) continue;
    if (everyName) add(child.name, words.parts);
    else if (IDENTIFYING_ROLES.has(child.role)) addOwn(child, words.parts);
    // Text in a field is typed, and text in a control changes with its state ("Follow", "Following").
    const closed = everyName ? TEXT_FIELD_ROLES.has(child.role) : isControl(child.role);
    if (!closed) addDescendants(child, item, words, everyName);
  }
}

function isControl(role: Role): boolean {
  return INTERACTIVE_ROLES.has(role) && role !== 'link';
}

function addOwn(node: Node, parts: string[]): void {
  add(node.name, parts);
  const isCell = node.role === 'cell' || node.role === 'rowheader';
  if (isCell && node.value !== undefined && node.states.checked === undefined) add(String(node.value), parts);
}

/** A label that repeats its parent's name adds nothing. */
function add(text: string | undefined, parts: string[]): void {
  if (text !== undefined && text !== '' && parts.at(-1) !== text) parts.push(text);
}

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

/** One step of the path from the window to an element. */
export interface PathStep {
  role: Role;
  /** The developer's id. If there is one, the name is ignored, because names change. */
  automationId?: string;
  name?: string;
  /** Index among the siblings with the same role and the same id or name, from 0. */
  index: number;
}

/**
 * Identity for drivers whose platform has none: 64 bits over the whole path. The hash is cryptographic because names
 * come from apps, and an app must not be able to give two elements the same identity.
 * @internal No driver needs it yet.
 */
export function derivedId(path: readonly [PathStep, ...PathStep[]]): string {
  return path.reduce((parent, step) => derivedChildId(parent, step), '');
}

/** The same, one level at a time: `parent` is the parent's derived id, or the window's id (or '') at the top. */
export function derivedChildId(parent: string, step: PathStep): string {
  const key = step.automationId ? ['#', step.automationId] : ['"', step.name ?? ''];
  return hash64(JSON.stringify([parent, step.role, ...key, step.index]));
}

/** The `index` of each sibling's step. @internal */
export function siblingIndexes(siblings: readonly Omit<PathStep, 'index'>[]): number[] {
  const seen = new Map<string, number>();
  return siblings.map(({ role, automationId, name }) => {
    const alike = JSON.stringify(automationId ? [role, '#', automationId] : [role, '"', name ?? '']);
    const index = seen.get(alike) ?? 0;
    seen.set(alike, index + 1);
    return index;
  });
}

/** 16 hexadecimal digits. */
function hash64(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
