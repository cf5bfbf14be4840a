import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { within, without } from './window-pixels.js';

const SIDE = 12;
const box = fc.record({
  x: fc.nat(SIDE),
  y: fc.nat(SIDE),
  width: fc.integer({ min: 1, max: SIDE }),
  height: fc.integer({ min: 1, max: SIDE }),
});

/** How many of the boxes hold each cell. */
function cells(boxes: readonly Box[]): Map<string, number> {
  const held = new Map<string, number>();
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row += 1) {
      for (let column = x; column < x + width; column += 1) {
        const key = `${column},${row}`;
        held.set(key, (held.get(key) ?? 0) + 1);
      }
    }
  }
  return held;
}

describe('what is left of an area', () => {
  it('is each cell that was not cut out, once', () => {
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 8 }), (whole, cuts) => {
        const left = cells(cuts.reduce<Box[]>((boxes, cut) => without(boxes, cut), [whole]));
        const gone = cells(cuts);
        for (const cell of cells([whole]).keys()) expect(left.get(cell) ?? 0).toBe(gone.has(cell) ? 0 : 1);
        expect([...left.keys()].filter((cell) => !cells([whole]).has(cell))).toEqual([]);
      }),
    );
  });

  it('never loses a cell when the pieces become too many', () => {
    const whole = { x: 0, y: 0, width: 200, height: 200 };
    let left: Box[] = [whole];
    for (let at = 0; at < 200; at += 2) left = without(left, { x: at, y: 0, width: 1, height: 1 });
    for (let at = 0; at < 200; at += 2) left = without(left, { x: at, y: 20, width: 1, height: 1 });
    expect(left.length).toBeLessThan(200);
    expect(within(left, { x: 1, y: 0, width: 1, height: 1 })).not.toEqual([]);
    expect(within(left, { x: 0, y: 100, width: 200, height: 100 }).length).toBeGreaterThan(0);
  });

  it('within an area is clipped to it', () => {
    expect(within([{ x: 0, y: 0, width: 10, height: 10 }], { x: 8, y: 8, width: 10, height: 10 })).toEqual([
      { x: 8, y: 8, width: 2, height: 2 },
    ]);
    expect(within([{ x: 0, y: 0, width: 10, height: 10 }], { x: 10, y: 0, width: 5, height: 5 })).toEqual([]);
  });
});
