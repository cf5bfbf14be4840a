import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellAddress, columnLetters, columnNumber, parseCellAddress } from './cell-address.js';

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

it.each([
  ['B7', { row: 7, column: 2 }],
  ['$B$7', { row: 7, column: 2 }],
  ['b7', { row: 7, column: 2 }],
  [' XFD1048576 ', { row: 1_048_576, column: 16_384 }],
  ['A0', undefined],
  ['A01', undefined],
  ['7B', undefined],
  ['B', undefined],
  ['', undefined],
  ['B7:C9', undefined],
  ['ABCD1', undefined],
  ['A12345678', undefined],
  ['Ä1', undefined],
])('%j is %j', (text, position) => expect(parseCellAddress(text)).toEqual(position));

it('every cell of a sheet has a unique address', () => {
  const row = fc.integer({ min: 1, max: 1_048_576 });
  const column = fc.integer({ min: 1, max: 16_384 });
  fc.assert(
    fc.property(row, column, (r, c) => {
      expect(parseCellAddress(cellAddress(r, c))).toEqual({ row: r, column: c });
    }),
  );
});
