import type { Element } from './element.js';
import { walkItems } from './item-walk.js';
import { type Item, textOfItem } from './items.js';
import type { RefRecord } from './ref-record.js';

export interface Nearest {
  element: Element;
  /** The item that it is in: `button "Edit" in row "1004"`. */
  item?: { role: Item['role']; name: string };
}

/**
 * Elements that are now what a stale ref was: same role and name, in an item with the same words. If there is none, in
 * an item that begins with the same words. An element of which nothing was known has no likeness.
 */
export function nearest(was: RefRecord, root: Element, limit = 5): Nearest[] {
  if (!was.name && !was.item?.name) return [];
  const same: Nearest[] = [];
  const similar: Nearest[] = [];
  walkItems<void>(root, true, (node, place) => {
    const element = node as Element;
    if (element.ref === was.ref || element.role !== was.role || (element.name ?? '') !== (was.name ?? '')) return;
    const item = place.items.at(-1);
    const found: Nearest = item ? { element, item: { role: item.role, name: item.name } } : { element };
    if ((item && textOfItem(item)) === was.item?.text) same.push(found);
    else if (was.item?.name && item?.name === was.item.name) similar.push(found);
  });
  return (same.length > 0 ? same : similar).slice(0, limit);
}
