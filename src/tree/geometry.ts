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

/** Boxes that overlap become one. */
export function joinOverlapping(boxes: readonly Box[]): Box[] {
  const rest: Box[] = [];
  for (const box of boxes) {
    let whole = box;
    for (let at = 0; at < rest.length;) {
      if (!intersect(rest[at]!, whole)) {
        at += 1;
        continue;
      }
      whole = boundingBox([whole, ...rest.splice(at, 1)]);
      at = 0;
    }
    rest.push(whole);
  }
  return rest;
}

/** The smallest box around all of these. There must be at least one. */
export function boundingBox(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
