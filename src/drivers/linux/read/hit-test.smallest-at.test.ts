import { expect, test } from 'vitest';
import type { Box, Node } from '../../../tree/index.js';
import type { AppCalls } from '../atspi/app-connection.js';
import { smallestAt } from './hit-test.js';

const TABLE = ':1.5/table';

function node(id: string, x: number, width: number, children: Node[] = [], column?: number): Node {
  const bounds: Box = { x, y: 0, width, height: 20 };
  const cell = column === undefined ? undefined : { row: 2, column };
  return {
    id,
    role: 'group',
    bounds,
    states: { enabled: true, visible: true },
    patterns: [],
    platformIds: {},
    children,
    ...(cell && { cell }),
  };
}

const cells = [node(`${TABLE}#r2c1`, 0, 40, [], 1), node(`${TABLE}#r2c2`, 50, 40, [], 2)];
const row = node(`${TABLE}#r2`, 0, 90, cells);
const page = node(':1.5/page', 0, 200);
const inner = node(':1.5/inner', 0, 200);

/** An app whose cells are objects of their own. `paths` records the objects that were asked. */
function table(hasCells: boolean, paths: string[]): AppCalls {
  return {
    app: { busName: ':1.5', toolkit: { name: 'gtk3' } },
    get: async (path: string) => {
      paths.push(path);
      return 4;
    },
    call: async (path: string, _: string, __: string, ___: string, at: number[]) => {
      paths.push(path);
      return hasCells ? [[':1.5', `/cell/${at.join('/')}`]] : [[':1.5', '/org/a11y/atspi/null']];
    },
    maybe: <T>(answer: Promise<T>) => answer,
    understood: <T>(value: T) => value,
  } as unknown as AppCalls;
}

test.each([
  ['a cell', 10, [page, row, ...cells], '/cell/1/0'],
  ['the other cell', 60, [page, row, ...cells], '/cell/1/1'],
  ['the nearer cell when the point lies between two', 47, [page, row, ...cells], '/cell/1/1'],
  ['the later of two equal elements', 10, [page, inner], '/inner'],
  ['an element that is an object', 150, [page, row, ...cells], '/page'],
  ['nothing', 500, [page, row, ...cells], undefined],
])('%s', async (_, x, nodes, path) => {
  const paths: string[] = [];
  expect((await smallestAt(table(true, paths), nodes, { x, y: 5 }))?.[1]).toBe(path);
  expect(paths.filter((asked) => asked !== '/table')).toEqual([]);
});

test.each([
  ['when the cell is gone', false, [row, ...cells]],
  ['when the row has no cells', true, [node(`${TABLE}#r2`, 0, 90)]],
])('returns the table itself %s', async (_, hasCells, nodes) => {
  expect(await smallestAt(table(hasCells, []), nodes, { x: 10, y: 5 })).toEqual([':1.5', '/table']);
});
