import { expect, it } from 'vitest';
import { diffSnapshots, type Element, type Snapshot, type States } from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import { explainedByTyping } from './typed-text.js';

const el = (ref: string, role: Element['role'], more: object = {}, children: Element[] = []): Element => ({
  ...{ ref, id: ref, role, children, patterns: [], platformIds: {} },
  ...more,
  states: { visible: true, enabled: true, ...(more as { states?: Partial<States> }).states },
});
const field = (value: string): Element => el('e1', 'textbox', { name: 'Name', value });
const button = (enabled: boolean): Element => el('e2', 'button', { name: 'Send', states: { enabled } });
const row = el('e3', 'listitem', { name: 'Ann' });
const snapshotOf = (id: string, title: string, children: Element[]): Snapshot =>
  ({
    id,
    scope: 'window',
    windows: [{ ref: 'w1', id: 'w1', title, role: 'window' }],
    roots: [el('w1', 'window', { name: title }, children)],
  }) as unknown as Snapshot;
const target = { element: field(''), window: { ref: 'w1' }, path: [] } as unknown as Target;

it.each<[what: string, title: string, now: Element[], linesTyped: number, only: boolean]>([
  ['the text in its field', 'T', [field('Ann'), button(false)], 0, true],
  ['a title with a star', '*T', [field('Ann'), button(false)], 0, true],
  ['a button that can be used now', 'T', [field('Ann'), button(true)], 0, true],
  ['lines that were typed', 'T', [field('Ann\nLee'), button(false)], 1, true],
  ['one line more than was typed', 'T', [field('Ann\n'), button(false)], 0, false],
  ['a new row', 'T', [field('Ann'), button(false), row], 0, false],
  ['something gone', 'T', [field('Ann')], 0, false],
])('decides whether typing alone explains the change before Enter: %s', (_what, title, now, linesTyped, only) => {
  const { changes } = diffSnapshots(snapshotOf('s1', 'T', [field(''), button(false)]), snapshotOf('s2', title, now));
  expect(changes).not.toEqual([]);
  expect(explainedByTyping(changes, target, linesTyped)).toBe(only);
});
