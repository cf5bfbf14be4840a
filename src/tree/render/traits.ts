import type { Element } from '../element.js';
import { STRUCTURE_ROLES } from '../roles/kinds.js';
import type { Role } from '../roles/roles.js';

/** Text without a function. Headings are not included: they can be expanded and read. */
const PLAIN: ReadonlySet<Role> = new Set(['caption', 'label', 'mark', 'paragraph', 'text']);
/** Also structure in the printed tree, although the role table does not list it as structure. */
export const LOOSE: ReadonlySet<Role> = new Set<Role>([...STRUCTURE_ROLES, 'application', 'desktop', 'titlebar']);

export function isPlain(element: Element): boolean {
  return PLAIN.has(element.role);
}

/** Must be printed whatever the budget is. */
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

/** Plain text gets a ref only if a caller can do more with it than read it. */
export function refOf(element: Element): string | undefined {
  const { focusable, editable, focused, selected } = element.states;
  if (isPlain(element)) return focusable || editable || focused || selected ? element.ref : undefined;
  return LOOSE.has(element.role) && !element.name && !hasFunction(element) ? undefined : element.ref;
}
