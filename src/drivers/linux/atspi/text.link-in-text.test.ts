import { expect, it } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { readLinkInText } from './text.js';

const TEXT = 'See the first and the second page.';

/** A label with letters of 6 by 17 pixels and the given number of letters per line. */
function label(start: number | undefined, end: number, lettersALine: number): AppCalls {
  const properties: Record<string, unknown> = { StartIndex: start, EndIndex: end, Parent: [':1.1', '/label'] };
  const place = (n: number) => ({ x: (n % lettersALine) * 6, y: Math.floor(n / lettersALine) * 17 });
  const boxOf = (from: number, to: number): number[] => {
    const [a, b] = [place(from), place(to - 1)];
    const [left, right] = a.y === b.y ? [a.x, b.x] : [0, (lettersALine - 1) * 6];
    return [left, a.y, right - left + 6, b.y - a.y + 17];
  };
  return {
    app: { busName: ':1.1' },
    get: async (_: string, __: string, name: string) => properties[name],
    call: async (_: string, __: string, member: string, ___: string, [from, to]: number[]) =>
      member === 'GetText' ? [TEXT.slice(from, to)] : boxOf(from!, to!),
    maybe: <T>(answer: Promise<T>) => answer,
    understood: <T>(value: T) => value,
  } as unknown as AppCalls;
}

it.each([
  ['on one line', 4, 13, 100, { text: 'the first', box: { x: 24, y: 0, width: 54, height: 17 } }],
  [
    'over two lines, placed at its first letter',
    4,
    13,
    8,
    { text: 'the first', box: { x: 24, y: 0, width: 6, height: 17 } },
  ],
  ['without a start position', undefined, 0, 100, undefined],
  ['without letters', 4, 4, 100, undefined],
])('a link %s', async (_, start, end, lettersALine, wanted) => {
  expect(await readLinkInText(label(start, end, lettersALine), '/link')).toEqual(wanted);
});
