import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixCode } from './deflate.js';

describe('prefixCode', () => {
  it.each<[string, number[], number[]]>([
    ['frequent symbols get short codes', [1, 1, 2, 4], [3, 3, 2, 1]],
    ['equal counts get equal lengths', [5, 5, 5, 5], [2, 2, 2, 2]],
    ['unused symbols get no code', [3, 0, 0, 3], [1, 0, 0, 1]],
    ['a single symbol gets a second one', [0, 0, 9], [1, 0, 1]],
    ['none', [0, 0, 0], [1, 1, 0]],
  ])('%s', (_, counts, lengths) => {
    expect([...prefixCode(Uint32Array.from(counts), 15).lengths]).toEqual(lengths);
  });

  it('is complete, prefix-free and within the length limit', () => {
    const counts = fc.array(fc.oneof(fc.nat(3), fc.nat(4_000_000)), { minLength: 2, maxLength: 100 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 7, max: 15 }), (given, longest) => {
        const { lengths, bits } = prefixCode(Uint32Array.from(given), longest);
        const codes = [...lengths].flatMap((length, at) =>
          length === 0 ? [] : [[...bits[at]!.toString(2).padStart(length, '0')].reverse().join('')],
        );
        expect(Math.max(...lengths)).toBeLessThanOrEqual(longest);
        expect(codes.reduce((sum, code) => sum + 2 ** -code.length, 0)).toBe(1);
        const sorted = codes.toSorted();
        expect(sorted.some((code, at) => sorted[at + 1]?.startsWith(code))).toBe(false);
        expect(given.every((count, at) => count === 0 || lengths[at]! > 0)).toBe(true);
      }),
    );
  });

  it('keeps to the length limit for Fibonacci counts', () => {
    const rabbits = [1, 1];
    while (rabbits.length < 40) rabbits.push(rabbits.at(-1)! + rabbits.at(-2)!);
    expect(Math.max(...prefixCode(Uint32Array.from(rabbits), 15).lengths)).toBe(15);
  });
});
