import type { Box } from '../../../tree/index.js';

/** What closed menus report instead of a place. */
const NOWHERE = -2147483648;

/** The answer of GetExtents as a box; undefined where it tells no place. Zero sizes are kept: they say "not shown". */
export function boxOf(answer: unknown): Box | undefined {
  const [x, y, width, height] = Array.isArray(answer) ? (answer as number[]) : [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  if (x === NOWHERE || y === NOWHERE || width < 0 || height < 0) return undefined;
  return { x, y, width, height };
}

/** Whether two boxes share a part. Called for every object at every redraw: it makes no new box. */
export function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
