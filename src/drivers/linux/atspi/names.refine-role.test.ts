import { expect, test } from 'vitest';
import type { Role } from '../../../tree/index.js';
import { refineRole } from './names.js';

test.each([
  ['a menu in a menu bar is an entry', 'menu', 'menubar', 'File', 3, 'menuitem'],
  ['a menu in a menu too', 'menu', 'menu', 'Recent', 3, 'menuitem'],
  ['a menu in an entry too', 'menu', 'menuitem', 'Recent', 3, 'menuitem'],
  ['but not the menu itself, which has no name', 'menu', 'menuitem', '', 3, 'menu'],
  ['nor a menu on its own', 'menu', 'window', 'Popup', 3, 'menu'],
  ['a split pane is the box around both halves', 'splitter', 'window', '', 2, 'group'],
  ['a handle between them stays one', 'splitter', 'group', '', 0, 'splitter'],
  ['a frame inside a window is a box', 'window', 'group', 'Details', 2, 'group'],
  ['a window of an app is one', 'window', 'application', 'Mousepad', 2, 'window'],
  ['a window of the desktop is one', 'window', 'desktop', 'Panel', 2, 'window'],
  ['anything else is what it says', 'button', 'menubar', 'Save', 0, 'button'],
] as [string, Role, Role, string, number, Role][])('%s', (_, role, parent, name, children, refined) =>
  expect(refineRole(role, parent, name, children)).toBe(refined),
);
