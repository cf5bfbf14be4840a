// @module-tag safety

import { expect, it } from 'vitest';
import type { Node, Role } from '../../../tree/index.js';
import { focusPath } from './focus.js';

const node = (id: string, role: Role, focused: boolean, children: Node[] = []): Node => ({
  ...{ id, role, patterns: [], platformIds: {}, children },
  states: { enabled: true, visible: true, ...(focused && { focused: true }) },
});
const found = (root: Node, isQt: boolean, last?: string): string | undefined =>
  focusPath(root, isQt, (id) => id === last)?.at(-1)?.id;

const list = (id: string): Node => node(`list ${id}`, 'list', false, [node(id, 'listitem', true)]);
const form = (...children: Node[]): Node => node('form', 'window', false, children);

it.each<[what: string, root: Node, last: string | undefined, focus: string | undefined]>([
  ['a button after a list', form(list('a'), node('send', 'button', true)), undefined, 'send'],
  ['a button after a list, reported late', form(list('a'), node('send', 'button', true)), 'a', 'send'],
  ['the only list', form(list('a'), node('send', 'button', false)), undefined, 'a'],
  ['the list that was reported last', form(list('a'), list('b')), 'b', 'b'],
  ['one of two lists, not reported', form(list('a'), list('b')), undefined, undefined],
  ['a group with a list in it', form(node('group', 'checkbox', true, [list('a')])), undefined, 'group'],
  [
    'a field in a table cell',
    form(list('a'), node('cell', 'cell', true, [node('editor', 'textbox', true)])),
    undefined,
    'editor',
  ],
  ['nothing', form(node('send', 'button', false)), undefined, undefined],
])('in Qt, where each list has a focused item: %s', (_, root, last, focus) => {
  expect(found(root, true, last)).toBe(focus);
});

it('elsewhere takes the innermost element, and of several the one that was reported last', () => {
  const nested = form(node('tree', 'tree', true, [node('row', 'treeitem', true)]), node('send', 'button', false));
  expect(found(nested, false)).toBe('row');
  expect(found(form(node('a', 'button', true), node('b', 'button', true)), false, 'b')).toBe('b');
  expect(found(form(node('a', 'button', true), node('b', 'button', true)), false)).toBe('a');
});
