import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LinearRegex, patternFault } from './linear-regex.js';

describe('LinearRegex', () => {
  test.each([
    ['a(?=b)', 'uses lookahead, lookbehind'],
    ['(?<!a)b', 'uses lookahead, lookbehind'],
    ['(?<name>a)', 'a named group'],
    ['(a)\\1', 'refers back'],
    ['(', 'is not a regular expression'],
    ['a{3', 'is not a regular expression'],
    ['a{999}', 'repeats more than 256 times'],
    ['a{1,999}', 'repeats more than 256 times'],
    ['(((a{200}){200}){200}){200}', 'is too large'],
  ])('refuses %s', (pattern, what) => {
    expect(() => new LinearRegex(pattern)).toThrow(
      expect.objectContaining({ code: 'bad_arguments', message: expect.stringContaining(what) as string }),
    );
    expect(patternFault(pattern)?.what).toContain(what);
    expect(patternFault(pattern)?.hint).toMatch(/^[IU].*[.]$/);
  });

  test('does not report an internal error as a fault of the pattern', () => {
    expect(() => patternFault(undefined as never)).toThrow(TypeError);
  });

  test('reports no fault for a usable pattern', () => expect(patternFault('TKT-[0-9]{6}')).toBeUndefined());

  test.each([
    ['a*', 'baab', [[1, 3]]],
    ['a|ab|c', 'abc', [[0, 3]]],
    ['a.c', 'a\nc abc', [[4, 7]]],
    ['^a', 'aa', [[0, 1]]],
    ['a$', 'aa', [[1, 2]]],
    [
      '\\ba\\b',
      'a ab ba a',
      [
        [0, 1],
        [8, 9],
      ],
    ],
    ['\\Ba', 'a ba', [[3, 4]]],
    ['(?:ab){2}', 'ababx', [[0, 4]]],
    [
      'a{2,}',
      'a aa aaa',
      [
        [2, 4],
        [5, 8],
      ],
    ],
    ['a{2,3}?', 'aa', [[0, 2]]],
    ['\\p{Lu}[^x]', 'xÄy', [[1, 3]]],
    ['😀+', 'x😀😀', [[1, 5]]],
    ['[\\]a]', 'b]', [[1, 2]]],
    ['\\u{1F600}|\\x41|\\u0042', 'AB😀', [[0, 4]]],
    ['()', 'abc', []],
  ] as const)('%s in %j', (pattern, text, spans) => expect(new LinearRegex(pattern).spans(text)).toEqual(spans));

  test('finds every match that the engine finds', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '\\b', '\\w', 'é', '^', '$', '[^a]');
    const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'))
          .map(([one, many]) => `(?:${one})${many}`),
      ),
    }));
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const covered = coverOf(new LinearRegex(pattern).spans(text));
        expect(covered).toEqual(naiveCover(pattern, text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('no pattern hangs on any text', () => {
    for (const pattern of ['(a+)+$', '(a|a)*b', '(a*)*c', '(.*.*.*.*)x', '\\w+\\w+\\w+!']) {
      expect(new LinearRegex(pattern).spans('a'.repeat(20_000)).length).toBeLessThan(2);
    }
  });
});

function coverOf(spans: readonly (readonly [number, number])[]): number[] {
  return spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at));
}

/** Every part of the text that the whole pattern matches, found by testing each part. */
function naiveCover(pattern: string, text: string): number[] {
  const cover = new Set<number>();
  for (let start = 0; start < text.length; start++) {
    for (let end = start + 1; end <= text.length; end++) {
      const exact = new RegExp(`(?<=^[^]{${start}})(?:${pattern})(?=[^]{${text.length - end}}$)`, 'u');
      const found = exact.exec(text);
      if (found?.index === start && found[0].length === end - start)
        coverOf([[start, end]]).forEach((at) => cover.add(at));
    }
  }
  return [...cover].sort((one, other) => one - other);
}
