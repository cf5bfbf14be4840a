import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { clipTo, subtract } from './window-pixels.js';

const SIDE = 12;
const box = fc.record({
  x: fc.nat(SIDE),
  y: fc.nat(SIDE),
  width: fc.integer({ min: 1, max: SIDE }),
  height: fc.integer({ min: 1, max: SIDE }),
});

/** How many of the boxes contain each cell. */
function cells(boxes: readonly Box[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row += 1) {
      for (let column = x; column < x + width; column += 1) {
        const key = `${column},${row}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

describe('subtracting boxes from an area', () => {
  it('leaves each cell that was not cut out exactly once', () => {
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 8 }), (whole, cuts) => {
        const left = cells(cuts.reduce<Box[]>((boxes, cut) => subtract(boxes, cut), [whole]));
        const gone = cells(cuts);
        for (const cell of cells([whole]).keys()) expect(left.get(cell) ?? 0).toBe(gone.has(cell) ? 0 : 1);
        expect([...left.keys()].filter((cell) => !cells([whole]).has(cell))).toEqual([]);
      }),
    );
  });

  it('never loses a cell when there are too many pieces', () => {
    const whole = { x: 0, y: 0, width: 200, height: 200 };
    let left: Box[] = [whole];
    for (let at = 0; at < 200; at += 2) left = subtract(left, { x: at, y: 0, width: 1, height: 1 });
    for (let at = 0; at < 200; at += 2) left = subtract(left, { x: at, y: 20, width: 1, height: 1 });
    expect(left.length).toBeLessThan(200);
    expect(clipTo(left, { x: 1, y: 0, width: 1, height: 1 })).not.toEqual([]);
    expect(clipTo(left, { x: 0, y: 100, width: 200, height: 100 }).length).toBeGreaterThan(0);
  });

  it('clips boxes to an area', () => {
    expect(clipTo([{ x: 0, y: 0, width: 10, height: 10 }], { x: 8, y: 8, width: 10, height: 10 })).toEqual([
      { x: 8, y: 8, width: 2, height: 2 },
    ]);
    expect(clipTo([{ x: 0, y: 0, width: 10, height: 10 }], { x: 10, y: 0, width: 5, height: 5 })).toEqual([]);
  });
});
