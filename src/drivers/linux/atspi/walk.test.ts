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

const ENTRY = 79;

/** An app with one text field that has a harmless name. Reading its text is counted. */
function fieldWith(labels: { description?: string; id?: string; accessibleId?: string; placeholder?: string }): {
  calls: AppCalls;
  textReads: () => number;
} {
  let reads = 0;
  const attributes = Object.entries({ id: labels.id, 'placeholder-text': labels.placeholder }).filter(
    ([, value]) => value,
  );
  const call = async (_path: string, _iface: string, member: string): Promise<unknown[]> => {
    if (member === 'GetText') reads += 1;
    if (member === 'GetState') return [[bits(ENABLED, SENSITIVE, SHOWING, VISIBLE), 0]];
    if (member === 'GetRole') return [ENTRY];
    if (member === 'GetExtents') return [[0, 0, 100, 20]];
    if (member === 'GetText') return ['hunter2'];
    return [member === 'GetAttributes' ? attributes : []];
  };
  const properties: Record<string, unknown> = {
    ...{ Name: 'Value', ChildCount: 0, CharacterCount: 7 },
    ...{ Description: labels.description ?? '', AccessibleId: labels.accessibleId ?? '' },
  };
  const get = async (_path: string, _iface: string, property: string): Promise<unknown> => properties[property];
  const maybe = <T>(answer: Promise<T>): Promise<T> => answer;
  const understood = <T>(value: T): T => value;
  const app = { busName: BUS, toolkit: toolkitFrom('Chromium', 'app') };
  return { calls: { app, call, get, maybe, understood } as unknown as AppCalls, textReads: () => reads };
}

test.each([
  [{}, 'textbox'],
  [{ description: 'A number' }, 'textbox'],
  [{ description: 'Your password' }, 'passwordbox'],
  [{ id: 'api-token' }, 'passwordbox'],
  [{ accessibleId: 'passwordEntry' }, 'passwordbox'],
  [{ placeholder: 'Password' }, 'passwordbox'],
])('a text field named "Value" with %j is a %s', { tags: 'safety' }, async (labels, role) => {
  const { calls, textReads } = fieldWith(labels);
  const context = { place: { shift: { x: 0, y: 0 } }, enabled: true, role: 'group', depth: Infinity } as const;
  const field = await new Walk(calls, { maxNodes: 10 }).element([BUS, '/field'], context);
  expect(field).toMatchObject({ role });
  expect(field?.value).toBe(role === 'textbox' ? 'hunter2' : undefined);
  expect(textReads()).toBe(role === 'textbox' ? 1 : 0);
});
