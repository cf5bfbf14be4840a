import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../index.js';
import { DesktopError } from '../../shared/index.js';
import { uiSetValue } from '../../tools/act/ui-set-value.js';
import { uiType } from '../../tools/act/ui-type.js';

const TOOLS: Tool[] = [uiSetValue, uiType];

/** The keys go where a person's would; Delete in such a list removes what is selected. */
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
  { role: 'cell', name: 'sum', told: { cell: { row: 1, column: 1, address: 'A1' } }, states: { editable: true } },
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
])('a value for %s is refused before anything is clicked or pressed', async (target, values) => {
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

it.each(['cell:written', 'document:Letter'])(
  'a value for %s, which says that it can be edited, goes by keys',
  async (target) => {
    await call('ui_set_value', { target, value: '' });
    expect(fake.diary).toContain('key ctrl+a');
  },
);

it.each(['cell:plain', 'cell:chosen', 'cell:sum', 'table:Files', 'paragraph:words', 'document:Page'])(
  'text for %s is refused, and nothing is typed into what has the keys instead',
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
  'text goes to %j, of which nobody knows',
  async (where) => {
    fake.controls.focus('Drawing');
    // As far as the keys: the fake apps have no text there.
    expect((await call('ui_type', { text: 'abc', ...where }))?.message).toMatch(/offers no setText/);
  },
);
