import { intersect, type Box } from '../../tree/index.js';
import type { Relation } from '../ast.js';

export interface Related<T> {
  candidate: T;
  /** Physical pixels, measured as the relation defines it. */
  distance: number;
}

/** Pixels at scale 1; a limit given in a selector is not scaled. */
const LIMITS: Record<Relation, number> = {
  'right-of': 600,
  'left-of': 600,
  above: 200,
  below: 200,
  near: 50,
  inside: 2,
};
/** Boxes of neighbours may overlap a little, and users see distances this close as equal. */
const SLACK = 4;
const LEAST_OVERLAP = 0.5;
const LEAST_INSIDE = 0.9;

/**
 * The candidates in this relation to the anchor, nearest first (`inside`: in the given order). Elements without bounds
 * have no relations.
 */
export function relate<T extends { bounds?: Box }>(
  anchor: Box,
  candidates: readonly T[],
  relation: Relation,
  limit: number | undefined = undefined,
  scale = 1,
): Related<T>[] {
  const most = limit ?? LIMITS[relation] * scale;
  const related = candidates.flatMap((candidate) => {
    const { bounds } = candidate;
    const distance = bounds && DISTANCE[relation](anchor, bounds, most, scale);
    return distance === undefined ? [] : [{ candidate, distance }];
  });
  return related.sort((a, b) => a.distance - b.distance);
}

/** The nearest, and those that users see as equally near. `inside` has no nearest. */
export function nearestOf<T>(related: readonly Related<T>[], relation: Relation, scale = 1): Related<T>[] {
  const least = related[0]?.distance ?? 0;
  return relation === 'inside' ? [...related] : related.filter(({ distance }) => distance - least <= SLACK * scale);
}

type Distance = (anchor: Box, other: Box, limit: number, scale: number) => number | undefined;

const DISTANCE: Record<Relation, Distance> = {
  'right-of': beside((a, c) => c.x - right(a), 'vertical'),
  'left-of': beside((a, c) => a.x - right(c), 'vertical'),
  above: beside((a, c) => a.y - bottom(c), 'horizontal'),
  below: beside((a, c) => c.y - bottom(a), 'horizontal'),
  near: (a, c, limit) => {
    const distance = Math.hypot(gapOf(a.x, right(a), c.x, right(c)), gapOf(a.y, bottom(a), c.y, bottom(c)));
    return distance <= limit ? distance : undefined;
  },
  inside: (a, c, limit) => {
    const grown = { x: a.x - limit, y: a.y - limit, width: a.width + 2 * limit, height: a.height + 2 * limit };
    const part = intersect(grown, c);
    return part && area(part) >= LEAST_INSIDE * area(c) && area(c) < area(a) ? 0 : undefined;
  },
};

/** On one side of the anchor, and mostly aligned with it. */
function beside(gapTo: (a: Box, c: Box) => number, shared: 'vertical' | 'horizontal'): Distance {
  return (a, c, limit, scale) => {
    const gap = gapTo(a, c);
    if (gap < -SLACK * scale || gap > limit) return undefined;
    const [aFrom, aTo, cFrom, cTo] =
      shared === 'vertical' ? [a.y, bottom(a), c.y, bottom(c)] : [a.x, right(a), c.x, right(c)];
    const overlap = Math.min(aTo, cTo) - Math.max(aFrom, cFrom);
    if (overlap < LEAST_OVERLAP * Math.min(aTo - aFrom, cTo - cFrom)) return undefined;
    const line = (aFrom + aTo) / 2;
    return Math.max(gap, 0) + Math.max(0, cFrom - line, line - cTo);
  };
}

function gapOf(aFrom: number, aTo: number, cFrom: number, cTo: number): number {
  return Math.max(0, cFrom - aTo, aFrom - cTo);
}

const right = (box: Box): number => box.x + box.width;
const bottom = (box: Box): number => box.y + box.height;
const area = (box: Box): number => box.width * box.height;
