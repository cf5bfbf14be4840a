import type { Element } from './element.js';
import { centre, contains, intersect, type Point } from './geometry.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_ROLES } from './roles/roles.js';

/** Depth to which an item is read for its click point; deeper levels contain no text of the item itself. */
export const ITEM_DEPTH = 6;
/** Number of steps along the middle line of an item, from its start. */
const STEPS = 16;

type Part = Pick<Element, 'role' | 'name' | 'bounds' | 'states'> & { children: readonly Part[] };

/**
 * Where a click on a row, list item or tree item hits the item and not a control in it. Undefined if that is its
 * centre, or nowhere. The first plain text is preferred: toolkits do not expose for every cell what a click does, and
 * an unchecked box looks like an empty cell.
 */
export function plainClickPoint({ bounds, children }: Part): Point | undefined {
  if (!bounds) return undefined;
  const parts = children.flatMap(withDescendants).filter(isShown);
  const controls = parts.filter(isControl);
  const isFree = (point: Point): boolean => contains(bounds, point) && !controls.some((one) => isAt(one, point));
  const textParts = parts.filter((one) => isPlainText(one) && !withDescendants(one).some(isControl));
  const middle = centre(bounds);
  const hasTextlessCell = parts.some((one) => one.role === 'cell' && !textParts.includes(one) && isAt(one, middle));
  if (isFree(middle) && !hasTextlessCell) return undefined;
  const textCentres = textParts.flatMap((one) => {
    const seen = intersect(one.bounds!, bounds);
    return seen ? [centre(seen)] : [];
  });
  const midline = Array.from({ length: STEPS - 1 }, (_, at) => ({
    x: bounds.x + Math.floor((bounds.width * (at + 1)) / STEPS),
    y: middle.y,
  }));
  return textCentres.find(isFree) ?? (isFree(middle) ? undefined : midline.find(isFree));
}

const withDescendants = (part: Part): Part[] => [part, ...part.children.flatMap(withDescendants)];

const isShown = ({ bounds, states }: Part): boolean => bounds !== undefined && states.visible && !states.offscreen;

const isAt = ({ bounds }: Part, point: Point): boolean => bounds !== undefined && contains(bounds, point);

/** A click would press, check or edit it; or it is another item with its own row. */
const isControl = ({ role, states }: Part): boolean =>
  INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role) || (states.checked ?? states.pressed) !== undefined;

const isPlainText = ({ role, name, children }: Part): boolean =>
  (TEXT_ROLES.has(role) && name !== undefined) ||
  (role === 'cell' && (name !== undefined || children.some(isPlainText)));
