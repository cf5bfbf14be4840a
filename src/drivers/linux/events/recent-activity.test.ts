import { expect, test } from 'vitest';
import { Drawings } from './recent-activity.js';

const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });

test.each([
  ['the last drawing there counts', 1, box(0), 20],
  ['touching is enough', 1, box(5), 10],
  ['what was drawn elsewhere does not', 1, box(50), Infinity],
  ['nor what another app drew', 2, box(0), Infinity],
])('%s', (_, pid, area, expected) => {
  const drawings = new Drawings();
  drawings.note(1, box(0), 70);
  drawings.note(1, box(0), 80);
  drawings.note(1, box(12), 90);
  expect(drawings.since(pid, area, 100)).toBe(expected);
});

test('any number of drawings is kept in bounds, the last of them', () => {
  const drawings = new Drawings();
  for (let at = 0; at < 5_000; at++) drawings.note(1, box(at), at);
  expect(drawings.since(1, box(4_999), 5_000)).toBe(1);
  expect(drawings.since(1, box(0), 5_000)).toBe(Infinity);
});
