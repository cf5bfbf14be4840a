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
  // The app reports no accelerators: it may be the one of Delete.
  ['Name', 'ui_key', { keys: 'ctrl+s' }],
  ['Name', 'ui_key', { keys: 'F9' }],
  [undefined, 'ui_key', { keys: 'Space' }],
  ['Name', 'ui_key', { keys: 'F10 Down Enter' }],
  ['Name', 'ui_type', { text: 'Ada\t\t ', target: 'textbox:Name' }],
  ['Name', 'ui_type', { text: 'Ada\n ', target: 'textbox:Name' }],
  // Its buttons do not report which one is the default: Enter may press Delete.
  ['Name', 'ui_type', { text: 'Ada\n', target: 'textbox:Name' }],
  ['Name', 'ui_key', { keys: 'Enter' }],
  ['Name', 'ui_key', { keys: 'Down Space' }],
])('with the focus in %s, %s %j is decided by the element that it would be pressed on', async (focus, tool, args) => {
  expect(await press(focus, tool, args)).toBe('policy_denied');
  expect(keys()).toEqual([]);
});

it.each([
  ['Name', 'ui_key', { keys: 'a b' }],
  ['Name', 'ui_key', { keys: 'Home shift+End Delete' }],
  ['Delete', 'ui_key', { keys: 'ctrl+c' }],
  ['Delete', 'ui_key', { keys: 'Escape' }],
  ['Delete', 'ui_key', { keys: 'x', target: 'textbox:Name' }],
  ['Name', 'ui_type', { text: 'Ada\t', target: 'textbox:Name' }],
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

/** Where every button reports whether it is the default one. */
const reporting = (byDefault: string): WindowSpec => ({
  ...form,
  children: form
    .children!.map((one) => ({ ...one, ...(one.name === byDefault && { states: { default: true } }) }))
    .concat({
      ...{ role: 'button', name: 'Search', states: { default: byDefault === 'Search' } },
    }),
});

it.each([
  ['Search', undefined],
  ['Delete', 'Enter here would also press button "Delete", which rule never-delete denies.'],
])('Enter counts as the default button that the app reports: %s', async (byDefault, refusal) => {
  fake = fakeDesktop({ windows: [reporting(byDefault)], keyboard: true });
  const policy = compilePolicy({ user: { version: 1, rules: RULES.map((rule) => ({ ...rule })) } }, 'virtual');
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual', policy });
  fake.controls.focus('Name');
  const pressing = perform(desktop, TOOLS, { tool: 'ui_key', args: { keys: 'Enter', settleMs: 20 }, caller: 'me' });
  if (refusal !== undefined) await expect(pressing).rejects.toThrow(refusal);
  else await pressing;
  expect(fake.diary.filter((line) => line.startsWith('invoke'))).toEqual(refusal ? [] : ['invoke button "Search"']);
});

it('without a rule, a text and Enter ask nothing on a private desktop, and nothing more is read', async () => {
  fake = fakeDesktop({ windows: [reporting('Search')], keyboard: true });
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual', policy: compilePolicy({}, 'virtual') });
  const { driver } = fake;
  const read = driver.read.bind(driver);
  let wholeReads = 0;
  driver.read = (what, options) => {
    if ('window' in what && options.full) wholeReads++;
    return read(what, options);
  };
  const args = { text: 'ada', enter: true, target: 'textbox:Name', settleMs: 20 };
  await perform(desktop, TOOLS, { tool: 'ui_type', args, caller: 'me' });
  expect(fake.diary).toContain('invoke button "Search"');
  expect(wholeReads).toBe(0);
});

it.each(['alt+Tab', 'Meta', 'ctrl+alt+t', 'Print'])(
  '%s is asked about each time, whatever was granted',
  async (keys) => {
    fake = fakeDesktop({ windows: [form] });
    const rules = [{ name: 'free', when: { app: '/usr/bin/crm' }, decision: 'allow' as const }];
    const policy = compilePolicy({ user: { version: 1, enabled: true, rules } }, 'seat');
    desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'seat', policy });
    fake.controls.focus('Name');
    const widest: string[] = [];
    const asking = perform(desktop, TOOLS, {
      ...{ tool: 'ui_key', args: { keys, settleMs: 20 }, caller: 'me' },
      onQuestion: ({ id, widest: scope }) => {
        widest.push(scope);
        desktop.authorizer.questions.answer(id, { channel: 'terminal', reason: 'no' });
      },
    });
    await expect(asking).rejects.toMatchObject({ code: 'approval_denied' });
    expect(widest).toEqual(['once']);
  },
);

/** Beside a field of several lines: Enter in it presses no button. */
const notes: WindowSpec = {
  ...form,
  children: [{ role: 'textbox', name: 'Notes', value: '', states: { editable: true, multiline: true } }],
};
const popup = (more: Partial<WindowSpec>): WindowSpec => ({
  ...{ key: 'popup', title: '', app: 'crm', role: 'popup', bounds: { x: 0, y: 40, width: 90, height: 90 } },
  ...more,
});
const listed = (role: 'listitem' | 'menuitem', name: string): Partial<WindowSpec> => ({ children: [{ role, name }] });

it.each<[what: string, open: Partial<WindowSpec>, keys: string, refused: boolean]>([
  ['a suggestion', listed('listitem', 'Delete all'), 'Down', true],
  ['a suggestion', listed('listitem', 'Delete all'), 'Enter', true],
  ['a suggestion', listed('listitem', 'Delete all'), 'Tab', true],
  ['a suggestion', listed('listitem', 'Delete all'), 'Right', false],
  ['another suggestion', listed('listitem', 'Open'), 'Down', false],
  ['suggestions without a tree', { hasTree: false }, 'Down', true],
  ['a menu', { ...listed('menuitem', 'Delete all'), menu: true }, 'Down', false],
  ['a menu', { ...listed('menuitem', 'Delete all'), menu: true }, 'Enter', true],
  ['a menu without a tree', { hasTree: false, menu: true }, 'Down', false],
  ['a menu without a tree', { hasTree: false, menu: true }, 'Enter', true],
  ['suggestions of another app', { ...listed('listitem', 'Delete all'), app: 'mail', pid: 77 }, 'Down', false],
])('with %s open beside a field (%j), %s is refused: %s', async (_, open, pressed, refused) => {
  const beside: WindowSpec = { ...popup(open), ...(open.app === undefined && { of: 'form' }) };
  fake = fakeDesktop({ windows: [beside, notes] });
  const policy = compilePolicy({ user: { version: 1, rules: RULES.map((rule) => ({ ...rule })) } }, 'virtual');
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual', policy });
  fake.controls.focus('Notes');
  const pressing = perform(desktop, TOOLS, { tool: 'ui_key', args: { keys: pressed, settleMs: 20 }, caller: 'me' });
  const code = await pressing.then(
    () => 'done',
    (error: unknown) => (error as DesktopError).code,
  );
  expect([code === 'policy_denied', keys().length]).toEqual([refused, refused ? 0 : 1]);
});
