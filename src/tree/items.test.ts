import { describe, expect, test } from 'vitest';
import type { Node } from './element.js';
import { itemText } from './items.js';
import type { Role } from './roles/roles.js';

function node(role: Role, name?: string, children: Node[] = [], more: Partial<Node> = {}): Node {
  return {
    id: `${role}/${name}`,
    role,
    name,
    states: { enabled: true, visible: true },
    patterns: [],
    platformIds: {},
    children,
    ...more,
  };
}
const hidden = { states: { enabled: true, visible: false } };
const offscreen = { states: { enabled: true, visible: true, offscreen: true } };

describe('the text of an item', () => {
  test.each<[string, Node, string]>([
    ['its own name', node('listitem', 'Inbox'), 'Inbox'],
    ['its own name and labels', node('listitem', 'Inbox', [node('label', '3 unread')]), 'Inbox | 3 unread'],
    ['a label that repeats the name counts once', node('listitem', 'Inbox', [node('label', 'Inbox')]), 'Inbox'],
    ['cells', node('row', undefined, [node('cell', '1004'), node('cell', 'Ada')]), '1004 | Ada'],
    ['values of cells', node('row', undefined, [node('cell', undefined, [], { value: 12.5 })]), '12.5'],
    [
      'text deep inside',
      node('row', undefined, [node('cell', undefined, [node('group', undefined, [node('text', 'Ada')])])]),
      'Ada',
    ],
    [
      'images, links and headings',
      node('listitem', '', [node('image', 'Photo'), node('heading', 'H'), node('link', 'More')]),
      'Photo | H | More',
    ],
    [
      'not controls',
      node('row', undefined, [node('cell', 'Ada'), node('button', 'Follow', [node('text', 'Follow')])]),
      'Ada',
    ],
    [
      'not typed text',
      node('row', undefined, [
        node('cell', 'Ada'),
        node('textbox', undefined, [node('text', 'typed')], { value: 'typed' }),
      ]),
      'Ada',
    ],
    [
      'controls if there is nothing else',
      node('listitem', undefined, [node('button', 'Ada', [node('text', 'Ada')])]),
      'Ada',
    ],
    [
      'never typed text, not even then',
      node('listitem', undefined, [node('textbox', 'Note', [node('text', 'typed')], { value: 'typed' })]),
      'Note',
    ],
    [
      'not the items inside',
      node('treeitem', 'src', [node('group', undefined, [node('treeitem', 'index.ts')])]),
      'src',
    ],
    [
      'not the text of items inside',
      node('listitem', 'Ada', [node('list', '', [node('listitem', '', [node('label', 'x')])])]),
      'Ada',
    ],
    ['not hidden elements', node('row', undefined, [node('cell', 'Ada'), node('text', 'hidden', [], hidden)]), 'Ada'],
    [
      'not off-screen elements, like a default snapshot',
      node('row', undefined, [node('cell', 'Ada'), node('cell', 'far', [], offscreen)]),
      'Ada',
    ],
    [
      'everything of an item that is off screen',
      node('row', undefined, [node('cell', 'Ada', [], offscreen)], offscreen),
      'Ada',
    ],
    [
      'a check mark in a cell is a state',
      node('row', undefined, [
        node('cell', 'Ada'),
        node('cell', undefined, [], { value: 1, states: { enabled: true, visible: true, checked: true } }),
      ]),
      'Ada',
    ],
    ['nothing', node('listitem'), ''],
  ])('%s', (_what, item, expected) => {
    expect(itemText(item)).toBe(expected);
  });

  test('do not depend on selection, focus or check marks', () => {
    const rowWith = (more: object): Node =>
      node(
        'row',
        'r',
        [node('checkbox', undefined, [], { states: { enabled: true, visible: true, ...more } }), node('cell', 'Ada')],
        {
          states: { enabled: true, visible: true, ...more },
        },
      );
    expect(itemText(rowWith({ selected: true, focused: true, checked: true }))).toBe(
      itemText(rowWith({ checked: false })),
    );
  });
});
