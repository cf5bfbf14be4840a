import { expect, test } from 'vitest';
import { extendChain, MAX_DEPTH, type AncestorChain } from './accessible.js';

const down = (...paths: string[]): AncestorChain =>
  paths.reduce<AncestorChain | undefined>((parent, path) => extendChain(parent, path) as AncestorChain, undefined)!;

test.each<[string, string[], string, 'loop' | 'on']>([
  ['a new one', ['a', 'b'], 'c', 'on'],
  ['the parent again', ['a', 'b'], 'b', 'loop'],
  ['an ancestor', ['a', 'b', 'c'], 'a', 'loop'],
  ['part of the same path', ['/1', '/12'], '/123', 'on'],
])('%s', (_, above, path, expected) => {
  const step = extendChain(down(...above), path);
  expect(typeof step === 'string' ? step : 'on').toBe(expected);
});

test('siblings may be listed twice: only what is above counts', () => {
  const parent = down('a', 'b');
  expect(extendChain(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
  expect(extendChain(parent, 'c')).toMatchObject({ path: 'c', depth: 2 });
});

test('there is an end', () => {
  const paths = Array.from({ length: MAX_DEPTH + 1 }, (_, i) => `/${i}`);
  const deepest = down(...paths);
  expect(deepest.depth).toBe(MAX_DEPTH);
  expect(extendChain(deepest, 'one more')).toBe('tooDeep');
});
