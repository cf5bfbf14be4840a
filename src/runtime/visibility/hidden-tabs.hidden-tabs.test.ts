import { expect, it } from 'vitest';
import type { Node } from '../../tree/index.js';
import { withoutHiddenTabs } from './hidden-tabs.js';

const node = (role: string, name: string, children: Node[] = []): Node =>
  ({ id: `${role} ${name}`, role, name, states: {}, children }) as unknown as Node;
const hides = (title: string): boolean => /password/i.test(title);
const names = ({ name, children }: Node): unknown[] => [name, ...children.map(names)];

const page = (name: string, selected = false): Node => ({
  ...node('tab', name, [node('textbox', `text of ${name}`)]),
  states: { selected } as Node['states'],
});

it('leaves out what is in a tab that is called like a hidden window, and the tab itself stays', () => {
  const tree = node('window', 'Notes', [node('tablist', '', [page('Password list'), page('Notes')])]);
  expect(names(withoutHiddenTabs(tree, hides))).toEqual([
    'Notes',
    ['', ['Password list'], ['Notes', ['text of Notes']]],
  ]);
  expect(names(tree)).toEqual([
    'Notes',
    ['', ['Password list', ['text of Password list']], ['Notes', ['text of Notes']]],
  ]);
});

it('is the very same tree where nothing is left out', () => {
  const front = page('Password', true);
  const tree = node('window', 'Notes', [node('button', 'Show password', [node('text', 'x')]), page('Notes'), front]);
  expect(withoutHiddenTabs(tree, hides)).toBe(tree);
});

it('knows a tab without a name by none', () => {
  const { name: _, ...nameless } = page('');
  const request: string[] = [];
  withoutHiddenTabs(nameless, (title) => (request.push(title), false));
  expect(request).toEqual(['']);
});
