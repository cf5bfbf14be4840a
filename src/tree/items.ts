import { hash64 } from './derived-id.js';
import type { Node } from './element.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_FIELD_ROLES } from './roles/kinds.js';
import type { Role } from './roles/roles.js';

/**
 * Toolkits hand the widget of a row to another row when one scrolls: after one turn of the wheel 204 of 205 identities
 * of a GTK4 list meant another item. What an item is, is therefore told by the words in it.
 */
export interface Item {
  /** The element to read again to see the item's words: the item itself, or the table when rows are no elements. */
  id: string;
  role: Role;
  /** The first words, for people: row "1004". */
  name: string;
  /** The parts, compared as a whole. */
  key: string;
  /** Not everything in it was read, so that the words may be incomplete. */
  partial: boolean;
}

// Cleaned text has no control characters, so joined parts cannot be mistaken for one.
const BETWEEN_PARTS = '\x1f';
const LONGEST_KEY = 2_000;

/** Words that name an item by being in it. */
const NAMING: ReadonlySet<Role> = new Set([
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

/** The words that tell which item this is: independent of selection, focus, check marks and what is typed into it. */
export function itemText(item: Node): string {
  return wordsOf([item]).parts.join(' | ');
}

/** What people call it: its name, or the first words in an item that has none (row "1004"). */
export function calledByFirstWords(node: Node): string {
  if (node.name || !ITEM_ROLES.has(node.role)) return node.name ?? '';
  return wordsOf([node]).parts[0] ?? '';
}

/** The item that `nodes` are: one element, or the cells of a row that is no element itself. */
export function itemOf(nodes: readonly Node[], id: string, role: Role): Item {
  const { parts, partial } = wordsOf(nodes);
  const joined = parts.join(BETWEEN_PARTS);
  const key = joined.length <= LONGEST_KEY ? joined : `${joined.slice(0, LONGEST_KEY)}#${hash64(joined)}`;
  return { id, role, name: parts[0] ?? '', key, partial };
}

export function textOfItem(item: Item): string {
  return item.key.replaceAll(BETWEEN_PARTS, ' | ');
}

/** False when what was read of both shows that they are different items. */
export function mayBeSameItem(a: Item, b: Item): boolean {
  if (a.key === b.key) return true;
  return (a.partial && holdsPartsOf(b, a)) || (b.partial && holdsPartsOf(a, b));
}

function holdsPartsOf(whole: Item, part: Item): boolean {
  if (part.key === '') return true;
  const rest = whole.key.split(BETWEEN_PARTS)[Symbol.iterator]();
  return part.key.split(BETWEEN_PARTS).every((wanted) => {
    for (let next = rest.next(); !next.done; next = rest.next()) if (next.value === wanted) return true;
    return false;
  });
}

interface Words {
  parts: string[];
  partial: boolean;
}

function wordsOf(nodes: readonly Node[]): Words {
  const words: Words = { parts: [], partial: false };
  for (const node of nodes) {
    addOwn(node, words.parts);
    addInside(node, node, words, false);
  }
  if (words.parts.length === 0) for (const node of nodes) addInside(node, node, words, true);
  return words;
}

function addInside(node: Node, item: Node, words: Words, everyName: boolean): void {
  if (node.unread) words.partial = true;
  for (const child of node.children) {
    // Of an item on screen only what is on screen counts, so that a look at everything sees the same words.
    const counts = child.states.visible && (!child.states.offscreen || item.states.offscreen === true);
    if (!counts || ITEM_ROLES.has(child.role)) continue;
    if (everyName) add(child.name, words.parts);
    else if (NAMING.has(child.role)) addOwn(child, words.parts);
    // The words in a field are typed, those in a control change with its state ("Follow", "Following").
    const closed = everyName ? TEXT_FIELD_ROLES.has(child.role) : isControl(child.role);
    if (!closed) addInside(child, item, words, everyName);
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

/** A label that repeats its parent's name is no second word. */
function add(text: string | undefined, parts: string[]): void {
  if (text !== undefined && text !== '' && parts.at(-1) !== text) parts.push(text);
}
