import type { Element, Span } from '../element.js';
import { STRUCTURE_ROLES } from '../role-kinds.js';
import type { Role } from '../roles.js';
import type { View, ViewOptions } from './view.js';

const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox']);
const ITEMS: ReadonlySet<Role> = new Set(['listitem', 'option']);

function itemsIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (ITEMS.has(child.role)) return [child];
    return STRUCTURE_ROLES.has(child.role) && !child.name ? itemsIn(child) : [];
  });
}

/** Gives the items of a list their numbers, so that those which are not printed can be named: `items 4-12`. */
export function listNumbers(view: View, options: ViewOptions): void {
  const { element } = view;
  if (options.interactive === true && view.children.length === 0) return;
  if (!LISTS.has(element.role) && element.items === undefined) return;
  const items = itemsIn(element);
  // What holds very many children is counted too, whatever they are.
  const read = items.length === 0 && element.items !== undefined ? element.children : items;
  const total = element.items?.total ?? read.length;
  // Items that were read are consecutive; where they begin is known when not all of them were.
  const first = total > read.length ? (element.items?.shown?.[0] ?? 1) : 1;
  const numberOf = new Map(read.map((item, at) => [item, first + at]));
  for (const child of view.children) {
    const number = numberOf.get(child.element);
    if (number !== undefined) child.number = number;
  }
  if (total > 0 && (read.length > 0 || element.items)) {
    const known = read.length > 0 && { read: [first, first + read.length - 1] satisfies Span };
    view.numbered = { word: 'items', total, ...known };
  }
  // What the list says is not read is what the numbers already tell.
  if (view.numbered && total > read.length) view.unread = 0;
}
