import { expect, it } from 'vitest';
import { elementOf, targetOf } from '../../../tests/scenes/aims.js';
import type { Element } from '../../tree/index.js';
import { opensOnly } from './triggered-controls.js';

const page = [elementOf({ role: 'window' }), elementOf({ role: 'document' }), elementOf({ role: 'group' })];
const states = { visible: true, enabled: true, expanded: false };

it.each<[string, Partial<Element>, boolean]>([
  ['a row of a tree', { role: 'treeitem' }, true],
  ['a combo box', { role: 'combobox' }, true],
  ['an expander', { role: 'togglebutton', states }, true],
  ['a row that takes the focus', { role: 'row', states: { ...states, focusable: true } }, true],
  ['a row that is clicked for it', { role: 'row', states }, false],
  ['a cell that is clicked for it', { role: 'cell', states }, false],
  ['a menu that is open, by the items in its middle', { role: 'menu' }, false],
  ['an item with a menu of its own', { role: 'menuitem', children: [elementOf({ role: 'menu' })] }, true],
  ['an item with one that is closed', { role: 'menuitem', unread: 9 }, true],
  ['an item that says that it opens', { role: 'menuitem', states }, true],
  ['an item', { role: 'menuitem' }, false],
  ['a button', { role: 'button', states }, false],
  ['a link', { role: 'link', states }, false],
  ['a button with a menu, which may also do something else', { role: 'menubutton', states }, false],
  ['a tab', { role: 'tab', states }, false],
  ['a check box', { role: 'checkbox', states }, false],
  ['a group', { role: 'group', states }, false],
])('%s', (_, element, opens) => {
  const target = targetOf(element);
  expect(opensOnly({ ...target, path: page.slice(0, 1) })).toBe(opens);
  expect(opensOnly({ ...target, path: [] })).toBe(false);
  // On a page all of them are what their author made of them.
  expect(opensOnly({ ...target, path: page })).toBe(false);
});
