import { intersect, type Box } from '../../../tree/index.js';

/** More pieces than this are joined: a little too much is unsure then, which costs a redraw and never a wrong pixel. */
const MOST = 128;

/** What is left of `boxes` without `cut`, in boxes that do not overlap if those did not. */
export function without(boxes: readonly Box[], cut: Box): Box[] {
  const left = boxes.flatMap((box) => around(box, cut));
  return left.length > MOST ? [bounding(left)] : left;
}

/** The parts of `boxes` that lie in `area`. */
export function within(boxes: readonly Box[], area: Box): Box[] {
  return boxes.map((box) => intersect(box, area)).filter((box) => box !== undefined);
}

function around(box: Box, cut: Box): Box[] {
  const hole = intersect(box, cut);
  if (!hole) return [box];
  const right = box.x + box.width - (hole.x + hole.width);
  const below = box.y + box.height - (hole.y + hole.height);
  const pieces: Box[] = [
    { x: box.x, y: box.y, width: box.width, height: hole.y - box.y },
    { x: box.x, y: hole.y, width: hole.x - box.x, height: hole.height },
    { x: hole.x + hole.width, y: hole.y, width: right, height: hole.height },
    { x: box.x, y: hole.y + hole.height, width: box.width, height: below },
  ];
  return pieces.filter(({ width, height }) => width > 0 && height > 0);
}

function bounding(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
