import { describe, expect, test } from 'vitest';
import type { Box, Node, Role } from '../../../tree/index.js';
import { isNamedByContent, normalise } from './normalise.js';

const box = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 });

function node(role: Role, name?: string, children: Node[] = [], more: Partial<Node> = {}): Node {
  const id = `${role} ${name ?? ''}`;
  const states = { enabled: true, visible: true, ...more.states };
  return { id, role, ...(name && { name }), patterns: [], platformIds: {}, children, ...more, states };
}

/** Role, name and children in short form. */
const shape = ({ role, name, children }: Node): unknown =>
  children.length > 0 ? [role, name ?? '', ...children.map(shape)] : [role, name ?? ''];

const focused = { states: { enabled: true, visible: true, focused: true } };

describe('removing wrapper boxes', () => {
  const cases: [what: string, before: Node, after: unknown][] = [
    ['names a button by its label', node('button', undefined, [node('label', '7')]), ['button', '7', ['label', '7']]],
    [
      'names a button by its image if it has no text',
      node('button', undefined, [node('image', 'Blue')]),
      ['button', 'Blue', ['image', 'Blue']],
    ],
    [
      'replaces a wrapper by the button in it',
      node('button', undefined, [node('button', 'Basic')]),
      ['button', 'Basic'],
    ],
    [
      "replaces a wrapper with an open menu by the button and ignores the menu's text",
      node('button', undefined, [node('button', 'Menu'), node('menu', undefined, [node('menuitem', 'Quit')])]),
      ['button', 'Menu', ['menu', '', ['menuitem', 'Quit']]],
    ],
    [
      'removes an underscore that only marks a mnemonic',
      node('tab', 'Page _1', [node('label', 'Page 1')]),
      ['tab', 'Page 1', ['label', 'Page 1']],
    ],
    [
      'keeps an underscore that is displayed',
      node('tab', 'my_file', [node('label', 'my_file')]),
      ['tab', 'my_file', ['label', 'my_file']],
    ],
    [
      'replaces the tab of a hidden strip by its page',
      node('tablist', undefined, [node('tab', undefined, [node('textbox', 'Text')])]),
      ['group', '', ['textbox', 'Text']],
    ],
    [
      'keeps visible tabs',
      node('tablist', undefined, [node('tab', undefined, [], { bounds: box(0, 0) })]),
      ['tablist', '', ['tab', '']],
    ],
    [
      'removes empty boxes from a text area',
      node('textbox', 'Notes', [node('group', undefined, [], focused)]),
      ['textbox', 'Notes'],
    ],
    [
      'removes the arrow button of a combo box',
      node('combobox', undefined, [node('group', undefined, [node('textbox'), node('togglebutton')])]),
      ['combobox', '', ['textbox', '']],
    ],
    [
      'replaces a toolbar with a single tool by the tool',
      node('group', 'Side', [node('toolbar', 'Styles', [node('group', undefined, [node('togglebutton', 'Styles')])])]),
      ['group', 'Side', ['togglebutton', 'Styles']],
    ],
    [
      'keeps a toolbar whose tool has another name',
      node('group', 'Side', [node('toolbar', 'Standard', [node('button', 'Save')])]),
      ['group', 'Side', ['toolbar', 'Standard', ['button', 'Save']]],
    ],
    [
      'removes the name of a box that names the field in it',
      node('group', 'Font', [node('group', undefined, [node('textbox', 'Font')])]),
      ['group', '', ['group', '', ['textbox', 'Font']]],
    ],
    [
      'sorts controls in reading order',
      node('group', undefined, [
        node('button', 'c', [], { bounds: box(0, 20) }),
        node('button', 'b', [], { bounds: box(20, 1) }),
        node('button', 'a', [], { bounds: box(0, 0) }),
      ]),
      ['group', '', ['button', 'a'], ['button', 'b'], ['button', 'c']],
    ],
  ];

  test.each(cases)('%s', (_what, before, after) => {
    expect(shape(normalise(before))).toEqual(after);
  });

  test('keeps the focus only on the inner element', () => {
    const pane = normalise(node('group', undefined, [node('textbox', 'Text', [], focused)], focused));
    expect(pane.states.focused).toBeUndefined();
    expect(pane.children[0]!.states.focused).toBe(true);
    expect(normalise(node('group', undefined, [node('textbox')], focused)).states.focused).toBe(true);
  });

  test('an open menu makes its button expanded', () => {
    const button = normalise(node('button', undefined, [node('button', 'Menu'), node('menu')]));
    expect(button.states.expanded).toBe(true);
  });

  const inside: [Node, boolean][] = [
    [node('button'), true],
    [node('button', 'Save'), false],
    [node('tab', 'Page _1'), true],
    [node('combobox', 'Size', [], { value: '12' }), false],
    [node('combobox', 'Size'), true],
    [node('textbox'), false],
  ];

  test.each(inside)('%o is named by its content: %s', (one, expected) => {
    expect(isNamedByContent(one)).toBe(expected);
  });
});
