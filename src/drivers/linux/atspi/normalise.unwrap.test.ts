import { describe, expect, test } from 'vitest';
import type { Box, Node, Role } from '../../../tree/index.js';
import { isNamedByContent, normalise } from './normalise.js';

const box = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 });

function node(role: Role, name?: string, children: Node[] = [], more: Partial<Node> = {}): Node {
  const id = `${role} ${name ?? ''}`;
  const states = { enabled: true, visible: true, ...more.states };
  return { id, role, ...(name && { name }), patterns: [], platformIds: {}, children, ...more, states };
}

/** Role, name and children, as short as can be. */
const shape = ({ role, name, children }: Node): unknown =>
  children.length > 0 ? [role, name ?? '', ...children.map(shape)] : [role, name ?? ''];

const focused = { states: { enabled: true, visible: true, focused: true } };

describe('boxes that nobody sees', () => {
  const cases: [what: string, before: Node, after: unknown][] = [
    [
      'a button is named by its label',
      node('button', undefined, [node('label', '7')]),
      ['button', '7', ['label', '7']],
    ],
    [
      'a button is named by its picture where it has no words',
      node('button', undefined, [node('image', 'Blue')]),
      ['button', 'Blue', ['image', 'Blue']],
    ],
    ['a wrapper is the button in it', node('button', undefined, [node('button', 'Basic')]), ['button', 'Basic']],
    [
      'a wrapper with its open menu is the button, not the words of the menu',
      node('button', undefined, [node('button', 'Menu'), node('menu', undefined, [node('menuitem', 'Quit')])]),
      ['button', 'Menu', ['menu', '', ['menuitem', 'Quit']]],
    ],
    [
      'an underscore that only marks a key is none',
      node('tab', 'Page _1', [node('label', 'Page 1')]),
      ['tab', 'Page 1', ['label', 'Page 1']],
    ],
    [
      'an underscore that is seen stays',
      node('tab', 'my_file', [node('label', 'my_file')]),
      ['tab', 'my_file', ['label', 'my_file']],
    ],
    [
      'the tab of a hidden strip is not told, what is on it is',
      node('tablist', undefined, [node('tab', undefined, [node('textbox', 'Text')])]),
      ['group', '', ['textbox', 'Text']],
    ],
    [
      'tabs that are seen stay',
      node('tablist', undefined, [node('tab', undefined, [], { bounds: box(0, 0) })]),
      ['tablist', '', ['tab', '']],
    ],
    [
      'a text area has no hollow box in it',
      node('textbox', 'Notes', [node('group', undefined, [], focused)]),
      ['textbox', 'Notes'],
    ],
    [
      'the arrow of a combo box is the combo box',
      node('combobox', undefined, [node('group', undefined, [node('textbox'), node('togglebutton')])]),
      ['combobox', '', ['textbox', '']],
    ],
    [
      'a tool bar for a single tool is that tool',
      node('group', 'Side', [node('toolbar', 'Styles', [node('group', undefined, [node('togglebutton', 'Styles')])])]),
      ['group', 'Side', ['togglebutton', 'Styles']],
    ],
    [
      'a tool bar for another tool stays',
      node('group', 'Side', [node('toolbar', 'Standard', [node('button', 'Save')])]),
      ['group', 'Side', ['toolbar', 'Standard', ['button', 'Save']]],
    ],
    [
      'the box that named its field is not told again',
      node('group', 'Font', [node('group', undefined, [node('textbox', 'Font')])]),
      ['group', '', ['group', '', ['textbox', 'Font']]],
    ],
    [
      'controls come in reading order',
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

  test('of a box and the element in it, one has the focus', () => {
    const pane = normalise(node('group', undefined, [node('textbox', 'Text', [], focused)], focused));
    expect(pane.states.focused).toBeUndefined();
    expect(pane.children[0]!.states.focused).toBe(true);
    expect(normalise(node('group', undefined, [node('textbox')], focused)).states.focused).toBe(true);
  });

  test('a menu that is open makes its button expanded', () => {
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

  test.each(inside)('%o is named from inside: %s', (one, expected) => {
    expect(isNamedByContent(one)).toBe(expected);
  });
});
