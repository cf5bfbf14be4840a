import { expect, test } from 'vitest';
import type { Node, Role } from '../../../tree/index.js';
import { FreshDialogs } from './dialogs.js';
import { toolkitFrom } from './toolkit.js';

const node = (id: string, role: Role, children: Node[] = []): Node => ({
  ...{ id, role, children },
  ...{ states: { enabled: true, visible: true }, patterns: [], platformIds: {} },
});
const asks = (id = 'asks'): Node =>
  node(id, 'dialog', [node('field', 'textbox'), node('row', 'group', [node('ok', 'button')])]);
const page = node('page', 'document', [node('own', 'dialog', [node('inside', 'button')])]);
const frame = node('frame', 'window', [node('tools', 'toolbar', [node('back', 'button')]), page, asks()]);
const chromium = toolkitFrom('Chromium', 'app');
const MS = chromium.dialogIgnoresClicksMs;

test('only buttons in a browser dialog ignore clicks, counted from when the dialog was first seen', () => {
  const fresh = new FreshDialogs(chromium);
  fresh.observe(frame, 1_000);
  const all = ['asks', 'field', 'ok', 'back', 'inside', 'page', 'never seen'];
  expect(all.map((id) => fresh.deafFor(id, 1_100))).toEqual([0, 0, MS - 100, 0, 0, 0, 0]);
  fresh.observe(frame, 1_200);
  expect(fresh.deafFor('ok', 1_200)).toBe(MS - 200);
  expect(fresh.deafFor('ok', 1_000 + MS)).toBe(0);
  fresh.observe(frame, 1_000 + MS);
  expect(fresh.deafFor('ok', 1_000 + MS)).toBe(0);
});

test('buttons that appear later ignore clicks until the same time', () => {
  const fresh = new FreshDialogs(chromium);
  fresh.observe(node('frame', 'window', [node('asks', 'dialog')]), 0);
  fresh.observe(frame, 100);
  expect(fresh.deafFor('ok', 100)).toBe(MS - 100);
});

test('applies to a bubble in its own window', () => {
  const fresh = new FreshDialogs(chromium);
  fresh.observe(asks('bubble'), 0);
  expect(fresh.deafFor('ok', 100)).toBe(MS - 100);
});

test('dialogs of other toolkits accept clicks at once', () => {
  const fresh = new FreshDialogs(toolkitFrom('gtk', 'app'));
  fresh.observe(frame, 0);
  expect(fresh.deafFor('ok', 0)).toBe(0);
});

test('drops the oldest dialogs when there are too many', () => {
  const fresh = new FreshDialogs(chromium);
  for (let at = 0; at < 200; at++) fresh.observe(asks(`asks ${at}`), at * 10_000);
  fresh.observe(asks('asks 199'), 199 * 10_000 + MS);
  expect(fresh.deafFor('ok', 199 * 10_000 + MS)).toBe(0);
  fresh.observe(asks('asks 0'), 3e6);
  expect(fresh.deafFor('ok', 3e6)).toBe(MS);
});
