import type { Role } from '../../tree/index.js';
import type { Target } from '../find-target.js';

/** What opens them does nothing else, in every toolkit that was measured. */
const OPENING: ReadonlySet<Role> = new Set(['combobox', 'togglebutton', 'treeitem']);
/** They are opened by a key. */
const ROWS: ReadonlySet<Role> = new Set(['cell', 'listitem', 'row']);

/**
 * To expand or collapse it is no more than that. Everything else is clicked for it, and does what it is for: a page says
 * of any control that it can be expanded, and hears a click.
 */
export function opensOnly({ element, path }: Pick<Target, 'element' | 'path'>): boolean {
  const { role, states, children, unread = 0 } = element;
  // Where the way to it is not known it may lead through a page.
  if (path.length === 0 || path.some((one) => one.role === 'document')) return false;
  // What takes no focus is clicked before the key.
  if (ROWS.has(role)) return states.focusable === true;
  // An item without a menu of its own is chosen.
  if (role === 'menuitem') return states.expanded !== undefined || children.length + unread > 0;
  return OPENING.has(role);
}
