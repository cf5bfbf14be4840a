import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compileGlob, compilePrefixGlob, foldText } from './glob.js';

test.each<[pattern: string, head: string, fits: string]>([
  ['*Delete*', 'Del', 'maybe'],
  ['*Delete*', 'Please delete this', 'yes'],
  ['*Delete', 'Please delete', 'maybe'],
  ['Delete*', 'Delete all', 'yes'],
  ['Delete*', 'Del', 'maybe'],
  ['Delete*', 'Remove', 'no'],
  ['D?lete*', 'Dxl', 'maybe'],
  ['D?lete*', 'Dlet', 'no'],
  ['Delete', 'Delet', 'maybe'],
  ['Delete', 'Delete all', 'no'],
  ['Cafe\u0301', 'Cafe', 'maybe'],
  ['*', 'a', 'yes'],
])('%j on a text that starts with %j: %s', (pattern, head, fits) => {
  expect(compilePrefixGlob(pattern)(foldText(head))).toBe(fits);
});

/** For a text that is not folded yet. */
const matchesGlob = (text: string, pattern: string): boolean => compileGlob(pattern)(foldText(text));

describe('matchesGlob', () => {
  test.each<[pattern: string, text: string, fits: boolean]>([
    ['Send', 'Send', true],
    ['Send', 'send', true],
    ['SEND', 'Send', true],
    ['Send', 'Sender', false],
    ['Send', 'Re-Send', false],
    ['Send*', 'Send later', true],
    ['*Send', 'Re-Send', true],
    ['*send*', 'Do not SEND this', true],
    ['*', '', true],
    ['*', 'anything', true],
    ['**', 'anything', true],
    ['?', '', false],
    ['?', 'a', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a*bc*c', 'abc', false],
    ['*a?a*', 'xxabaxx', true],
    ['*a?a', 'aaba', true],
    ['*?b', 'b', false],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['\\?', '?', true],
    ['\\?', 'x', false],
    ['\\\\', '\\', true],
    ['C:\\\\Windows\\\\*', 'c:\\windows\\cmd.exe', true],
    ['a\\', 'a\\', true],
    ['*/firefox', '/usr/lib/firefox/firefox', true],
    ['/usr/bin/*', '/usr/bin/sub/x', true],
    ['[ab]', 'a', false],
    ['(a|b)+', '(a|b)+', true],
    ['.*', 'abc', false],
    ['Save As', 'Save   As', true],
    ['Save As', 'Save\u00a0\tAs', true],
    ['Save', ' Save ', true],
    [' Save ', 'Save', true],
    ['Save * As', 'Save As', false],
    ['Delete', 'Del\u200bete', true],
    ['Delete', 'Del\u200dete', true],
    ['Delete', 'Del\u00adete', true],
    ['Delete', 'D\u202eelete', true],
    ['Delete', 'Ｄｅｌｅｔｅ', true],
    ['Ｄｅｌｅｔｅ', 'delete', true],
    ['Del\u200bete', 'Delete', true],
    ['file', 'ﬁle', true],
    ['＊', 'anything', false],
    ['＊', '*', true],
    ['überweisen', 'U\u0308BERWEISEN', true],
    ['straße', 'STRASSE', false],
    ['Delete', 'D\u0435lete', false], // Cyrillic: look-alikes of other scripts are not caught
  ])('%s on %j: %s', (pattern, text, fits) => expect(matchesGlob(text, pattern)).toBe(fits));
});

/** Reference implementation with a regular expression. */
function asRegex(pattern: string): RegExp {
  const escaped = [...pattern].map((c) =>
    c === '*' ? '.*' : c === '?' ? '.' : c.replace(/[.\\+^${}()|[\]]/g, '\\$&'),
  );
  return new RegExp(`^${escaped.join('')}$`, 'su');
}

it('matches the same texts as an equivalent regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 12 });
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '😀'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(letters, patterns, (text, pattern) => {
      expect(matchesGlob(text, pattern)).toBe(asRegex(pattern).test(text));
    }),
    { numRuns: 2_000 },
  );
});

it('is not slow on a hostile pattern', () => {
  const text = 'a'.repeat(20_000);
  expect(matchesGlob(text, `${'*a'.repeat(100)}*b`)).toBe(false);
  expect(matchesGlob(text, `*${'a?'.repeat(100)}b`)).toBe(false);
});

it('folding is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const once = foldText(text);
      expect(foldText(once)).toBe(once);
    }),
    { numRuns: 1_000 },
  );
});
