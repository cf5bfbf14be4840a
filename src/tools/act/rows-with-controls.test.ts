import { afterEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

/** One below the other, each 24 high: the box is in the middle. */
const rowOf = (key: string, words: string, box: string): WidgetSpec => ({
  role: 'row',
  key,
  states: { selected: false },
  children: [
    { role: 'cell', name: words, states: { selected: false } },
    { role: 'checkbox', name: box, states: { checked: false } },
    { role: 'cell', name: 'May', states: { selected: false } },
  ],
});
const rows = [rowOf('row', 'Army Day', 'Havoc')];

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

async function click(denied: string, tool = 'ui_click', args: object = {}, children = rows): Promise<string> {
  const bounds = { x: 0, y: 0, width: 400, height: 400 };
  fake = fakeDesktop({
    windows: [{ title: 'Cards', app: 'cards', program: '/usr/bin/cards', bounds, children }],
  });
  const when = { name: denied, class: ['act' as const, 'raw' as const] };
  const policy = compilePolicy({ user: { version: 1, rules: [{ name: 'no', when, decision: 'deny' }] } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy, ledger: new MemoryLedger() });
  const own = tool === 'ui_drag' ? {} : { target: 'role=row', method: 'input' };
  const call = { settleMs: 20, timeoutMs: 300, ...own, ...args };
  return perform(desktop, TOOLS, { tool, args: call, caller: 'me' }).then(
    ({ json }) => String(json.status),
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

it.each<[string, object]>([
  ['ui_click', {}],
  ['ui_click', { button: 'right' }],
  ['ui_act', { action: 'select' }],
])('%s %j on a row presses no control that lies in its middle', async (tool, args) => {
  expect(await click('nothing', tool, args)).not.toBe('policy_denied');
  expect(fake.diary.join()).toMatch(/Army Day/);
  expect(fake.diary.join()).not.toMatch(/Havoc/);
});

it('what is pressed is what rules are asked about', async () => {
  expect(await click('Havoc')).not.toBe('policy_denied');
  expect(await click('May')).toBe('policy_denied');
  expect(await click('Army*')).toBe('policy_denied');
  expect(fake.diary).toEqual([]);
});

const TWO = [...rows, rowOf('below', 'Workers Day', 'Ruin')];
const ARMY = 'row:"Army Day"';

it.each<[string, object, string]>([
  ['onto another one', { from: ARMY, to: 'row:"Workers Day"' }, 'drag 200,12 to 200,84'],
  ['by pixels', { from: ARMY, dx: 3, dy: 100 }, 'drag 200,12 to 203,112'],
])('a row is dragged %s by its words, and not by the control in its middle', async (_, args, line) => {
  expect(await click('nothing', 'ui_drag', args, TWO)).not.toBe('policy_denied');
  expect(fake.diary).toEqual([line]);
});

it.each<[string, string]>([
  ['Havoc', 'done'],
  ['Ruin', 'done'],
  ['Army*', 'policy_denied'],
  ['Workers*', 'policy_denied'],
])('what it is dragged by, and onto, is what rules are asked about: %s, %s', async (denied, answer) => {
  const answered = await click(denied, 'ui_drag', { from: ARMY, to: 'row:"Workers Day"' }, TWO);
  expect(answered === 'policy_denied' ? answered : 'done').toBe(answer);
  expect(fake.diary).toHaveLength(answer === 'done' ? 1 : 0);
});
