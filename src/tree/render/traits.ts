import type { Element } from '../element.js';
import { STRUCTURE_ROLES } from '../roles/kinds.js';
import type { Role } from '../roles/roles.js';

/** Words without a function. A heading is not among them: it can be opened and read. */
const PLAIN: ReadonlySet<Role> = new Set(['caption', 'label', 'mark', 'paragraph', 'text']);
/** Structure in an app's look that no role table calls structure. */
export const LOOSE: ReadonlySet<Role> = new Set<Role>([...STRUCTURE_ROLES, 'application', 'desktop', 'titlebar']);

export function isPlain(element: Element): boolean {
  return PLAIN.has(element.role);
}

/** What must stay whatever the budget is. */
export function mustStay(element: Element): boolean {
  const { focused, selected, invalid, modal } = element.states;
  return focused === true || selected === true || invalid === true || modal === true;
}

export function isShown(element: Element, { full, unseen }: { full?: boolean; unseen?: boolean }): boolean {
  const { visible, offscreen, focused } = element.states;
  return full === true || focused === true || (visible && (offscreen !== true || unseen === true));
}

export function hasFunction(element: Element): boolean {
  const { focused, expanded, selected, checked, invalid } = element.states;
  if (focused || selected || invalid || expanded !== undefined || checked !== undefined) return true;
  return element.patterns.includes('invoke') || element.error !== undefined;
}

/** Plain words get a ref only if one can do more with them than look. */
export function refOf(element: Element): string | undefined {
  const { focusable, editable, focused, selected } = element.states;
  if (isPlain(element)) return focusable || editable || focused || selected ? element.ref : undefined;
  return LOOSE.has(element.role) && !element.name && !hasFunction(element) ? undefined : element.ref;
}
