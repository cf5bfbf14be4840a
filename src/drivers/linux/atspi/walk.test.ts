import { expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { toolkitFrom } from './toolkit.js';
import { Walk } from './walk.js';

const BUS = ':1.5';
const [ROW, CELL] = [90, 56];
const bits = (...numbers: number[]): number => numbers.reduce((all, one) => all | (1 << one), 0) >>> 0;
const [ENABLED, SENSITIVE, SHOWING, VISIBLE] = [8, 24, 25, 30];

/** An app with one row of two cells, which are showing or not. */
function appWith(toolkit: string, cellsShow: boolean): AppCalls {
  const isRow = (path: string): boolean => path === '/row';
  const call = async (path: string, _iface: string, member: string): Promise<unknown[]> => {
    const shown = isRow(path) || cellsShow ? [SHOWING, VISIBLE] : [];
    if (member === 'GetState') return [[bits(ENABLED, SENSITIVE, ...shown), 0]];
    if (member === 'GetRole') return [isRow(path) ? ROW : CELL];
    if (member === 'GetExtents') return [[0, isRow(path) ? 0 : 1, 100, 20]];
    return member === 'GetChildren' && isRow(path) ? [['/a', '/b'].map((cell) => [BUS, cell])] : [[]];
  };
  const get = async (path: string, _iface: string, property: string): Promise<unknown> => {
    if (property === 'Name') return isRow(path) ? '' : path.slice(1);
    return property === 'ChildCount' ? (isRow(path) ? 2 : 0) : undefined;
  };
  const maybe = <T>(answer: Promise<T>): Promise<T> => answer;
  const understood = <T>(value: T): T => value;
  return {
    app: { busName: BUS, toolkit: toolkitFrom(toolkit, 'app') },
    call,
    get,
    maybe,
    understood,
  } as unknown as AppCalls;
}

test.each([
  ['Chromium', false, 0, 2],
  ['Chromium', true, 2, undefined],
  ['gtk', false, 0, undefined],
])('%s, a row whose cells show: %s; %d are returned and %s are unread', async (toolkit, show, reported, unread) => {
  const context = { place: { shift: { x: 0, y: 0 } }, enabled: true, role: 'table', depth: Infinity } as const;
  const row = await new Walk(appWith(toolkit, show), { maxNodes: 10 }).element([BUS, '/row'], context);
  expect(row).toMatchObject({ role: 'row' });
  expect([row?.children.length, row?.unread]).toEqual([reported, unread]);
});
