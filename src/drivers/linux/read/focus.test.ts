import { expect, test } from 'vitest';
import type { Node, Role } from '../../../tree/index.js';
import { withOneFocus } from './focus.js';

function node(id: string, role: Role, focused: boolean, children: Node[] = []): Node {
  return { id, role, states: { enabled: true, visible: true, ...(focused && { focused }) }, children };
}

function focusedIn({ id, states, children }: Node): string[] {
  return [...(states.focused ? [id] : []), ...children.flatMap(focusedIn)];
}

const paragraph = node(':1 /paragraph', 'paragraph', true);
const field = node(':1 /field', 'textbox', true);
const window = node(':1 /window', 'window', false, [
  node(':1 /document', 'document', true, [paragraph]),
  node(':1 /toolbar', 'toolbar', true, [field]),
]);

test.each<[string, Record<string, number>, string[]]>([
  ['the one that reported it last', { [paragraph.id]: 1, [field.id]: 2 }, [':1 /toolbar', field.id]],
  ['the one that did not report its loss', { [paragraph.id]: -3 }, [':1 /toolbar', field.id]],
  ['the first one if none has reported anything', {}, [':1 /document', paragraph.id]],
])('of several focused elements keeps %s', (_, reported, expected) => {
  expect(focusedIn(withOneFocus(window, (id) => reported[id] ?? 0))).toEqual(expected);
  expect(focusedIn(window)).toHaveLength(4);
});

test('does not change a tree with one focused element', () => {
  const root = node(':1 /window', 'window', false, [node(':1 /group', 'group', true, [field])]);
  expect(withOneFocus(root, () => -1)).toBe(root);
});
