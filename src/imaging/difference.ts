import type { Pixels } from './png.js';

/** A part of an image, in its pixels. */
export interface ImageBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface PixelDifference {
  /** Where pixels differ: few boxes that cover all of them, the largest first. Empty if nothing differs. */
  boxes: ImageBox[];
  /** How many pixels differ. */
  pixels: number;
  /** The same as a share of all compared pixels, 0 to 1. */
  share: number;
}

export interface DifferenceOptions {
  /** Parts that are not compared, such as a caret that blinks. */
  masks?: readonly ImageBox[];
  /** A colour channel may differ by this much, 0 to 255. */
  tolerance?: number;
  /** The nearest boxes are joined until there are at most this many. */
  maxBoxes?: number;
}

/** Changes that are nearer to each other than this, in pixels, are one box: the letters of a word. */
const CELL = 8;
const MAX_BOXES = 8;

/** Compares two images of equal size, 4 bytes per pixel. Undefined if their sizes differ: then nothing can be compared. */
export function comparePixels(
  before: Pixels,
  after: Pixels,
  { masks = [], tolerance = 0, maxBoxes = MAX_BOXES }: DifferenceOptions = {},
): PixelDifference | undefined {
  const { width, height } = before;
  if (width !== after.width || height !== after.height) return undefined;
  const columns = Math.ceil(width / CELL);
  const cells = new Map<number, ImageBox>();
  let pixels = 0;
  for (let y = 0; y < height; y += 1) {
    const start = y * width * 4;
    const end = start + width * 4;
    // Nearly all rows are equal, and comparing them as bytes is much faster than pixel by pixel.
    if (before.rgba.compare(after.rgba, start, end, start, end) === 0) continue;
    const hidden = masks.filter((mask) => y >= mask.y && y < mask.y + mask.height);
    for (let x = 0; x < width; x += 1) {
      if (!differs(before.rgba, after.rgba, start + x * 4, tolerance)) continue;
      if (hidden.some((mask) => x >= mask.x && x < mask.x + mask.width)) continue;
      pixels += 1;
      const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL);
      const known = cells.get(cell);
      if (known) extend(known, x, y);
      else cells.set(cell, { x, y, width: 1, height: 1 });
    }
  }
  const boxes = joined(connected(cells, columns), maxBoxes).sort((a, b) => areaOf(b) - areaOf(a));
  return { boxes, pixels, share: width * height === 0 ? 0 : pixels / (width * height) };
}

/** What changes by itself: the boxes in which any two consecutive frames of the same thing at rest differ. */
export function unstableBoxes(frames: readonly Pixels[], maxBoxes = MAX_BOXES): ImageBox[] {
  const boxes = frames.slice(1).flatMap((frame, at) => comparePixels(frames[at]!, frame)?.boxes ?? []);
  return joined(boxes, maxBoxes);
}

/** Whether `outer` covers all of `inner`. */
export function coversBox(outer: ImageBox, inner: ImageBox): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}

function differs(a: Buffer, b: Buffer, at: number, tolerance: number): boolean {
  for (let channel = at; channel < at + 3; channel += 1)
    if (Math.abs(a[channel]! - b[channel]!) > tolerance) return true;
  return false;
}

function extend(box: ImageBox, x: number, y: number): void {
  const right = Math.max(box.x + box.width, x + 1);
  const below = Math.max(box.y + box.height, y + 1);
  box.x = Math.min(box.x, x);
  box.y = Math.min(box.y, y);
  box.width = right - box.x;
  box.height = below - box.y;
}

/** One box for all cells that touch each other, also at a corner. */
function connected(cells: Map<number, ImageBox>, columns: number): ImageBox[] {
  const boxes: ImageBox[] = [];
  for (const first of cells.keys()) {
    let box: ImageBox | undefined;
    const open = [first];
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      const part = cells.get(cell);
      if (!part) continue;
      cells.delete(cell);
      box = box ? around(box, part) : part;
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      for (let down = -1; down <= 1; down += 1)
        for (let right = -1; right <= 1; right += 1) {
          const beside = column + right;
          if (beside >= 0 && beside < columns) open.push((row + down) * columns + beside);
        }
    }
    if (box) boxes.push(box);
  }
  return boxes;
}

/** Joins boxes that overlap, then those whose joint box adds the least area. */
function joined(boxes: readonly ImageBox[], most: number): ImageBox[] {
  let rest = [...boxes];
  // With very many boxes, looking for the best pair would take long; one box around all is true as well.
  if (rest.length > MAX_SEARCHED) rest = [rest.reduce(around)];
  for (;;) {
    let best: { a: number; b: number; cost: number } | undefined;
    for (let a = 0; a < rest.length; a += 1)
      for (let b = a + 1; b < rest.length; b += 1) {
        const cost = areaOf(around(rest[a]!, rest[b]!)) - areaOf(rest[a]!) - areaOf(rest[b]!);
        if (!best || cost < best.cost) best = { a, b, cost };
      }
    if (!best || (best.cost > 0 && rest.length <= most)) return rest;
    const { a, b } = best;
    const both = around(rest[a]!, rest[b]!);
    rest = [...rest.filter((_, at) => at !== a && at !== b), both];
  }
}

const MAX_SEARCHED = 200;

function around(a: ImageBox, b: ImageBox): ImageBox {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    ...{ x, y },
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

const areaOf = ({ width, height }: ImageBox): number => width * height;
