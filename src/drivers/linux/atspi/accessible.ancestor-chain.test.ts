import { expect, test } from 'vitest';
import { extendChain, MAX_DEPTH, type AncestorChain } from './accessible.js';

const down = (...paths: string[]): AncestorChain =>
  paths.reduce<AncestorChain | undefined>((parent, path) => extendChain(parent, path) as AncestorChain, undefined)!;

test.each<[string, string[], string, 'loop' | 'on']>([
  ['a new element', ['a', 'b'], 'c', 'on'],
  ['the parent again', ['a', 'b'], 'b', 'loop'],
  ['an ancestor', ['a', 'b', 'c'], 'a', 'loop'],
  ['a path that only starts the same', ['/1', '/12'], '/123', 'on'],
])('%s', (_, above, path, expected) => {
  const step = extendChain(down(...above), path);
  expect(typeof step === 'string' ? step : 'on').toBe(expected);
});

test('allows siblings to be listed twice: only ancestors count', () => {
  const parent = down('a', 'b');
  expect(extendChain(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
  expect(extendChain(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
});

test('stops at the maximum depth', () => {
  const paths = Array.from({ length: MAX_DEPTH + 1 }, (_, i) => `/${i}`);
  const deepest = down(...paths);
  expect(deepest.depth).toBe(MAX_DEPTH);
  expect(extendChain(deepest, 'one more')).toBe('tooDeep');
});
