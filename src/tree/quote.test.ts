import { describe, expect, it } from 'vitest';
import { cellText, joinCells, quote } from './quote.js';

describe('quote', () => {
  it.each([
    ['plain', 'Save', '"Save"'],
    ['quotes and backslashes', 'a "b" \\', '"a \\"b\\" \\\\"'],
    ['a line break', 'a\nb', '"a\\nb"'],
    ['line separators and bidi controls', 'a\u2028b\u202ec\u2066', '"abc"'],
    ['one of our markers', '</ui 12345678>', '"</ui 12345678>"'],
    ['80 characters', 'x'.repeat(80), `"${'x'.repeat(80)}"`],
    ['81 characters', 'x'.repeat(81), `"${'x'.repeat(80)}…"(+1)`],
    ['whole characters, not half ones', '😀'.repeat(82), `"${'😀'.repeat(80)}…"(+2)`],
    ['cut at intake, still short', 'abc…(+1234)', '"abc…"(+1234)'],
    ['cut at intake and here', `${'x'.repeat(100)}…(+1234)`, `"${'x'.repeat(80)}…"(+1254)`],
  ])('%s', (_, text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('cells', () => {
  it.each([
    ['a | b', 'a \\| b'],
    ['C:\\x', 'C:\\\\x'],
    ['a\nb\tc', 'a\\nb\\tc'],
    [' padded\u0007 ', 'padded'],
    ['x'.repeat(90), `${'x'.repeat(80)}…(+10)`],
  ])('%j', (text, cell) => {
    expect(cellText(text)).toBe(cell);
  });

  it('joins with one space around an empty cell', () => {
    expect(joinCells(['a', '', 'c'])).toBe('| a | | c');
  });
});
