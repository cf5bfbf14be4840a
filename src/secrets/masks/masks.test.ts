import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Masks, type MaskSetting } from './masks.js';
import { OnePass } from './one-pass.js';

const TICKET = { name: 'ticket', pattern: 'TKT-[0-9]{6}' };
const ALL: readonly MaskSetting[] = ['email', 'ssn', 'card', TICKET];

describe('masks', () => {
  test.each([
    ['write to ann.o-b+x@mail.example.co.uk, now', 'write to ‹masked:email›, now'],
    ['<jörg@bücher.de>', '<‹masked:email›>'],
    ['nobody@nowhere and @home', 'nobody@nowhere and @home'],
    ['123-45-6789', '‹masked:ssn›'],
    ['SSN 123 45 6789.', 'SSN ‹masked:ssn›.'],
    ['123-45 6789', '123-45 6789'],
    ['000-45-6789 666-45-6789 900-45-6789 123-00-6789 123-45-0000'.replaceAll(' ', ', '), undefined],
    ['1123-45-6789 123-45-67890', undefined],
    ['4111111111111111', '‹masked:card›'],
    ['card 4111 1111 1111 1111 12/27', 'card ‹masked:card› 12/27'],
    ['card 5500-0000-0000-0004', 'card ‹masked:card›'],
    ['3782 822463 10005 and 6011000990139424', '‹masked:card› and ‹masked:card›'],
    ['4111 1111 1111 1111 555', '‹masked:card› 555'],
    ['41 11 11 11 11 11 11 11', undefined],
    ['4111111111111112', undefined],
    ['1111111111111117', undefined],
    ['411111111111', undefined],
    ['400000000002', undefined],
    ['41111111111111111115', undefined],
    ['12 4111111111111111', '12 ‹masked:card›'],
    ['see TKT-123456, not TKT-12345', 'see ‹masked:ticket›, not TKT-12345'],
    ['a b c', undefined],
    ['', undefined],
    ['‹masked:123-45-6789›', '‹masked:‹masked:ssn››'],
  ])('%s', (text, masked) => {
    const masks = new Masks(ALL);
    const once = masks.redact(text);
    expect(once).toBe(masked ?? text);
    expect(masks.redact(once)).toBe(once);
    expect(masks.redact(text)).toBe(once);
  });

  test('none leave everything', () => expect(new Masks([]).redact('a@b.cd')).toBe('a@b.cd'));

  test('what a mark of ours says is not masked again', () => {
    const masks = new Masks([
      { name: 'masked', pattern: 'mask' },
      { name: 'x', pattern: '[a-z]+' },
    ]);
    const once = masks.redact('a mask 1');
    expect(once).toBe('‹masked:x› ‹masked:masked› 1');
    expect(masks.redact(once)).toBe(once);
  });
});

describe('patterns in one pass', () => {
  test.each([
    ['a(?=b)', 'looks ahead or behind'],
    ['(?<!a)b', 'looks ahead or behind'],
    ['(?<name>a)', 'names a group'],
    ['(a)\\1', 'looks back'],
    ['(', 'is no regular expression'],
    ['a{3', 'is no regular expression'],
    ['a{999}', 'repeats more than 256 times'],
    ['a{1,999}', 'repeats more than 256 times'],
    ['(((a{200}){200}){200}){200}', 'is too large'],
  ])('%s is refused', (pattern, what) => {
    expect(() => new Masks([{ name: 'x', pattern }])).toThrow(
      expect.objectContaining({ code: 'bad_arguments', message: expect.stringContaining(what) as string }),
    );
  });

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
  ] as const)('%s in %j', (pattern, text, spans) => expect(new OnePass(pattern).spans(text)).toEqual(spans));

  test('whatever the engine finds is found', () => {
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
        const covered = coverOf(new OnePass(pattern).spans(text));
        expect(covered).toEqual(naiveCover(pattern, text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('no pattern hangs on any text', () => {
    for (const pattern of ['(a+)+$', '(a|a)*b', '(a*)*c', '(.*.*.*.*)x', '\\w+\\w+\\w+!']) {
      expect(new OnePass(pattern).spans('a'.repeat(20_000)).length).toBeLessThan(2);
    }
    for (const group of ['1 ', '123 ']) expect(new Masks(ALL).redact(group.repeat(20_000))).toBe(group.repeat(20_000));
    expect(new Masks(ALL).redact(`${'a'.repeat(50_000)}@`)).toHaveLength(50_001);
  });
});

function coverOf(spans: readonly (readonly [number, number])[]): number[] {
  return spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, at) => start + at));
}

/** Every part of the text that the whole pattern fits, by asking about each. */
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
