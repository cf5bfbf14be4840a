import { expect, test } from 'vitest';
import { acceptedFully } from './typed-text.js';

/** `|` is the caret; two of them enclose the selection. */
test.each<[string, string, string, string, boolean]>([
  ['inserted at the end', 'aba|', 'aba', 'abaaba', true],
  ['a full field', 'aba|', 'aba', 'ababa', false],
  ['a field that takes nothing', 'aba|', 'aba', 'aba', false],
  ['one letter does not fit', 'aaaa|', 'aa', 'aaaaa', false],
  ['inserted at the beginning', '|aba', 'ab', 'ababa', true],
  ['replaces the selection', 'a|bcd|e', 'xy', 'axye', true],
  ['replaces a selection of the same text', '|abc|', 'abc', 'abc', true],
  ['overwrite mode', '|abcd', 'xy', 'xycd', true],
  ['overwrite mode past the end', 'ab|c', 'xy', 'abxy', true],
  ['replaces a placeholder', 'Search here|', 'ab', 'ab', true],
  ['completed by the app', 'a|', 'b', 'abc', true],
  ['a different text', '|', 'abc', 'ab', false],
  ['characters of two UTF-16 units', '😀|', '😀', '😀', false],
])('%s', (_, before, part, now, expected) => {
  const [first = '', second = '', third] = before.split('|');
  const start = [...first].length;
  const end = third === undefined ? start : start + [...second].length;
  expect(acceptedFully(part, { text: first + second + (third ?? ''), start, end }, now)).toBe(expected);
});
