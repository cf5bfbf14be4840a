import { expect, test } from 'vitest';
import {
  INTERACTIVE_ROLES,
  isInteractive,
  ITEM_ROLES,
  ROLE_KINDS,
  roleIsA,
  STRUCTURE_ROLES,
  TEXT_ROLES,
  ROLES,
  type Role,
} from './roles.js';

test.each<[Role, Role, boolean]>([
  ['button', 'button', true],
  ['togglebutton', 'button', true],
  ['menubutton', 'button', true],
  ['button', 'togglebutton', false],
  ['passwordbox', 'textbox', true],
  ['searchbox', 'textbox', true],
  ['menuitemradio', 'menuitem', true],
  ['switch', 'checkbox', true],
  ['dialog', 'window', true],
  ['alertdialog', 'window', true],
  ['alertdialog', 'dialog', true],
  ['window', 'dialog', false],
  ['listbox', 'list', true],
  ['option', 'listitem', true],
  ['treegrid', 'table', true],
  ['label', 'text', true],
  ['text', 'label', false],
  ['radio', 'checkbox', false],
])('%s is a %s: %s', (role, kind, expected) => {
  expect(roleIsA(role, kind)).toBe(expected);
});

test('kinds are closed: a kind of a kind is listed at the top too', () => {
  for (const kind of ROLES)
    for (const inner of ROLE_KINDS[kind] ?? [])
      for (const innermost of ROLE_KINDS[inner] ?? [])
        expect(roleIsA(innermost, kind), `${innermost} ${kind}`).toBe(true);
});

test('a role is at most one of: control, text, structure', () => {
  for (const role of ROLES) {
    const groups = [INTERACTIVE_ROLES, TEXT_ROLES, STRUCTURE_ROLES].filter((group) => group.has(role));
    expect(groups.length, role).toBeLessThanOrEqual(1);
  }
});

test('recycled roles are items; menu items and tabs are not', () => {
  expect([...ITEM_ROLES].sort()).toEqual(['listitem', 'option', 'row', 'treeitem']);
});

test.each<[string, Parameters<typeof isInteractive>[0], boolean]>([
  ['a button', { role: 'button', states: {}, patterns: [] }, true],
  ['a label', { role: 'label', states: { focusable: true }, patterns: ['invoke'] }, false],
  ['a row of a plain table', { role: 'row', states: {}, patterns: [] }, false],
  ['a row that can be selected', { role: 'row', states: { selected: false }, patterns: [] }, true],
  ['a list item that can be invoked', { role: 'listitem', states: {}, patterns: ['invoke'] }, true],
  ['a cell that can be focused', { role: 'cell', states: { focusable: true }, patterns: [] }, true],
])('%s', (_what, element, expected) => {
  expect(isInteractive(element)).toBe(expected);
});
