import { expect, test } from 'vitest';
import { acceptedFully } from './typed-text.js';

/** `|` is the caret; two of them are around what is selected. */
test.each<[string, string, string, string, boolean]>([
  ['at the end', 'aba|', 'aba', 'abaaba', true],
  ['a field that is full', 'aba|', 'aba', 'ababa', false],
  ['a field that takes nothing', 'aba|', 'aba', 'aba', false],
  ['one letter too many', 'aaaa|', 'aa', 'aaaaa', false],
  ['at the beginning', '|aba', 'ab', 'ababa', true],
  ['in place of what is selected', 'a|bcd|e', 'xy', 'axye', true],
  ['the same in place of itself', '|abc|', 'abc', 'abc', true],
  ['over what was there', '|abcd', 'xy', 'xycd', true],
  ['over the end', 'ab|c', 'xy', 'abxy', true],
  ['in place of a hint', 'Search here|', 'ab', 'ab', true],
  ['completed by the app', 'a|', 'b', 'abc', true],
  ['something else', '|', 'abc', 'ab', false],
  ['signs of two units', '😀|', '😀', '😀', false],
])('%s', (_, before, part, now, expected) => {
  const [first = '', second = '', third] = before.split('|');
  const start = [...first].length;
  const end = third === undefined ? start : start + [...second].length;
  expect(acceptedFully(part, { text: first + second + (third ?? ''), start, end }, now)).toBe(expected);
});
