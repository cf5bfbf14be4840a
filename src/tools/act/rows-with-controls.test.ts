import { afterEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { govern } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

/** One below the other: the box is in the middle. */
const row: WidgetSpec = {
  role: 'row',
  key: 'row',
  states: { selected: false },
  children: [
    { role: 'cell', name: 'Army Day', states: { selected: false } },
    { role: 'checkbox', name: 'Havoc', states: { checked: false } },
    { role: 'cell', name: 'May', states: { selected: false } },
  ],
};

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

async function click(denied: string, tool = 'ui_click', args: object = {}): Promise<string> {
  const bounds = { x: 0, y: 0, width: 400, height: 400 };
  fake = fakeDesktop({
    windows: [{ title: 'Cards', app: 'cards', program: '/usr/bin/cards', bounds, children: [row] }],
  });
  const when = { name: denied, class: ['act' as const, 'raw' as const] };
  const policy = govern({ user: { version: 1, rules: [{ name: 'no', when, decision: 'deny' }] } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy, ledger: new MemoryLedger() });
  const call = { settleMs: 20, timeoutMs: 300, target: 'role=row', method: 'input', ...args };
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
  expect(await click('May')).not.toBe('policy_denied');
  expect(await click('Army*')).toBe('policy_denied');
  expect(fake.diary).toEqual([]);
});
