import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { parseRange, type Range } from './ui-read.js';

const GOOD: [string, Range][] = [
  ['rows 15-60', { kind: 'rows', rows: [15, 60] }],
  ['15-60', { kind: 'rows', rows: [15, 60] }],
  [' 7 ', { kind: 'rows', rows: [7, 7] }],
  ['items 4 - 12', { kind: 'rows', rows: [4, 12] }],
  ['row 3', { kind: 'rows', rows: [3, 3] }],
  ['A1:D40', { kind: 'cells', rows: [1, 40], columns: [1, 4] }],
  ['cells aa2', { kind: 'cells', rows: [2, 2], columns: [27, 27] }],
  ["'My sheet'!B7", { kind: 'cells', rows: [7, 7], columns: [2, 2], sheet: 'My sheet' }],
  ['Sheet1!B7:C8', { kind: 'cells', rows: [7, 8], columns: [2, 3], sheet: 'Sheet1' }],
  ['characters 0-5000', { kind: 'characters', start: 0, end: 5000 }],
  ['characters 300', { kind: 'characters', start: 0, end: 300 }],
];

const BAD = [
  '',
  'all',
  '60-15',
  '0-5',
  'rows',
  'D4:A1',
  'A0',
  '1-99999999999',
  'characters 9-2',
  '-4',
  'A1:',
  '1;2',
  'é1',
];

describe('a range', () => {
  it.each(GOOD)('%s', (text, range) => expect(parseRange(text)).toEqual(range));

  it.each(BAD)('refuses %j with one sentence and a hint', (text) => {
    try {
      parseRange(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DesktopError);
      expect(error).toMatchObject({ code: 'bad_arguments', hint: expect.stringContaining('rows 15-60') as string });
    }
  });
});
