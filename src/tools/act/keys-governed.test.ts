import { afterEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const form: WindowSpec = {
  key: 'form',
  title: 'Accounts',
  app: 'crm',
  bounds: { x: 0, y: 0, width: 400, height: 400 },
  children: [
    { role: 'textbox', name: 'Name', value: '', states: { editable: true } },
    { role: 'textbox', name: 'Pass', value: '', states: { editable: true, secret: true } },
    { role: 'button', name: 'Delete' },
  ],
};
const RULES = [
  { name: 'never-delete', when: { name: '*Delete*' }, decision: 'deny' },
  { name: 'no-passwords', when: { secure: true }, decision: 'deny' },
] as const;

let desktop: Desktop;
let fake: FakeDesktop;
let ledger: MemoryLedger;
afterEach(() => desktop.close());

async function press(focus: string | undefined, tool: string, args: object): Promise<string> {
  fake = fakeDesktop({ windows: [form] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, rules: RULES.map((rule) => ({ ...rule })) } }, 'virtual');
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual', policy, ledger });
  if (focus !== undefined) fake.controls.focus(focus);
  return perform(desktop, TOOLS, { tool, args: { settleMs: 20, ...args }, caller: 'me' }).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const keys = (): string[] => fake.diary.filter((line) => /^(key|type) /.test(line));

it.each([
  ['Delete', 'ui_key', { keys: 'Space' }],
  ['Pass', 'ui_key', { keys: 'h u n t e r' }],
  ['Pass', 'ui_type', { text: 'hunter' }],
  ['Name', 'ui_key', { keys: 'Tab Space' }],
  ['Name', 'ui_key', { keys: 'Tab Space', target: 'textbox:Name' }],
  ['Name', 'ui_key', { keys: 'alt+d' }],
  [undefined, 'ui_key', { keys: 'Space' }],
  ['Name', 'ui_key', { keys: 'F10 Down Enter' }],
  ['Name', 'ui_type', { text: 'Ada\t\t ', target: 'textbox:Name' }],
  ['Name', 'ui_type', { text: 'Ada\n ', target: 'textbox:Name' }],
])('with the focus in %s, %s %j is decided by the element that it would be pressed on', async (focus, tool, args) => {
  expect(await press(focus, tool, args)).toBe('policy_denied');
  expect(keys()).toEqual([]);
});

it.each([
  ['Name', 'ui_key', { keys: 'a b' }],
  ['Name', 'ui_key', { keys: 'Home shift+End Delete' }],
  ['Delete', 'ui_key', { keys: 'ctrl+s' }],
  ['Delete', 'ui_key', { keys: 'Escape' }],
  ['Delete', 'ui_key', { keys: 'x', target: 'textbox:Name' }],
  ['Name', 'ui_type', { text: 'Ada\t', target: 'textbox:Name' }],
  ['Name', 'ui_type', { text: 'Ada\n', target: 'textbox:Name' }],
])('with the focus in %s, %s %j is none of that', async (focus, tool, args) => {
  expect(await press(focus, tool, args)).not.toBe('policy_denied');
  expect(keys().length).toBeGreaterThan(0);
});

it('in guarded the user is asked, since its hit target may be risky', async () => {
  fake = fakeDesktop({ windows: [form] });
  const policy = compilePolicy({ user: { version: 1, enabled: true } }, 'seat');
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'seat', policy });
  fake.controls.focus('Name');
  const pressing = perform(desktop, TOOLS, { tool: 'ui_key', args: { keys: 'Tab Space' }, caller: 'me' });
  await expect(pressing).rejects.toMatchObject({ code: 'approval_required' });
  expect(keys()).toEqual([]);
});
