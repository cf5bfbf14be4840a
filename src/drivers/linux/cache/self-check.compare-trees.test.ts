import { expect, test } from 'vitest';
import type { Node } from '../../../tree/index.js';
import { compareTrees } from './self-check.js';

const button: Node = {
  id: 'b',
  role: 'button',
  name: 'Save',
  bounds: { x: 10, y: 10, width: 50, height: 20 },
  states: { enabled: true, visible: true },
  patterns: [],
  platformIds: {},
  children: [],
};
const window = (child: Partial<Node> | undefined, active = true): Node => ({
  ...button,
  id: 'w',
  role: 'window',
  name: 'Main',
  states: { enabled: true, visible: true, active },
  children: child ? [{ ...button, ...child }] : [],
});
const on = { enabled: true, visible: true };

test.each<[what: string, remembered: Node, fresh: Node, found: string[]]>([
  ['nothing', window({}), window({}), []],
  ['a name', window({ name: 'Save' }), window({ name: 'Send' }), ['children', 'name']],
  ['a value', window({ value: 'a' }), window({ value: 'b' }), ['value']],
  ['a state', window({ states: { ...on, checked: true } }), window({ states: { ...on, checked: false } }), ['states']],
  ['a child', window({}), window(undefined), ['children']],
  ['another object', window({ id: 'b' }), window({ id: 'c' }), ['id']],
  ['a place', window({}), window({ bounds: { x: 13, y: 10, width: 50, height: 20 } }), ['bounds']],
  ['ignores a difference of two pixels', window({}), window({ bounds: { x: 12, y: 10, width: 50, height: 20 } }), []],
  ['ignores elements that are off-screen', off({ name: 'a' }), off({ name: 'b' }), []],
  ['the focus', window({ states: { ...on, focused: true } }), window({}), ['states']],
  [
    'ignores the focus in an inactive window',
    window({ states: { ...on, focused: true } }, false),
    window({}, false),
    [],
  ],
  [
    'ignores a progress value',
    window({ role: 'progressbar', value: 1 }),
    window({ role: 'progressbar', value: 2 }),
    [],
  ],
])('%s', (_, remembered, fresh, found) => {
  expect(compareTrees(remembered, fresh).map(({ what }) => what)).toEqual(found);
});

function off(child: Partial<Node>): Node {
  return window({ ...child, value: child.name, states: { ...on, offscreen: true } });
}
