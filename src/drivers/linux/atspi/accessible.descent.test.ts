import { expect, test } from 'vitest';
import { descend, MAX_DEPTH, type Descent } from './accessible.js';

const down = (...paths: string[]): Descent =>
  paths.reduce<Descent | undefined>((up, path) => descend(up, path) as Descent, undefined)!;

test.each<[string, string[], string, 'loop' | 'on']>([
  ['a new one', ['a', 'b'], 'c', 'on'],
  ['the parent again', ['a', 'b'], 'b', 'loop'],
  ['an ancestor', ['a', 'b', 'c'], 'a', 'loop'],
  ['part of the same path', ['/1', '/12'], '/123', 'on'],
])('%s', (_, above, path, expected) => {
  const step = descend(down(...above), path);
  expect(typeof step === 'string' ? step : 'on').toBe(expected);
});

test('siblings may be listed twice: only what is above counts', () => {
  const parent = down('a', 'b');
  expect(descend(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
  expect(descend(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
});

test('there is an end', () => {
  const paths = Array.from({ length: MAX_DEPTH + 1 }, (_, i) => `/${i}`);
  const deepest = down(...paths);
  expect(deepest.depth).toBe(MAX_DEPTH);
  expect(descend(deepest, 'one more')).toBe('too deep');
});
