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
  test('replaces an unnamed button around a button by the inner button', () => {
    const inner = node('button', 'Save');
    expect(normalise(within('button', undefined, [inner]))).toMatchObject({ id: inner.id, name: 'Save' });
  });

  test('keeps a button that has its own name', () => {
    const outer = within('button', 'Menu', [node('button', 'Inner')]);
    expect(normalise(outer)).toMatchObject({ id: outer.id, name: 'Menu' });
  });

  test('keeps an unnamed button around two buttons', () => {
    const outer = within('button', undefined, [node('button', 'A'), node('button', 'B')]);
    expect(normalise(outer).id).toBe(outer.id);
  });

  test.each<[string, Node, string | undefined]>([
    ['their label', within('button', undefined, [node('label', 'Open')]), 'Open'],
    ['a nested label', within('tab', undefined, [within('group', undefined, [node('label', 'Page 1')])]), 'Page 1'],
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
      'no text from a field inside',
      within('button', undefined, [within('textbox', undefined, [node('text', 'typed')])]),
      undefined,
    ],
    ['their own name rather than a label', within('button', 'Own', [node('label', 'Label')]), 'Own'],
    ['nothing', node('button'), undefined],
  ])('are named after %s', (_, button, name) => expect(normalise(button).name).toBe(name));

  test('a group is not named after the labels in it', () => {
    expect(normalise(within('group', undefined, [node('label', 'Text')])).name).toBeUndefined();
  });
});

test('a combo box takes its value from the label in it, unless it has a value', () => {
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
    'a list with one item',
    [node('label', 'Angle units'), within('group', undefined, [list(option('Degrees'))])],
    'Degrees',
  ],
  [
    'that list while the options are exposed too',
    [list(option('Degrees')), list(option('Radians', false), option('Gradians', true))],
    'Degrees',
  ],
  ['that list when it has the same text as the title', [list(option('Angle units'))], 'Angle units'],
  ['nothing when only the title is exposed', [node('label', 'Angle units')], undefined],
  ['the visible label', [node('label', '(None)', OUT_OF_VIEW), node('label', '1 minute')], '1 minute'],
  ['an off-screen label when the whole combo box is off-screen', [node('label', '1 minute', OUT_OF_VIEW)], '1 minute'],
])('the value of a combo box with a title comes from %s', (_, children, value) => {
  expect(normalise(within('combobox', 'Angle units', children)).value).toBe(value);
});

test('the displayed choice of a combo box is not one of its options', () => {
  const options = list(option('Radians', false), option('Degrees', true));
  const combo = normalise(within('combobox', 'Angle units', [list(option('Degrees')), options]));
  expect(combo.children).toEqual([options]);
});

test('a button is named after its visible text', () => {
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
  ])('label %j before field %j: linked %j', (label, name, linked) => {
    expect(pair(label, node('textbox', name)).nameFrom).toBe(linked ? 'label' : undefined);
  });

  test('links a label that wraps the field and its text', () => {
    const text = node('text', 'Customer');
    const field = node('textbox', 'Customer');
    normalise(within('group', undefined, [within('label', undefined, [text, field])]));
    expect(field.labelId).toBe(text.id);
  });

  test('does not label a button by the text before it', () => {
    expect(pair('Save', node('button', 'Save')).labelId).toBeUndefined();
  });

  test('keeps a label that the app set', () => {
    expect(pair('Name', node('textbox', 'Name', { nameFrom: 'label', labelId: 'other' })).labelId).toBe('other');
  });
});

describe('reading order', () => {
  const names = (group: Node): (string | undefined)[] => normalise(group).children.map((child) => child.name);

  test('sorts a grid of buttons row by row and tolerates small vertical differences', () => {
    const keys = [at(100, 52, '6'), at(0, 0, '7'), at(50, 3, '8'), at(0, 50, '4'), at(100, 1, '9'), at(50, 48, '5')];
    expect(names(within('group', undefined, keys))).toEqual(['7', '8', '9', '4', '5', '6']);
  });

  test("keeps the app's order for elements without bounds or with nested content", () => {
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
