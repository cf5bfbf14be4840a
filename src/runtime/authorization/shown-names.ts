import { type Element, INTERACTIVE_ROLES, ITEM_ROLES, type Role, WINDOW_ROLES } from '../../tree/index.js';
import type { Target } from '../locate/target.js';

/** A row contains at most this many texts that count one by one. */
const MAX_TEXTS = 100;

const isItem = ({ role }: Element): boolean => ITEM_ROLES.has(role) || role === 'cell';

/** A text, an image, a row: a press on it is handled by the element around it, or selects the whole row. */
export const isPart = ({ role }: Element): boolean => !INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role);

/**
 * The target once for each name under which a user sees it: rows and cells often have no name of their own and show
 * the texts inside them. If the target has no name, all these texts together are its name.
 */
export function asShown(target: Target): Target[] {
  const { element } = target;
  if (!isItem(element) && (element.name !== undefined || !INTERACTIVE_ROLES.has(element.role))) return [target];
  const texts = [...new Set(textsIn(element))].slice(0, MAX_TEXTS);
  const named = (name: string): Target => ({ ...target, element: { ...element, name } });
  if (element.name !== undefined) return [target, ...texts.filter((text) => text !== element.name).map(named)];
  return [...(texts.length > 1 ? [named(texts.join(' '))] : []), ...texts.map(named), target];
}

/** Controls inside a row, and the rows below it in a tree, are elements of their own. */
function textsIn(one: Element): string[] {
  return one.children
    .filter(({ role }) => !ITEM_ROLES.has(role) && !INTERACTIVE_ROLES.has(role))
    .flatMap((child) => [...(child.name ? [child.name] : []), ...textsIn(child)]);
}

/** They do not handle a press on something inside them. */
const OUTERMOST: ReadonlySet<Role> = new Set<Role>([...WINDOW_ROLES, 'document']);

/**
 * The elements around a part that may handle a press on it although they are no controls: rows, and whatever has a
 * name (a group of a web page, a frame).
 */
export function handlersAround(target: Target): Target[] {
  const { element, path } = target;
  if (!isPart(element)) return [];
  return path.flatMap((one, at) => {
    if (OUTERMOST.has(one.role) || (!isItem(one) && !one.name)) return [];
    return [{ ...target, element: one, path: path.slice(0, at) }];
  });
}

/** The roles of cells that have no row around them. */
const ROW_PARTS: ReadonlySet<Role> = new Set<Role>(['cell', 'row', 'treeitem']);

/** The other cells of the row of a table or tree, if the app exposes no rows: a press on one selects all of them. */
export function cellsBeside(target: Target): Target[] {
  const { element, path } = target;
  const chain = [...path, element];
  const at = chain.findLastIndex(({ role }) => ROW_PARTS.has(role));
  const cell = chain[at];
  const parent = chain[at - 1];
  if (!cell || !parent || !isPart(element)) return [];
  return parent.children
    .filter((other) => other.id !== cell.id && ROW_PARTS.has(other.role) && isInSameRow(cell, other))
    .map((other) => ({ ...target, element: other, path: chain.slice(0, at) }));
}

function isInSameRow(a: Element, b: Element): boolean {
  if (a.cell && b.cell) return a.cell.row === b.cell.row;
  if (!a.bounds || !b.bounds) return false;
  const middle = a.bounds.y + a.bounds.height / 2;
  return middle >= b.bounds.y && middle < b.bounds.y + b.bounds.height;
}
