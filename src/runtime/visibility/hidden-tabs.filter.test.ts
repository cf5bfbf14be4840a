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

it('empties a background tab that has the title of a hidden window, and keeps the tab itself', () => {
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

it('returns the same tree object when nothing is omitted', () => {
  const front = page('Password', true);
  const tree = node('window', 'Notes', [node('button', 'Show password', [node('text', 'x')]), page('Notes'), front]);
  expect(withoutHiddenTabs(tree, hides)).toBe(tree);
});

it('treats a tab without a name as untitled', () => {
  const { name: _, ...nameless } = page('');
  const request: string[] = [];
  withoutHiddenTabs(nameless, (title) => (request.push(title), false));
  expect(request).toEqual(['']);
});
