import { expect, test } from 'vitest';
import { BoundedLines, TOO_LONG, type Line } from './stdio-transport.js';

const split = (most: number, ...chunks: (string | Buffer)[]): Line[] => {
  const lines = new BoundedLines(most);
  return chunks.flatMap((chunk) => lines.push(Buffer.from(chunk as string)));
};

test.each<[string, (string | Buffer)[], Line[]]>([
  ['lines in one piece', ['a\nb\n'], ['a', 'b']],
  ['a line in pieces', ['a', 'b', 'c\nd'], ['abc']],
  ['a line of the maximum length', ['12345678\n'], ['12345678']],
  ['a line that is too long, and the next one', ['123456789\nb\n'], [TOO_LONG, 'b']],
  ['a line that is too long, in pieces', ['12345', '6789', '0123', '45\nb', '\n'], [TOO_LONG, 'b']],
  ['characters split between pieces', [Buffer.from([0xc3]), Buffer.from([0xa9, 10])], ['é']],
  ['an incomplete character', [Buffer.from([0xc3, 10]), 'b\n'], ['\ufffd', 'b']],
  [
    'half a character at the end of a line that is too long',
    ['12345678', Buffer.from([0xc3, 10]), 'b\n'],
    [TOO_LONG, 'b'],
  ],
  ['empty lines', ['\n\n'], ['', '']],
])('%s', (_, chunks, lines) => {
  expect(split(8, ...chunks)).toEqual(lines);
});

test('keeps nothing of a line that is too long', () => {
  const lines = new BoundedLines(8);
  for (let times = 0; times < 1_000; times++) lines.push(Buffer.alloc(1_000, 'x'));
  expect(JSON.stringify(lines)).not.toContain('x'.repeat(9));
  expect(lines.push(Buffer.from('\n'))).toEqual([TOO_LONG]);
});
