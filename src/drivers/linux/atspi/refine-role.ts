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
