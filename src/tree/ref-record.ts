import type { Role } from './roles/roles.js';
import type { Element } from './element.js';
import { walkItems, type Item, textOfItem } from './items.js';

/** What a ref refers to, and what the caller last saw of it. */
export interface RefRecord {
  readonly ref: string;
  /** The driver's id of the element or window. */
  readonly id: string;
  readonly windowId: string;
  readonly role: Role;
  /**
   * The name that the caller last saw. If the element has another name now, the caller does not know what it would act
   * on. For a window: its title.
   */
  readonly name?: string;
  /** Windows only. */
  readonly app?: string;
  /** The innermost item that contains the element, or the element itself if it is an item. */
  readonly item?: { readonly id: string; readonly role: Role; readonly name: string; readonly text: string };
  /** Ids of the first and the last snapshot that contained it. */
  readonly firstSeenIn: string;
  readonly seenIn: string;
  /** The first snapshot without it. It may come back. */
  readonly goneSince?: string;
  /** Its identity now belongs to another element; it does not come back. */
  readonly stale: boolean;
}

export type RefLookup =
  /** Present in the last snapshot. */
  | { state: 'here'; record: RefRecord }
  /** Absent from the last complete snapshot of its window (`goneSince`). It keeps its ref if it comes back. */
  | { state: 'missing'; record: RefRecord }
  /** Never this element again. Without a record: so old that only the number is known. */
  | { state: 'stale'; record?: RefRecord }
  /** This ref was never assigned. */
  | { state: 'never' };

/** `e12`, `@e12` and `@12` are the same ref; `w2` is a window. Undefined for any other text. */
export function parseRef(text: string): string | undefined {
  const written = text.trim();
  const element = /^(?:@?e|@)([1-9]\d{0,14})$/.exec(written);
  if (element) return `e${element[1]}`;
  return /^w[1-9]\d{0,14}$/.test(written) ? written : undefined;
}

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
