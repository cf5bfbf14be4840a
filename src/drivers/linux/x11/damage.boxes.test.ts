import { expect, test } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { DamageBoxes } from './damage.js';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const join = (...drawn: Box[]): readonly Box[] => {
  const boxes = new DamageBoxes();
  for (const one of drawn) boxes.add(one);
  return boxes.list();
};

test.each<[what: string, drawn: Box[], joined: Box[]]>([
  ['one', [box(1, 2, 3, 4)], [box(1, 2, 3, 4)]],
  ['the same box twice', [box(1, 2, 3, 4), box(1, 2, 3, 4)], [box(1, 2, 3, 4)]],
  ['two far corners stay two boxes', [box(0, 0, 5, 5), box(900, 700, 5, 5)], [box(0, 0, 5, 5), box(900, 700, 5, 5)]],
  ['lines of one block become one box', [box(0, 0, 10, 1), box(0, 1, 10, 1), box(0, 2, 10, 1)], [box(0, 0, 10, 3)]],
  ['a box that covers others', [box(0, 0, 2, 2), box(50, 50, 2, 2), box(0, 0, 100, 100)], [box(0, 0, 100, 100)]],
])('%s', (_, drawn, joined) => {
  expect(join(...drawn)).toEqual(joined);
});

test('joins many boxes into few that cover everything drawn', () => {
  const drawn = Array.from({ length: 200 }, (_, i) => box((i * 37) % 900, (i * 101) % 700, 3, 3));
  const joined = join(...drawn);
  expect(joined.length).toBeLessThanOrEqual(8);
  for (const { x, y, width, height } of drawn) {
    const covered = joined.some(
      (b) => b.x <= x && b.y <= y && b.x + b.width >= x + width && b.y + b.height >= y + height,
    );
    expect(covered).toBe(true);
  }
});
