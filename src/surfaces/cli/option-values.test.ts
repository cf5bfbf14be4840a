import { describe, expect, it } from 'vitest';
import { parseMonitors, parseSize } from './option-values.js';

describe('parseSize', () => {
  it.each([
    ['1280x800', { width: 1280, height: 800 }],
    [' 320X200 ', { width: 320, height: 200 }],
    ['7680×4320', { width: 7680, height: 4320 }],
  ])('%s', (text, size) => expect(parseSize(text)).toEqual(size));

  it.each(['', 'big', '1280', '1280x', '-1x5', '0x0', '319x800', '99999x99999', '1e3x800', '1280x800x24'])(
    'refuses %j',
    (text) => {
      expect(() => parseSize(text)).toThrow(/size is|not possible/);
    },
  );
});

describe('parseMonitors', () => {
  it.each(['0', '3', 'two', ''])('refuses %j', (text) => expect(() => parseMonitors(text)).toThrow(/1 or 2/));
  it('takes 1 and 2', () => expect([parseMonitors('1'), parseMonitors('2')]).toEqual([1, 2]));
});
