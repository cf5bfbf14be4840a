import { describe, expect, test } from 'vitest';
import type { Node, Role } from '../../../tree/index.js';
import { normalise } from './normalise.js';

let next = 0;
function node(role: Role, name?: string, more: Partial<Node> = {}): Node {
  return {
    id: `n${next++}`,
    role,
    ...(name !== undefined && { name }),
    states: { enabled: true, visible: true },
    patterns: [],
    platformIds: {},
    children: [],
    ...more,
  };
}
const within = (role: Role, name: string | undefined, children: Node[]): Node => node(role, name, { children });
const at = (x: number, y: number, name: string): Node =>
  node('button', name, { bounds: { x, y, width: 40, height: 20 } });

describe('buttons', () => {
  test('a nameless button around a button is that button', () => {
    const inner = node('button', 'Save');
    expect(normalise(within('button', undefined, [inner]))).toMatchObject({ id: inner.id, name: 'Save' });
  });

  test('a button with a name of its own stays itself', () => {
    const outer = within('button', 'Menu', [node('button', 'Inner')]);
    expect(normalise(outer)).toMatchObject({ id: outer.id, name: 'Menu' });
  });

  test('of two buttons inside neither is meant', () => {
    const outer = within('button', undefined, [node('button', 'A'), node('button', 'B')]);
    expect(normalise(outer).id).toBe(outer.id);
  });

  test.each<[string, Node, string | undefined]>([
    ['its label', within('button', undefined, [node('label', 'Open')]), 'Open'],
    ['a label further in', within('tab', undefined, [within('group', undefined, [node('label', 'Page 1')])]), 'Page 1'],
    [
      'at most three labels',
      within(
        'button',
        undefined,
        ['a', 'b', 'c', 'd'].map((name) => node('label', name)),
      ),
      'a b c',
    ],
    [
      'no words of a field in it',
      within('button', undefined, [within('textbox', undefined, [node('text', 'typed')])]),
      undefined,
    ],
    ['its own name before any label', within('button', 'Own', [node('label', 'Label')]), 'Own'],
    ['nothing', node('button'), undefined],
  ])('are called after %s', (_, button, name) => expect(normalise(button).name).toBe(name));

  test('a group is not called after the labels in it', () => {
    expect(normalise(within('group', undefined, [node('label', 'Text')])).name).toBeUndefined();
  });
});

test('a combo box shows the value of the label in it, unless it has one', () => {
  expect(normalise(within('combobox', 'Font', [node('label', 'Sans')])).value).toBe('Sans');
  expect(normalise(node('combobox', 'Font', { value: 'Serif', children: [node('label', 'Sans')] })).value).toBe(
    'Serif',
  );
});

const OUT_OF_VIEW = { states: { enabled: true, visible: true, offscreen: true } };
const option = (name: string, selected?: boolean): Node =>
  node('listitem', undefined, {
    children: [within('group', undefined, [node('label', name)])],
    states: { enabled: true, visible: true, ...(selected !== undefined && { selected }) },
  });
const list = (...items: Node[]): Node => within('list', undefined, items);

test.each<[what: string, Node[], string | undefined]>([
  [
    'in a list of one',
    [node('label', 'Angle units'), within('group', undefined, [list(option('Degrees'))])],
    'Degrees',
  ],
  [
    'there also while its options are told',
    [list(option('Degrees')), list(option('Radians', false), option('Gradians', true))],
    'Degrees',
  ],
  ['there also when it is called the same', [list(option('Angle units'))], 'Angle units'],
  ['nowhere, when only its title is told', [node('label', 'Angle units')], undefined],
  ['in the label that is seen', [node('label', '(None)', OUT_OF_VIEW), node('label', '1 minute')], '1 minute'],
  ['in a label that is out of view with it', [node('label', '1 minute', OUT_OF_VIEW)], '1 minute'],
])('what is chosen in a combo box with a title stands %s', (_, children, value) => {
  expect(normalise(within('combobox', 'Angle units', children)).value).toBe(value);
});

test('what a combo box shows as chosen is not among its options', () => {
  const options = list(option('Radians', false), option('Degrees', true));
  const combo = normalise(within('combobox', 'Angle units', [list(option('Degrees')), options]));
  expect(combo.children).toEqual([options]);
});

test('a button is called after the words in it that are seen', () => {
  const labels = [node('label', '(None)', OUT_OF_VIEW), node('label', '1 minute')];
  expect(normalise(within('togglebutton', undefined, labels)).name).toBe('1 minute');
});

describe('labels and fields', () => {
  const pair = (label: string, field: Node): Node => {
    normalise(within('group', undefined, [node('label', label), field]));
    return field;
  };

  test.each([
    ['Name', 'Name', true],
    ['Name:', 'Name', true],
    ['名前：', '名前', true],
    [' Name ', 'Name:', true],
    ['Other', 'Name', false],
  ])('%j before a field called %j: linked %j', (label, name, linked) => {
    expect(pair(label, node('textbox', name)).nameFrom).toBe(linked ? 'label' : undefined);
  });

  test('a label around the field and its text', () => {
    const text = node('text', 'Customer');
    const field = node('textbox', 'Customer');
    normalise(within('group', undefined, [within('label', undefined, [text, field])]));
    expect(field.labelId).toBe(text.id);
  });

  test('a button is not labelled by the text before it', () => {
    expect(pair('Save', node('button', 'Save')).labelId).toBeUndefined();
  });

  test('a label that the app named is kept', () => {
    expect(pair('Name', node('textbox', 'Name', { nameFrom: 'label', labelId: 'other' })).labelId).toBe('other');
  });
});

describe('reading order', () => {
  const names = (group: Node): (string | undefined)[] => normalise(group).children.map((child) => child.name);

  test('a grid of buttons is read row by row, tops that differ a little in one row', () => {
    const keys = [at(100, 52, '6'), at(0, 0, '7'), at(50, 3, '8'), at(0, 50, '4'), at(100, 1, '9'), at(50, 48, '5')];
    expect(names(within('group', undefined, keys))).toEqual(['7', '8', '9', '4', '5', '6']);
  });

  test('what has no place, or holds more, stays as the app says', () => {
    const one = [at(50, 0, 'b'), node('button', 'nowhere'), at(0, 0, 'a'), at(90, 0, 'c')];
    expect(names(within('group', undefined, one))).toEqual(['b', 'nowhere', 'a', 'c']);
    const list = within('list', undefined, [at(50, 0, 'b'), at(0, 0, 'a'), at(90, 0, 'c'), at(20, 0, 'd')]);
    expect(names(list)).toEqual(['b', 'a', 'c', 'd']);
    const deep = at(50, 0, 'b');
    deep.children = [within('list', undefined, [node('listitem', 'x')])];
    expect(names(within('group', undefined, [deep, at(0, 0, 'a'), at(90, 0, 'c'), at(20, 0, 'd')]))).toEqual([
      'b',
      'a',
      'c',
      'd',
    ]);
  });
});
