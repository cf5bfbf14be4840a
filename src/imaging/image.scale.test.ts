import { describe, expect, it } from 'vitest';
import { scaleImage } from './image.js';

const grey = (width: number, height: number, values: number[]) => ({
  ...{ width, height },
  rgba: Buffer.from(values.flatMap((value) => [value, value, value, 255])),
});
const reds = (rgba: Buffer): number[] => [...rgba].filter((_, at) => at % 4 === 0);

describe('a scaled image', () => {
  it.each([
    ['half the size', grey(4, 2, [0, 100, 200, 200, 100, 200, 0, 0]), 2, 1, [100, 100]],
    ['two thirds of the size', grey(3, 1, [0, 90, 240]), 2, 1, [30, 190]],
    ['one pixel', grey(2, 2, [10, 20, 30, 40]), 1, 1, [25]],
    ['the same size', grey(2, 2, [1, 2, 3, 255]), 2, 2, [1, 2, 3, 255]],
  ])('%s', (_, picture, width, height, expected) => {
    expect(reds(scaleImage(picture, width, height))).toEqual(expected);
  });

  it.each([0.1, 0.37, 2 / 3, 0.9])('keeps a single colour unchanged, scale %f', (scale) => {
    const rgba = Buffer.alloc(97 * 53 * 4);
    for (let at = 0; at < rgba.length; at += 4) rgba.set([255, 7, 128, 255], at);
    const [width, height] = [Math.round(97 * scale), Math.round(53 * scale)];
    const small = scaleImage({ width: 97, height: 53, rgba }, width, height);
    expect(small.length).toBe(width * height * 4);
    expect(new Set(small.toString('hex').match(/.{8}/g))).toEqual(new Set(['ff0780ff']));
  });
});
