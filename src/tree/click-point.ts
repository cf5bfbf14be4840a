import type { Element } from './element.js';
import { centre, contains, intersect, type Point } from './geometry.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_ROLES } from './roles/kinds.js';

/** So deep an item is read for it: deeper it holds no words of its own. */
export const ITEM_DEPTH = 6;
/** Along the middle of an item, from its beginning on. */
const STEPS = 16;

type Part = Pick<Element, 'role' | 'name' | 'bounds' | 'states'> & { children: readonly Part[] };

/**
 * Where a click on a row, a list item or a tree item means the item and not a control in it: undefined where that is
 * its middle, or nowhere. The first words that are nothing but words are preferred: toolkits do not tell of every cell
 * what a click does to it, and a box that is not ticked reads like an empty cell.
 */
export function plainClickPoint({ bounds, children }: Part): Point | undefined {
  if (!bounds) return undefined;
  const parts = children.flatMap(withAllIn).filter(isShown);
  const controls = parts.filter(isControl);
  const free = (point: Point): boolean => contains(bounds, point) && !controls.some((one) => isAt(one, point));
  const words = parts.filter((one) => isWords(one) && !withAllIn(one).some(isControl));
  const middle = centre(bounds);
  const dumb = parts.some((one) => one.role === 'cell' && !words.includes(one) && isAt(one, middle));
  if (free(middle) && !dumb) return undefined;
  const spots = words.flatMap((one) => {
    const seen = intersect(one.bounds!, bounds);
    return seen ? [centre(seen)] : [];
  });
  const along = Array.from({ length: STEPS - 1 }, (_, at) => ({
    x: bounds.x + Math.floor((bounds.width * (at + 1)) / STEPS),
    y: middle.y,
  }));
  return spots.find(free) ?? (free(middle) ? undefined : along.find(free));
}

const withAllIn = (part: Part): Part[] => [part, ...part.children.flatMap(withAllIn)];

const isShown = ({ bounds, states }: Part): boolean => bounds !== undefined && states.visible && !states.offscreen;

const isAt = ({ bounds }: Part, point: Point): boolean => bounds !== undefined && contains(bounds, point);

/** Pressed, ticked or written into by a click; or another item, with its own row. */
const isControl = ({ role, states }: Part): boolean =>
  INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role) || (states.checked ?? states.pressed) !== undefined;

const isWords = ({ role, name, children }: Part): boolean =>
  (TEXT_ROLES.has(role) && name !== undefined) || (role === 'cell' && (name !== undefined || children.some(isWords)));
