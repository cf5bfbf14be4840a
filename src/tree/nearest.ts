import type { Element } from './element.js';
import { walkItems } from './item-walk.js';
import { type Item, textOfItem } from './items.js';
import type { RefRecord } from './ref-record.js';

export interface Nearest {
  element: Element;
  /** The item that contains it: `button "Edit" in row "1004"`. */
  item?: { role: Item['role']; name: string };
}

/**
 * Elements that match what a stale ref referred to: same role and name, in an item with the same text. If there are
 * none: in an item that begins with the same text. A ref without a name and without an item matches nothing.
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
