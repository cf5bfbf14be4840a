import { expect, it } from 'vitest';
import type { Effect } from '../decision.js';
import { argumentMatches, REDACTED } from './argument-match.js';

const fits = (folded: string): boolean => /^(x|7|true)$/.test(folded);
const found = (args: object, path: string, decision: Effect = 'allow'): boolean =>
  argumentMatches(args as Record<string, unknown>, path.split('.'), fits, decision);

it.each<[string, object, string, boolean]>([
  ['a text', { a: 'X' }, 'a', true],
  ['a number', { a: 7 }, 'a', true],
  ['yes', { a: true }, 'a', true],
  ['another', { a: 'y' }, 'a', false],
  ['one within', { a: { b: 'x' } }, 'a.b', true],
  ['one above', { a: { b: 'x' } }, 'a', false],
  ['an item of a list', { a: ['y', 'x'] }, 'a', true],
  ['an item within', { a: [{ b: 'y' }, { b: 'x' }] }, 'a.b', true],
  ['the item of a number', { a: ['x', 'y'] }, 'a.0', true],
  ['the item of another number', { a: ['x', 'y'] }, 'a.1', false],
  ['nothing', {}, 'a', false],
  ['nothing within nothing', { a: null }, 'a.b', false],
  ['nothing within a text', { a: 'x' }, 'a.0', false],
  ['null', { a: null }, 'a', false],
  ['what every object has', {}, 'constructor.name', false],
  ['an inherited property', Object.create({ a: 'x' }) as object, 'a', false],
])('%s', (_, args, path, fit) => {
  expect(found(args, path)).toBe(fit);
  expect(found(args, path, 'deny')).toBe(fit);
});

it.each<[string, object, string]>([
  ['a redacted', { a: REDACTED }, 'a'],
  ['part of a redacted', { a: REDACTED }, 'a.b'],
  ['a too long', { a: 'y'.repeat(20_001) }, 'a'],
])('%s argument matches rules that deny or ask, and none that allow', (_, args, path) => {
  expect((['allow', 'ask', 'deny'] as const).map((decision) => found(args, path, decision))).toEqual([
    false,
    true,
    true,
  ]);
});
