import { centre, contains, INTERACTIVE_ROLES, isInteractive, type Element } from '../../tree/index.js';
import type { Target } from '../find-target.js';

/** They move the mouse or the view, and press nothing. */
const TOUCHING: ReadonlySet<string> = new Set(['hover', 'move', 'scroll', 'scroll_into_view']);
/** Only what takes no focus by itself is clicked for it, unless it is a control; and a field keeps the click. */
const FOCUSING: ReadonlySet<string> = new Set(['focus', 'key', 'set_value', 'type']);

/**
 * The controls that a press on it presses, too. A picture or a word in a button is the button: those that it is in
 * count, those that lie on its click point, and those that it, or what lies there, is the label of.
 */
export function pressedWith(verb: string, target: Target): Target[] {
  const { element, path } = target;
  if (TOUCHING.has(verb) || (FOCUSING.has(verb) && takesFocus(element))) return [];
  const around = path.flatMap((one, at) => (isInteractive(one) ? [as(target, one, path.slice(0, at))] : []));
  const inWindow = walk(path[0] ?? element, []);
  const ids = new Set([...path, element].map(({ id }) => id));
  const met = new Set(inWindow.filter(({ one, above }) => isMet(one, above, element)).map(({ one }) => one.id));
  const others = inWindow.filter(
    ({ one }) => !ids.has(one.id) && isInteractive(one) && (names(one, ids) || met.has(one.id) || names(one, met)),
  );
  return [...around, ...others.map(({ one, above }) => as(target, one, above))];
}

/** Otherwise it gets the focus by nothing but a click. */
export const takesFocus = ({ role, states }: Element): boolean =>
  INTERACTIVE_ROLES.has(role) || states.focusable === true;

const as = (target: Target, element: Element, path: Element[]): Target => ({ ...target, element, path });

const names = ({ labelId }: Element, ids: ReadonlySet<string>): boolean => labelId !== undefined && ids.has(labelId);

/** Inside of it, where the mouse would press it. */
function isMet({ bounds, states }: Element, above: Element[], { id, ...target }: Element): boolean {
  const at = target.clickPoint ?? (target.bounds && centre(target.bounds));
  if (!at || !bounds || !states.visible || states.offscreen) return false;
  return contains(bounds, at) && above.some((one) => one.id === id);
}

function walk(one: Element, above: Element[]): { one: Element; above: Element[] }[] {
  const below = [...above, one];
  return [{ one, above }, ...one.children.flatMap((child) => walk(child, below))];
}
