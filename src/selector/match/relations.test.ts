import { expect, it } from 'vitest';
import type { Box } from '../../tree/index.js';
import type { Relation } from '../ast.js';
import { nearestOf, relate } from './relations.js';

type Scene = [x: number, y: number, width: number, height: number];
const box = ([x, y, width, height]: Scene): Box => ({ x, y, width, height });
const LABEL: Scene = [100, 100, 60, 20];

interface Given {
  relation: Relation;
  anchor?: Scene;
  others: Scene[];
  limit?: number;
  scale?: number;
  /** Distances in the order of `others`; null if not related. */
  distances: (number | null)[];
}

const SCENES: [string, Given][] = [
  ['label and field on one line', { relation: 'right-of', others: [[170, 98, 200, 24]], distances: [10] }],
  ['label at the top of a tall text area', { relation: 'right-of', others: [[170, 98, 300, 240]], distances: [10] }],
  ['the field of the next row', { relation: 'right-of', others: [[170, 128, 200, 24]], distances: [null] }],
  [
    'a second field on the row',
    {
      relation: 'right-of',
      others: [
        [170, 98, 100, 24],
        [280, 98, 100, 24],
      ],
      distances: [10, 120],
    },
  ],
  ['3 px overlap', { relation: 'right-of', others: [[157, 98, 200, 24]], distances: [0] }],
  ['10 px overlap', { relation: 'right-of', others: [[150, 98, 200, 24]], distances: [null] }],
  [
    'label above its field, and the next one',
    {
      relation: 'below',
      others: [
        [100, 123, 200, 24],
        [100, 183, 200, 24],
      ],
      distances: [3, 63],
    },
  ],
  ['a column far away', { relation: 'right-of', others: [[980, 98, 100, 24]], distances: [null] }],
  [
    'a column far away, with a limit',
    { relation: 'right-of', limit: 900, others: [[980, 98, 100, 24]], distances: [820] },
  ],
  ['near, 30 and 30 away', { relation: 'near', others: [[190, 150, 20, 20]], distances: [42.4] }],
  ['near, 40 and 40 away', { relation: 'near', others: [[200, 160, 20, 20]], distances: [null] }],
  [
    'a group box',
    {
      relation: 'inside',
      anchor: [0, 0, 200, 100],
      others: [
        [10, 10, 50, 20],
        [175, 10, 50, 20],
        [-1, 0, 60, 20],
      ],
      distances: [0, null, 0],
    },
  ],
  [
    'a group box and one of the same size',
    { relation: 'inside', anchor: [0, 0, 200, 100], others: [[0, 0, 200, 100]], distances: [null] },
  ],
  ['left of a check box', { relation: 'left-of', others: [[60, 102, 16, 16]], distances: [24] }],
  ['above', { relation: 'above', others: [[100, 60, 60, 20]], distances: [20] }],
  ['above, by less than half', { relation: 'above', others: [[135, 60, 60, 20]], distances: [null] }],
  [
    'outside the centre line',
    {
      relation: 'below',
      anchor: [100, 100, 100, 20],
      others: [
        [100, 125, 60, 20],
        [100, 125, 30, 20],
      ],
      distances: [5, 25],
    },
  ],
  [
    'twice the scale doubles the limit',
    { relation: 'below', scale: 2, others: [[100, 500, 60, 20]], distances: [380] },
  ],
  [
    'a stated limit does not scale',
    { relation: 'below', scale: 2, limit: 200, others: [[100, 500, 60, 20]], distances: [null] },
  ],
];

it.each(SCENES)('%s', (_, { relation, anchor = LABEL, others, limit, scale, distances }) => {
  const candidates = others.map((other) => ({ bounds: box(other) }));
  const related = relate(box(anchor), candidates, relation, limit, scale);
  const found = candidates.map((candidate) => related.find((one) => one.candidate === candidate)?.distance ?? null);
  expect(found.map((distance) => distance && Math.round(distance * 10) / 10)).toEqual(distances);
});

it('sorts by distance, and keeps only candidates that are as near as the nearest', () => {
  const at = (x: number): { x: number; bounds?: Box } => ({ x, bounds: box([x, 100, 20, 20]) });
  const related = relate(box(LABEL), [at(300), at(174), { x: 0 }, at(170)], 'right-of');
  expect(related.map(({ candidate }) => candidate.x)).toEqual([170, 174, 300]);
  expect(nearestOf(related, 'right-of').map(({ candidate }) => candidate.x)).toEqual([170, 174]);
  expect(nearestOf(relate(box(LABEL), [at(170), at(175)], 'right-of'), 'right-of')).toHaveLength(1);
  expect(nearestOf(relate(box(LABEL), [at(170), at(175)], 'right-of'), 'right-of', 2)).toHaveLength(2);
  expect(nearestOf([], 'near')).toEqual([]);
});

it('keeps the order of all elements inside', () => {
  const others = [3, 1, 2].map((n) => ({ n, bounds: box([n * 10, 10, 5, 5]) }));
  const related = nearestOf(relate(box([0, 0, 100, 100]), others, 'inside'), 'inside');
  expect(related.map(({ candidate }) => candidate.n)).toEqual([3, 1, 2]);
});
