import { describe, expect, it } from 'vitest';
import { parseMonitors, parseSize, parseTimeout, parseWholeNumber } from './option-values.js';

describe('parseSize', () => {
  it.each([
    ['1280x800', { width: 1280, height: 800 }],
    [' 320X200 ', { width: 320, height: 200 }],
    ['7680×4320', { width: 7680, height: 4320 }],
  ])('%s', (text, size) => expect(parseSize(text)).toEqual(size));

  it.each(['', 'big', '1280', '1280x', '-1x5', '0x0', '319x800', '99999x99999', '1e3x800', '1280x800x24'])(
    'refuses %j',
    (text) => {
      expect(() => parseSize(text)).toThrow(/size must be|cannot have the size/);
    },
  );
});

describe('parseMonitors', () => {
  it.each(['0', '3', 'two', ''])('refuses %j', (text) => expect(() => parseMonitors(text)).toThrow(/1 or 2/));
  it('accepts 1 and 2', () => expect([parseMonitors('1'), parseMonitors('2')]).toEqual([1, 2]));
});

describe('parseTimeout', () => {
  it.each([
    ['1', 1],
    [' 15000 ', 15_000],
    ['600000', 600_000],
  ])('accepts %j', (text, ms) => expect(parseTimeout(text)).toBe(ms));

  it.each(['', '0', '-1', '600001', '1e3', '5s', 'NaN', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => parseTimeout(text)).toThrow(/milliseconds from 1 to 600000/);
  });
});

describe('parseWholeNumber', () => {
  it.each([
    ['1', 1],
    ['999999999', 999_999_999],
  ])('%s', (text, number) => expect(parseWholeNumber(text)).toBe(number));

  it.each(['', '0', '-1', '1.5', '1e3', '01', '1234567890', 'ten'])('refuses %j', (text) => {
    expect(() => parseWholeNumber(text)).toThrow(/whole number from 1/);
  });
});
