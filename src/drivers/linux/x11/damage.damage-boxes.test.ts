import { expect, test } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { DamageBoxes } from './damage.js';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const gathered = (...boxes: Box[]): readonly Box[] => {
  const all = new DamageBoxes();
  for (const one of boxes) all.add(one);
  return all.list();
};

test.each<[what: string, drawn: Box[], told: Box[]]>([
  ['one', [box(1, 2, 3, 4)], [box(1, 2, 3, 4)]],
  ['the same twice', [box(1, 2, 3, 4), box(1, 2, 3, 4)], [box(1, 2, 3, 4)]],
  ['two far corners stay two', [box(0, 0, 5, 5), box(900, 700, 5, 5)], [box(0, 0, 5, 5), box(900, 700, 5, 5)]],
  ['lines of one block become one', [box(0, 0, 10, 1), box(0, 1, 10, 1), box(0, 2, 10, 1)], [box(0, 0, 10, 3)]],
  ['one that covers others', [box(0, 0, 2, 2), box(50, 50, 2, 2), box(0, 0, 100, 100)], [box(0, 0, 100, 100)]],
])('%s', (_, drawn, told) => {
  expect(gathered(...drawn)).toEqual(told);
});

test('many become few, and nothing of what was drawn is left out', () => {
  const drawn = Array.from({ length: 200 }, (_, i) => box((i * 37) % 900, (i * 101) % 700, 3, 3));
  const told = gathered(...drawn);
  expect(told.length).toBeLessThanOrEqual(8);
  for (const { x, y, width, height } of drawn) {
    const covered = told.some(
      (b) => b.x <= x && b.y <= y && b.x + b.width >= x + width && b.y + b.height >= y + height,
    );
    expect(covered).toBe(true);
  }
});
