import { describe, expect, it } from 'vitest';
import { readWmClass, decodeCompoundText, readNumbers, readText } from './property.js';

const ATOMS = { UTF8_STRING: 300, COMPOUND_TEXT: 301 };
const property = (type: number, data: Buffer | string, format = 8) => ({
  type,
  format,
  bytesAfter: 0,
  data: Buffer.from(data as string),
});

describe('textOf', () => {
  it.each([
    ['UTF-8', property(300, 'héllo 日本 😀'), 'héllo 日本 😀'],
    ['Latin-1', property(31, Buffer.from('h\xe9llo', 'latin1')), 'héllo'],
    ['compound', property(301, Buffer.from('h\xe9llo', 'latin1')), 'héllo'],
    ['broken UTF-8', property(300, Buffer.from([0x61, 0xff, 0x62])), 'a\uFFFDb'],
    ['ends at a zero', property(300, 'abc\0def'), 'abc'],
    ['empty', property(300, ''), ''],
    ['not set', property(0, '', 0), undefined],
    ['not text', property(6, Buffer.alloc(4), 32), undefined],
    ['window gone', undefined, undefined],
  ])('%s', (_, value, expected) => {
    expect(readText(value, ATOMS)).toBe(expected);
  });
});

describe('numbersOf', () => {
  it.each([
    ['list', property(33, Buffer.from([1, 0, 0, 0, 7, 0, 0xa0, 0x81]), 32), [1, 0x81a00007]],
    ['ignores incomplete trailing bytes', property(33, Buffer.from([1, 0, 0, 0, 9, 9]), 32), [1]],
    ['a property of bytes is not a list', property(33, Buffer.from([1, 2, 3, 4]), 8), []],
    ['not set', undefined, []],
  ])('%s', (_, value, expected) => {
    expect(readNumbers(value)).toEqual(expected);
  });
});

describe('classOf', () => {
  it.each([
    ['Navigator\0firefox\0', { instance: 'Navigator', name: 'firefox' }],
    ['only', { instance: 'only', name: '' }],
    ['', undefined],
  ])('%j', (data, expected) => {
    expect(readWmClass(property(31, data))).toEqual(expected);
  });
});

describe('decodeCompoundText', () => {
  const bytes = (...parts: (string | number[])[]): Buffer =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
  it.each([
    ['ASCII and Latin-1', bytes('caf\xe9'), 'café'],
    ['a UTF-8 part', bytes('a \x1b%G', [0xe6, 0x97, 0xa5], '\x1b%@ b'), 'a 日 b'],
    ['Greek right half', bytes('\x1b-F', [0xc1, 0xe2]), 'Αβ'],
    ['Japanese left half', bytes('\x1b$(B', [0x46, 0x7c, 0x4b, 0x5c], '\x1b(B!'), '日本!'],
    ['Chinese right half', bytes('\x1b$)A', [0xd6, 0xd0]), '中'],
    ['Korean right half', bytes('\x1b$)C', [0xc7, 0xd1]), '한'],
    ['an extended segment', bytes('x\x1b%/1', [0x80, 0x80 + 12], 'iso-8859-5\x02', [0xd0], 'y'), 'xаy'],
    ['an unknown set becomes U+FFFD, not wrong letters', bytes('\x1b-z', [0xc1], '\x1b-A', [0xe9]), '\uFFFDé'],
    ['cut off in an escape', bytes('abc\x1b$('), 'abc'],
    ['cut off in a segment', bytes('abc\x1b%/1', [0x81]), 'abc'],
  ])('%s', (_, input, expected) => {
    expect(decodeCompoundText(input)).toBe(expected);
  });
});
