import { expect, test } from 'vitest';
import type { Role } from '../../../tree/index.js';
import { refineRole } from './names.js';

test.each([
  ['a named menu in a menu bar is a menu item', 'menu', 'menubar', 'File', 3, 'menuitem'],
  ['a named menu in a menu is a menu item', 'menu', 'menu', 'Recent', 3, 'menuitem'],
  ['a named menu in a menu item is a menu item', 'menu', 'menuitem', 'Recent', 3, 'menuitem'],
  ['a menu without a name stays a menu', 'menu', 'menuitem', '', 3, 'menu'],
  ['a menu outside of menus stays a menu', 'menu', 'window', 'Popup', 3, 'menu'],
  ['a split pane is the group around both halves', 'splitter', 'window', '', 2, 'group'],
  ['a handle between the halves stays a splitter', 'splitter', 'group', '', 0, 'splitter'],
  ['a frame inside a window is a group', 'window', 'group', 'Details', 2, 'group'],
  ['a window of an app stays a window', 'window', 'application', 'Mousepad', 2, 'window'],
  ['a window of the desktop stays a window', 'window', 'desktop', 'Panel', 2, 'window'],
  ['any other role stays', 'button', 'menubar', 'Save', 0, 'button'],
] as [string, Role, Role, string, number, Role][])('%s', (_, role, parent, name, children, refined) =>
  expect(refineRole(role, parent, name, children)).toBe(refined),
);
