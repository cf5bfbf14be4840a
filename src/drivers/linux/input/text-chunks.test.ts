import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTER, TAB } from './keysyms.js';
import { chunkSizeFor, splitIntoChunks, textToKeys } from './text-chunks.js';

describe('keys of a text', () => {
  test.each<[string, [number, number][]]>([
    [
      'aé',
      [
        [0x61, 1],
        [0xe9, 1],
      ],
    ],
    [
      '€😀',
      [
        [0x010020ac, 1],
        [0x0101f600, 1],
      ],
    ],
    [
      'a\nb',
      [
        [0x61, 1],
        [ENTER, 1],
        [0x62, 1],
      ],
    ],
    [
      'a\r\nb',
      [
        [0x61, 1],
        [ENTER, 2],
        [0x62, 1],
      ],
    ],
    [
      '\r\r\n\n',
      [
        [ENTER, 1],
        [ENTER, 2],
        [ENTER, 1],
      ],
    ],
    ['\t', [[TAB, 1]]],
    ['', []],
  ])('%j', (text, expected) =>
    expect(textToKeys(text).map(({ keysym, length }) => [keysym, length])).toEqual(expected),
  );

  test.each([['\0'], ['a\b'], ['\u001b'], ['\u0085'], ['\ud800'], ['\n\0']])('rejects %j', (text) => {
    expect(() => textToKeys(text)).toThrow(/which no keyboard can type/);
  });

  test('the lengths add up to the number of code points', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\t', '日', '😀', '\u0301') });
    fc.assert(
      fc.property(text, (value) => {
        expect(textToKeys(value).reduce((sum, { length }) => sum + length, 0)).toBe([...value].length);
      }),
    );
  });
});

describe('chunks', () => {
  test('chunks contain every key, and at most 32 each', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u0301', '👩', '\u200d', '🏽'), maxLength: 200 });
    fc.assert(
      fc.property(text, (value) => {
        const chunks = splitIntoChunks(textToKeys(value));
        expect(chunks.flat()).toEqual(textToKeys(value));
        for (const { length } of chunks) expect(length > 0 && length <= 32).toBe(true);
      }),
    );
  });

  test.each<[string, number]>([
    ['marks stay with their letter', 31],
    ['a'.repeat(33), 32],
  ])('%s', (name, first) => {
    const text = name.startsWith('a') ? name : `${'a'.repeat(31)}e\u0301`;
    expect(splitIntoChunks(textToKeys(text))[0]).toHaveLength(first);
  });

  test('a zero-width joiner keeps emoji in one chunk', () => {
    expect(splitIntoChunks(textToKeys(`${'a'.repeat(30)}👩\u200d💻`)).map(({ length }) => length)).toEqual([30, 3]);
  });

  test('a letter with too many marks is still split', () => {
    expect(splitIntoChunks(textToKeys(`a${'\u0301'.repeat(50)}`)).map(({ length }) => length)).toEqual([32, 19]);
  });
});

test('checks at least four times a second when typing with a delay, and before each key from 20 ms on', () => {
  expect([0, 5, 10, 19, 20, 2000].map(chunkSizeFor)).toEqual([32, 32, 25, 13, 1, 1]);
  const keys = textToKeys('abe\u0301\u0302c');
  expect(splitIntoChunks(keys, 1).map(({ length }) => length)).toEqual([1, 1, 3, 1]);
  expect(splitIntoChunks(keys, 4).map(({ length }) => length)).toEqual([2, 4]);
});
