import { describe, expect, test } from 'vitest';
import { type Box, clipTo, isOffscreen, saneBox } from './geometry.js';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const screen = box(0, 0, 800, 600);

describe('clipTo', () => {
  test.each<[string, Box, (Box | undefined)[], Box | undefined]>([
    ['nothing clips', box(5, 5, 10, 10), [], box(5, 5, 10, 10)],
    ['unknown frames do not clip', box(5, 5, 10, 10), [undefined, screen], box(5, 5, 10, 10)],
    ['each frame clips', box(0, 0, 100, 100), [box(10, 0, 50, 50), box(0, 20, 30, 100)], box(10, 20, 20, 30)],
    ['frames that do not meet', box(0, 0, 100, 100), [box(0, 0, 10, 10), box(50, 50, 10, 10), screen], undefined],
    ['an empty box is not seen', box(5, 5, 0, 10), [], undefined],
  ])('%s', (_what, from, frames, expected) => {
    expect(clipTo(from, frames)).toEqual(expected);
  });
});

describe('isOffscreen', () => {
  test.each<[string, Box | undefined, Box | undefined, boolean]>([
    ['inside', box(1, 1, 20, 20), screen, false],
    ['outside', box(900, 1, 20, 20), screen, true],
    ['touching the edge', box(800, 1, 20, 20), screen, true],
    ['one pixel in', box(799, 1, 20, 20), screen, true],
    ['two pixels in', box(798, 1, 20, 20), screen, false],
    ['one pixel high', box(1, 1, 20, 1), screen, true],
    ['on the left monitor', box(-500, 1, 20, 20), box(-1280, 0, 2080, 600), false],
    ['no bounds: not known', undefined, screen, false],
    ['no clip: its size decides', box(9_000, 1, 20, 20), undefined, false],
    ['no clip, no size', box(1, 1, 0, 0), undefined, true],
  ])('%s', (_what, bounds, clip, expected) => {
    expect(isOffscreen(bounds, clip)).toBe(expected);
  });
});

test.each<[string, Box, boolean]>([
  ['plain', box(-1280, 5, 10, 10), true],
  ['closed menu', box(-2147483648, -2147483648, 1, 1), false],
  ['no size', box(0, 0, 0, 0), false],
  ['negative size', box(0, 0, -1, 5), false],
  ['not a number', box(NaN, 0, 5, 5), false],
])('saneBox: %s', (_what, candidate, sane) => {
  expect(saneBox(candidate)).toEqual(sane ? candidate : undefined);
});
