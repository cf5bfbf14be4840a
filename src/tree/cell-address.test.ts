import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnLetters, columnNumber } from './cell-address.js';

it.each([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [52, 'AZ'],
  [53, 'BA'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [1_024, 'AMJ'],
  [16_384, 'XFD'],
])('column %i is %s', (column, letters) => {
  expect(columnLetters(column)).toBe(letters);
  expect(columnNumber(letters)).toBe(column);
  expect(columnNumber(letters.toLowerCase())).toBe(column);
});

it('converts every column there and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (column) => {
      expect(columnNumber(columnLetters(column))).toBe(column);
    }),
  );
});

it('has no letters for numbers below 1', () => {
  expect([columnLetters(0), columnLetters(-3)]).toEqual(['', '']);
});
