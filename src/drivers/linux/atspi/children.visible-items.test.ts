import { expect, it } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { spanByBounds } from './children.js';

const VIEW: Box = { x: 0, y: 100, width: 300, height: 200 };

/** Items of 20 pixels each, the first at `top`. The items in `but` have no size. */
function column(top: number, but: (index: number) => boolean = () => false) {
  const asked: number[] = [];
  const boxAt = (index: number): Promise<Box | undefined> => {
    asked.push(index);
    const height = but(index) ? 0 : 20;
    return Promise.resolve({ x: 0, y: top + 20 * index, width: 300, height });
  };
  return { asked, boxAt };
}

it.each([
  ['the first items', 100, [1, 10]],
  ['items in the middle', -19_910, [1001, 1011]],
  ['the last items', -39_800, [1996, 2000]],
  ['no items, all below the view', 300, undefined],
  ['no items, all above the view', -40_000, undefined],
])('%s', async (_, top, span) => {
  const { asked, boxAt } = column(top);
  expect(await spanByBounds(VIEW, 2000, boxAt)).toEqual(span);
  expect(asked.length).toBeLessThan(30);
});

it('ignores hidden items between the others', async () => {
  const { boxAt } = column(-19_900, (index) => index % 3 !== 0);
  expect(await spanByBounds(VIEW, 2000, boxAt)).toEqual([1001, 1009]);
});

it('returns undefined when no item has a size', async () => {
  expect(await spanByBounds(VIEW, 2000, column(0, () => true).boxAt)).toBeUndefined();
  expect(await spanByBounds(VIEW, 2000, () => Promise.resolve(undefined))).toBeUndefined();
});

it('handles several items per row, as in a grid', async () => {
  const boxAt = (index: number): Promise<Box> =>
    Promise.resolve({ x: 100 * (index % 3), y: -5_000 + 20 * Math.floor(index / 3), width: 100, height: 20 });
  expect(await spanByBounds(VIEW, 2000, boxAt)).toEqual([766, 795]);
});
