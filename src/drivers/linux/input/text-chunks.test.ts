import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ENTER, TAB } from './keysyms.js';
import { chunkFor, chunksOf, lettersOf } from './text-chunks.js';

describe('letters of a text', () => {
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
  ])('%j', (text, expected) => expect(lettersOf(text).map(({ keysym, length }) => [keysym, length])).toEqual(expected));

  test.each([['\0'], ['a\b'], ['\u001b'], ['\u0085'], ['\ud800'], ['\n\0']])('%j is refused', (text) => {
    expect(() => lettersOf(text)).toThrow(/which no keyboard can type/);
  });

  test('lengths add up to the code points', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\t', '日', '😀', '\u0301') });
    fc.assert(
      fc.property(text, (value) => {
        expect(lettersOf(value).reduce((sum, { length }) => sum + length, 0)).toBe([...value].length);
      }),
    );
  });
});

describe('chunks', () => {
  test('lose nothing, and none has more than 32', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u0301', '👩', '\u200d', '🏽'), maxLength: 200 });
    fc.assert(
      fc.property(text, (value) => {
        const chunks = chunksOf(lettersOf(value));
        expect(chunks.flat()).toEqual(lettersOf(value));
        for (const { length } of chunks) expect(length > 0 && length <= 32).toBe(true);
      }),
    );
  });

  test.each<[string, number]>([
    ['marks stay with their letter', 31],
    ['a'.repeat(33), 32],
  ])('%s', (name, first) => {
    const text = name.startsWith('a') ? name : `${'a'.repeat(31)}e\u0301`;
    expect(chunksOf(lettersOf(text))[0]).toHaveLength(first);
  });

  test('what joins faces joins chunks', () => {
    expect(chunksOf(lettersOf(`${'a'.repeat(30)}👩\u200d💻`)).map(({ length }) => length)).toEqual([30, 3]);
  });

  test('a letter with too many marks is cut all the same', () => {
    expect(chunksOf(lettersOf(`a${'\u0301'.repeat(50)}`)).map(({ length }) => length)).toEqual([32, 19]);
  });
});

test('with pauses one looks at least four times a second, and before each letter where that is no loss', () => {
  expect([0, 5, 10, 19, 20, 2000].map(chunkFor)).toEqual([32, 32, 25, 13, 1, 1]);
  const letters = lettersOf('abe\u0301\u0302c');
  expect(chunksOf(letters, 1).map(({ length }) => length)).toEqual([1, 1, 3, 1]);
  expect(chunksOf(letters, 4).map(({ length }) => length)).toEqual([2, 4]);
});
