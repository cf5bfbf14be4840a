import { hash64 } from './derived-id.js';
import type { Node } from './element.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_FIELD_ROLES } from './roles/kinds.js';
import type { Role } from './roles/roles.js';

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
export function itemOf(nodes: readonly Node[], id: string, role: Role): Item {
  const { parts, partial } = collectText(nodes);
  const joined = parts.join(PART_SEPARATOR);
  const key = joined.length <= MAX_KEY_LENGTH ? joined : `${joined.slice(0, MAX_KEY_LENGTH)}#${hash64(joined)}`;
  return { id, role, name: parts[0] ?? '', key, partial };
}

export function textOfItem(item: Item): string {
  return item.key.replaceAll(PART_SEPARATOR, ' | ');
}

/** False if what was read of both shows that they are different items. */
export function mayBeSameItem(a: Item, b: Item): boolean {
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
