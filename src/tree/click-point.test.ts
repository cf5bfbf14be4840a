import { expect, test } from 'vitest';
import type { Role } from './roles/roles.js';
import type { States } from './element.js';
import { plainClickPoint } from './click-point.js';

type Part = Parameters<typeof plainClickPoint>[0];

/** From one position to another in a row of 100 by 10. */
const part = (role: Role, from: number, to: number, more: Partial<Part> & { is?: Partial<States> } = {}): Part => {
  const { is, ...rest } = more;
  return {
    ...{ role, bounds: { x: from, y: 0, width: to - from, height: 10 }, children: [] },
    states: { enabled: true, visible: true, ...is },
    ...rest,
  };
};
const cell = (from: number, to: number, more: Parameters<typeof part>[3] = {}): Part => part('cell', from, to, more);
const row = (...children: Part[]): Part => part('row', 0, 100, { children });
const ticked = { is: { checked: true } };

test.each<[string, Part, number | undefined]>([
  ['text in the middle', row(cell(0, 30, { name: 'a' }), cell(30, 100, { name: 'b' })), undefined],
  ['nothing in it', row(), undefined],
  [
    'text, and a check mark in the middle',
    row(cell(0, 40, { name: 'Army Day' }), cell(40, 60, ticked), cell(60, 100)),
    20,
  ],
  ['text, and an unchecked box in the middle', row(cell(0, 40, { name: 'a' }), cell(40, 100)), 20],
  ['a check mark first', row(cell(0, 20, ticked), cell(20, 40, { name: 'a' }), cell(40, 100)), 30],
  ['nothing but boxes', row(cell(0, 30, ticked), cell(30, 100, ticked)), undefined],
  ['nothing but empty cells', row(cell(0, 30), cell(30, 100)), undefined],
  [
    'a button in the middle, beside a link',
    row(
      cell(0, 20, { name: 'Help', children: [part('link', 0, 20, { name: 'Help' })] }),
      cell(20, 70, { children: [part('button', 40, 60, { name: 'Delete' })] }),
      cell(70, 100, { name: 'old', children: [part('text', 70, 100, { name: 'old' })] }),
    ),
    85,
  ],
  [
    'text of a list item beside a switch',
    part('listitem', 0, 100, { children: [part('switch', 30, 100), part('label', 0, 20, { name: 'Wi-Fi' })] }),
    10,
  ],
  ['room beside a button', part('listitem', 0, 100, { children: [part('button', 10, 100, { name: 'Open' })] }), 6],
  ['nothing but a button', part('listitem', 0, 100, { children: [part('button', 0, 100, { name: 'x' })] }), undefined],
  [
    'a tree item whose middle is an item in it',
    {
      ...part('treeitem', 0, 100, { bounds: { x: 0, y: 0, width: 100, height: 30 } }),
      children: [
        part('text', 0, 50, { name: 'Fruit' }),
        part('treeitem', 0, 100, { name: 'Pear', bounds: { x: 0, y: 10, width: 100, height: 20 } }),
      ],
    },
    25,
  ],
  [
    'text out of view',
    row(cell(0, 40, { name: 'a', is: { offscreen: true } }), cell(40, 60, ticked), cell(60, 100, { name: 'b' })),
    80,
  ],
])('%s', (_, item, x) => {
  expect(plainClickPoint(item)?.x).toBe(x);
});
