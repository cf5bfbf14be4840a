/** All coordinates are physical pixels of the virtual desktop. */
export interface Point {
  x: number;
  y: number;
}

/** In physical pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A position and a size. */
export interface Box extends Point, Size {}

export function centre(box: Box): Point {
  return { x: Math.floor(box.x + box.width / 2), y: Math.floor(box.y + box.height / 2) };
}

export function contains(box: Box, point: Point): boolean {
  return point.x >= box.x && point.y >= box.y && point.x < box.x + box.width && point.y < box.y + box.height;
}

/** The part of `a` inside `b`; undefined if they do not overlap. */
export function intersect(a: Box, b: Box): Box | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function sameBox(a: Box | undefined, b: Box | undefined): boolean {
  if (!a || !b) return a === b;
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/**
 * The part of `box` that is visible through all `frames` (scrolling ancestors, window, screen). Missing frames do not
 * clip.
 */
export function clipTo(box: Box, frames: Iterable<Box | undefined>): Box | undefined {
  let seen: Box | undefined = box.width > 0 && box.height > 0 ? box : undefined;
  for (const frame of frames) {
    if (!seen) return undefined;
    if (frame) seen = intersect(seen, frame);
  }
  return seen;
}

/** An element with less than this visible, in either direction, cannot be seen. */
const LEAST_SEEN = 2;

/**
 * True if no part of `bounds`, or a part under 2 px, is in the visible area `clip`. Without bounds the answer is false,
 * because nothing is known.
 */
export function isOffscreen(bounds: Box | undefined, clip?: Box): boolean {
  if (!bounds) return false;
  const seen = clip ? intersect(bounds, clip) : bounds;
  return !seen || seen.width < LEAST_SEEN || seen.height < LEAST_SEEN;
}

/** Beyond any desktop: toolkits report -2147483648 for elements without a position (a closed menu). */
const FARTHEST = 1_000_000;

/** The box if it is possible on a screen, else undefined. An empty box is not. */
export function saneBox(box: Box): Box | undefined {
  const { x, y, width, height } = box;
  const sane = [x, y, width, height].every((side) => Number.isFinite(side) && Math.abs(side) < FARTHEST);
  return sane && width > 0 && height > 0 ? box : undefined;
}
