import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../index.js';
import { DesktopError } from '../../shared/index.js';
import { uiSetValue } from '../../tools/act/ui-set-value.js';
import { uiType } from '../../tools/act/ui-type.js';

const TOOLS: Tool[] = [uiSetValue, uiType];

/** Keys go to the list, as they would for a user; Delete in such a list removes the selected rows. */
const PARTS: WidgetSpec[] = [
  {
    role: 'table',
    name: 'Files',
    children: [
      { role: 'row', children: [{ role: 'cell', name: 'plain', noPattern: true }] },
      {
        role: 'row',
        children: [{ role: 'cell', name: 'chosen', noPattern: true, states: { editable: true, selected: false } }],
      },
    ],
  },
  { role: 'cell', name: 'written', noPattern: true, states: { editable: true } },
  {
    role: 'document',
    name: 'Page',
    noPattern: true,
    children: [{ role: 'paragraph', name: 'words', noPattern: true }],
  },
  {
    role: 'document',
    name: 'Letter',
    noPattern: true,
    states: { editable: true },
    children: [{ role: 'paragraph', name: 'part', noPattern: true, states: { editable: true } }],
  },
  { role: 'canvas', name: 'Drawing', noPattern: true },
  { role: 'cell', name: 'sum', facts: { cell: { row: 1, column: 1, address: 'A1' } }, states: { editable: true } },
];

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  const bounds = { x: 0, y: 0, width: 400, height: 600 };
  fake = fakeDesktop({ windows: [{ key: 'main', title: 'Main', app: 'files', bounds, children: PARTS }] });
  desktop = new Desktop({ name: 'files', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

async function call(tool: string, args: Record<string, unknown>): Promise<DesktopError | undefined> {
  try {
    await perform(desktop, TOOLS, { tool, args: { settleMs: 60, timeoutMs: 300, ...args }, caller: 'me' });
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
}

it.each([
  ['cell:plain', ['', 'new']],
  ['cell:chosen', ['', 'new']],
  ['document:Page', ['']],
  ['paragraph:words', ['', 'new']],
  ['paragraph:part', ['', 'new']],
  ['canvas:Drawing', ['']],
])('refuses a value for %s before anything is clicked or pressed', async (target, values) => {
  for (const value of values) {
    for (const method of ['auto', 'input']) {
      expect(await call('ui_set_value', { target, value, method })).toMatchObject({
        code: 'pattern_unsupported',
        delivered: 'no',
        retry: 'no',
      });
    }
  }
  expect(fake.diary).toEqual([]);
});

it.each(['cell:written', 'document:Letter'])('sets the value of %s, which is editable, with keys', async (target) => {
  await call('ui_set_value', { target, value: '' });
  expect(fake.diary).toContain('key ctrl+a');
});

it.each(['cell:plain', 'cell:chosen', 'cell:sum', 'table:Files', 'paragraph:words', 'document:Page'])(
  'refuses text for %s and types nothing into the focused element instead',
  async (target) => {
    expect(await call('ui_type', { target, text: 'abc' })).toMatchObject({
      code: 'pattern_unsupported',
      delivered: 'no',
      retry: 'no',
    });
    expect(fake.diary).toEqual([]);
  },
);

it.each([{ target: 'canvas:Drawing' }, { target: 'w1' }, {}])(
  'types text into %j, which may accept it',
  async (where) => {
    fake.controls.focus('Drawing');
    // Only up to the keys: the fake apps have no text there.
    expect((await call('ui_type', { text: 'abc', ...where }))?.message).toMatch(/offers no setText/);
  },
);
