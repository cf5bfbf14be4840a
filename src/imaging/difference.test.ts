import { describe, expect, it } from 'vitest';
import { comparePixels, coversBox, type DifferenceOptions, type ImageBox, unstableBoxes } from './difference.js';
import type { Pixels } from './png.js';

const box = (x: number, y: number, width: number, height: number): ImageBox => ({ x, y, width, height });

/** A grey image with filled boxes. */
function image(filled: readonly (ImageBox & { grey?: number })[], width = 100, height = 80): Pixels {
  const rgba = Buffer.alloc(width * height * 4, 200);
  for (const { x, y, width: wide, height: high, grey = 10 } of filled)
    for (let row = y; row < y + high; row += 1) rgba.fill(grey, (row * width + x) * 4, (row * width + x + wide) * 4);
  return { width, height, rgba };
}

describe('comparePixels', () => {
  it.each<[what: string, after: (ImageBox & { grey?: number })[], options: DifferenceOptions, boxes: ImageBox[]]>([
    ['nothing differs', [], {}, []],
    ['one pixel', [box(99, 79, 1, 1)], {}, [box(99, 79, 1, 1)]],
    ['a box, exactly', [box(21, 22, 32, 7)], {}, [box(21, 22, 32, 7)]],
    [
      'two far boxes, the largest first',
      [box(0, 0, 3, 3), box(80, 60, 9, 9)],
      {},
      [box(80, 60, 9, 9), box(0, 0, 3, 3)],
    ],
    [
      'the letters of a word are one box',
      [box(10, 10, 3, 8), box(16, 10, 3, 8), box(22, 10, 3, 8)],
      {},
      [box(10, 10, 15, 8)],
    ],
    [
      'at most as many boxes as wanted',
      [box(0, 0, 2, 2), box(50, 0, 2, 2), box(0, 70, 2, 2)],
      { maxBoxes: 2 },
      [box(0, 0, 52, 2), box(0, 70, 2, 2)],
    ],
    ['what is masked is not compared', [box(20, 20, 2, 16)], { masks: [box(19, 18, 4, 20)] }, []],
    ['only the part outside of the mask', [box(20, 20, 10, 10)], { masks: [box(0, 0, 25, 80)] }, [box(25, 20, 5, 10)]],
    ['less than the tolerance', [{ ...box(5, 5, 5, 5), grey: 196 }], { tolerance: 4 }, []],
    ['more than the tolerance', [{ ...box(5, 5, 5, 5), grey: 195 }], { tolerance: 4 }, [box(5, 5, 5, 5)]],
  ])('%s', (_, after, options, boxes) => {
    expect(comparePixels(image([]), image(after), options)?.boxes).toEqual(boxes);
  });

  it('counts the pixels that differ and their share', () => {
    expect(comparePixels(image([]), image([box(0, 0, 10, 10), box(50, 50, 10, 10)]))).toMatchObject({
      pixels: 200,
      share: 0.025,
    });
  });

  it('ignores the fourth byte, which holds no colour', () => {
    const other = image([]);
    other.rgba[3] = 0;
    expect(comparePixels(image([]), other)).toEqual({ boxes: [], pixels: 0, share: 0 });
  });

  it('cannot compare images of different sizes', () => {
    expect(comparePixels(image([]), image([], 100, 81))).toBeUndefined();
  });

  it('covers every changed pixel with few boxes, also of a noisy image', () => {
    const spots = Array.from({ length: 150 }, (_, at) => box((at * 37) % 99, (at * 53) % 79, 1, 1));
    const { boxes } = comparePixels(image([]), image(spots))!;
    expect(boxes.length).toBeLessThanOrEqual(8);
    for (const spot of spots) expect(boxes.some((one) => coversBox(one, spot))).toBe(true);
  });
});

describe('unstableBoxes', () => {
  const caret = box(30, 10, 2, 16);
  const spinner = box(70, 60, 12, 12);
  it.each<[what: string, frames: Pixels[], boxes: ImageBox[]]>([
    ['one frame', [image([caret])], []],
    ['a caret that blinks', [image([caret]), image([]), image([caret])], [caret]],
    ['a caret and a spinner', [image([caret]), image([spinner]), image([])], [spinner, caret]],
  ])('%s', (_, frames, boxes) => {
    expect(unstableBoxes(frames)).toEqual(expect.arrayContaining(boxes));
    expect(unstableBoxes(frames)).toHaveLength(boxes.length);
  });
});
