import { describe, expect, it } from 'vitest';
import { drawCursor } from './capture.js';

const cursorAt = (x: number, y: number, pixels: number[][]) => ({
  ...{ x, y, width: 2, height: 2, xhot: 1, yhot: 0 },
  cursorImage: Buffer.from(pixels.flat()),
});
const CLEAR = [0, 0, 0, 0];
const RED = [0, 0, 255, 255];
const HALF_BLUE = [128, 0, 0, 128];

const screenshot = () => ({ width: 3, height: 2, origin: { x: 10, y: 20 }, rgba: Buffer.alloc(24, 255) });
const pixels = (rgba: Buffer): string[] => rgba.toString('hex').match(/.{8}/g)!;

describe('the mouse pointer', () => {
  const WHITE = 'ffffffff';
  it.each([
    ['completely inside', 11, 20, ['ff0000ff', WHITE, WHITE, WHITE, '7f7fffff', WHITE]],
    ['half left of the image', 10, 20, [WHITE, WHITE, WHITE, '7f7fffff', WHITE, WHITE]],
    ['half below the image', 12, 21, [WHITE, WHITE, WHITE, WHITE, 'ff0000ff', WHITE]],
    ['half above the image', 11, 19, [WHITE, '7f7fffff', WHITE, WHITE, WHITE, WHITE]],
    ['outside', 400, 300, [WHITE, WHITE, WHITE, WHITE, WHITE, WHITE]],
  ])('%s', (_, x, y, expected) => {
    const on = screenshot();
    drawCursor(on, cursorAt(x, y, [RED, CLEAR, CLEAR, HALF_BLUE]));
    expect(pixels(on.rgba)).toEqual(expected);
  });
});
