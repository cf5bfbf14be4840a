import { expect, test } from 'vitest';
import { parseRef } from './ref-record.js';

test.each<[string, string | undefined]>([
  ['e12', 'e12'],
  ['@e12', 'e12'],
  ['@12', 'e12'],
  [' e12 ', 'e12'],
  ['w2', 'w2'],
  ['12', undefined],
  ['e', undefined],
  ['@', undefined],
  ['e0', undefined],
  ['e012', undefined],
  ['e12x', undefined],
  ['E12', undefined],
  ['@w2', undefined],
  ['e1 2', undefined],
  ['e-1', undefined],
  ['e１', undefined],
  ['e9999999999999999999', undefined],
  ['', undefined],
])('%j is %s', (text, expected) => {
  expect(parseRef(text)).toBe(expected);
});
