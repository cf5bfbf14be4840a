import type { Role } from '../../../tree/index.js';

/**
 * AT-SPI says "menu" for an entry of a menu bar that opens one, "frame" for a box inside a window, and "split pane"
 * for the box around both halves.
 */
export function refineRole(role: Role, parent: Role, name: string, childCount: number): Role {
  if (role === 'splitter' && childCount > 0) return 'group';
  if (role === 'menu' && name !== '' && (parent === 'menubar' || parent === 'menu' || parent === 'menuitem')) {
    return 'menuitem';
  }
  if (role === 'window' && parent !== 'application' && parent !== 'desktop') return 'group';
  return role;
}

/** Where GTK 4 gives a class for a name, the class tells more than the role. */
const GTK4_CLASSES: Readonly<Record<string, Role>> = { GtkSwitch: 'switch', GtkToggleButton: 'togglebutton' };

export function roleOfClass(role: Role, rawName: string): Role {
  return role === 'button' || role === 'checkbox' ? (GTK4_CLASSES[rawName.trim()] ?? role) : role;
}
