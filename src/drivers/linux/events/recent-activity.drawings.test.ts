import { expect, test } from 'vitest';
import { RecentDrawings } from './recent-activity.js';

const box = (x: number) => ({ x, y: 0, width: 10, height: 10 });

test.each([
  ['returns the age of the last drawing there', 1, box(0), 20],
  ['counts a drawing that touches the area', 1, box(5), 10],
  ['ignores drawings elsewhere', 1, box(50), Infinity],
  ['ignores drawings of other apps', 2, box(0), Infinity],
])('%s', (_, pid, area, expected) => {
  const drawings = new RecentDrawings();
  drawings.record(1, box(0), 70);
  drawings.record(1, box(0), 80);
  drawings.record(1, box(12), 90);
  expect(drawings.msSinceDrawing(pid, area, 100)).toBe(expected);
});

test('keeps a limited number of drawings, the latest ones', () => {
  const drawings = new RecentDrawings();
  for (let at = 0; at < 5_000; at++) drawings.record(1, box(at), at);
  expect(drawings.msSinceDrawing(1, box(4_999), 5_000)).toBe(1);
  expect(drawings.msSinceDrawing(1, box(0), 5_000)).toBe(Infinity);
});
