import { afterEach, describe, expect, it } from 'vitest';
import { MemoryLedger, type Ledger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type Policy, type PolicyRequest } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError, exitCodeOf } from '../../shared/index.js';
import { failureText, TOOLS } from '../index.js';

const form: WindowSpec = {
  key: 'form',
  title: 'Accounts',
  app: 'crm',
  bounds: { x: 0, y: 0, width: 400, height: 400 },
  children: [
    { role: 'button', name: 'Create', does: (controls) => controls.setName('Status', 'Created') },
    { role: 'button', name: 'Delete' },
    { role: 'label', key: 'Status', name: 'Empty' },
  ],
};

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

function open(options: { kind?: 'seat' | 'virtual'; policy?: Policy; ledger?: Ledger }): void {
  fake = fakeDesktop({ windows: [form] });
  desktop = new Desktop({ name: 'crm', driver: fake.driver, ...options });
}

async function call(tool: string, args: object): Promise<Record<string, unknown> | DesktopError> {
  return perform(desktop, TOOLS, { tool, args, caller: 'me' }).then(
    ({ json }) => json,
    (error: unknown) => {
      if (error instanceof DesktopError) return error;
      throw error;
    },
  );
}

it.each([
  ['Ledger 1', 'Ledger 2', 'is hidden'],
  ['Notes', 'Ledger', 'turns into a hidden one'],
  ['Ledger', 'Notes', 'was hidden'],
])('the new title of a window %s that is %s now is not reported where it %s', async (was, is) => {
  const does: WidgetSpec['does'] = (controls) => controls.setTitle('other', is);
  const user = { version: 1 as const, windows: { block: ['*Ledger*'] } };
  fake = fakeDesktop({
    windows: [
      { key: 'other', title: was, app: 'crm' },
      { ...form, children: [{ role: 'button', name: 'Save', does }] },
    ],
  });
  desktop = new Desktop({
    name: 'crm',
    driver: fake.driver,
    kind: 'virtual',
    policy: compilePolicy({ user }, 'virtual'),
  });
  const args = { target: 'button:Save', settleMs: 60 };
  const { text, json } = await perform(desktop, TOOLS, { tool: 'ui_click', args, caller: 'me' });
  expect(fake.diary).toEqual(['invoke button "Save"']);
  expect(text + JSON.stringify(json)).not.toMatch(/Ledger|was named/);
});

it.each([
  ['Ledger', false],
  ['Papers', true],
])('the changes of a batch in a window with the title %s at its end are reported: %s', async (title, reported) => {
  const notes: WindowSpec = { ...form, key: 'notes', title: 'Notes', app: 'notes' };
  const rename: WindowSpec = {
    ...{ key: 'other', title: 'Other', app: 'other' },
    children: [
      { role: 'button', name: 'Rename', does: (controls) => controls.setTitle('notes', title) },
      { role: 'checkbox', name: 'Done', states: { checked: false } },
    ],
  };
  const user = { version: 1 as const, windows: { block: ['*Ledger*'] } };
  fake = fakeDesktop({ windows: [notes, rename] });
  desktop = new Desktop({
    name: 'crm',
    driver: fake.driver,
    kind: 'virtual',
    policy: compilePolicy({ user }, 'virtual'),
  });
  const steps = [
    { tool: 'ui_click', target: 'button:Create', settleMs: 60 },
    { tool: 'ui_click', target: 'button:Rename', settleMs: 60 },
    { tool: 'ui_act', action: 'check', target: 'checkbox:Done', settleMs: 60 },
  ];
  const { text, json } = await perform(desktop, TOOLS, { tool: 'ui_batch', args: { steps }, caller: 'me' });
  const all = text + JSON.stringify(json.changes);
  expect(all).toMatch(/checked \(was unchecked\)/);
  expect(all.includes('Created')).toBe(reported);
  expect(all).not.toContain('Ledger');
});

it.each([
  ['Ledger', false],
  ['Papers', true],
])('so are those of a batch that failed after a window got the title %s: %s', async (title, reported) => {
  const notes: WindowSpec = { ...form, key: 'notes', title: 'Notes', app: 'notes' };
  const does: WidgetSpec['does'] = (controls) => controls.setTitle('notes', title);
  const rename: WindowSpec = {
    ...{ key: 'other', title: 'Other', app: 'other' },
    children: [
      { role: 'button', name: 'Rename', does },
      { role: 'button', name: 'Off', states: { enabled: false } },
    ],
  };
  const user = { version: 1 as const, windows: { block: ['*Ledger*'] } };
  fake = fakeDesktop({ windows: [notes, rename] });
  desktop = new Desktop({
    name: 'crm',
    driver: fake.driver,
    kind: 'virtual',
    policy: compilePolicy({ user }, 'virtual'),
  });
  const click = (name: string): object => ({
    tool: 'ui_click',
    target: `button:${name}`,
    settleMs: 60,
    timeoutMs: 300,
  });
  const failed = await call('ui_batch', { steps: [click('Create'), click('Rename'), click('Off')] });
  const { details } = failed as DesktopError;
  const all = failureText(failed as DesktopError) + JSON.stringify(details?.changesBefore ?? []);
  expect(all).toContain('Step 3 of 3');
  expect(all.includes('Created')).toBe(reported);
  expect(all).not.toContain('Ledger');
});

describe('a user desktop', () => {
  it.each([
    ['ui_query', { target: 'button:Create' }, 'approval_required'],
    ['ui_click', { target: 'button:Create' }, 'approval_required'],
    ['ui_clipboard', {}, 'policy_denied'],
    ['ui_clipboard', { text: 'x' }, 'approval_required'],
    ['ui_batch', { steps: [{ tool: 'ui_click', target: 'button:Create' }] }, 'approval_required'],
    ['ui_click_xy', { x: 10, y: 10 }, 'policy_denied'],
    ['ui_capture', {}, 'policy_denied'],
  ])('refuses %s before the user has enabled the session', async (tool, args, code) => {
    open({ kind: 'seat' });
    const refused = await call(tool, args);
    expect(refused).toMatchObject({ code, delivered: 'no' });
    expect(exitCodeOf((refused as DesktopError).code)).toBe(3);
    expect(fake.diary).toEqual([]);
  });

  it.each([
    ['ui_query', { target: 'button:Create' }, undefined],
    ['ui_scroll', { target: 'button:Create', direction: 'down' }, undefined],
    ['ui_click', { target: 'button:Create' }, 'approval_required'],
    ['ui_capture', {}, 'policy_denied'],
  ])('once enabled, %s is decided by its risk', async (tool, args, code) => {
    open({ kind: 'seat', policy: compilePolicy({ user: { version: 1, enabled: true } }, 'seat') });
    const answer = await call(tool, args);
    if (code === undefined)
      expect(answer).not.toMatchObject({ code: expect.stringMatching(/policy|approval/) as string });
    else expect(answer).toMatchObject({ code, delivered: 'no' });
    expect(fake.diary.filter((line) => line.startsWith('invoke'))).toEqual([]);
  });

  it('is assumed for a desktop of unknown kind', async () => {
    open({});
    expect(await call('ui_click', { target: 'button:Create' })).toMatchObject({ code: 'approval_required' });
    expect(fake.diary).toEqual([]);
  });

  it.each([
    ['cli', 'The user has to enable it: deskproof enable.'],
    ['mcp:a', /^The user has to approve this session \(deskproof approvals\) or /],
    ['library:b', /^The user has to approve this session \(deskproof approvals\) or /],
  ])('reports to %s what would enable it', async (caller, hint) => {
    open({ kind: 'seat', policy: compilePolicy({}, 'seat') });
    const refused: unknown = await perform(desktop, TOOLS, { tool: 'ui_list_windows', args: {}, caller }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: 'approval_required', hint: expect.stringMatching(hint) as string });
  });
});

describe('policy', () => {
  it('is asked before the target is known, and again with its facts', async () => {
    const request: PolicyRequest[] = [];
    open({
      kind: 'virtual',
      policy: { decide: (question) => (request.push(question), { answer: 'allow', rule: 'all' }) },
    });
    await call('ui_click', { target: 'button:Create', settleMs: 60 });
    const first = { tool: 'ui_click', class: 'act', caller: 'me', desktop: 'virtual' };
    const target = { appName: 'crm', window: 'Accounts', role: 'button', name: 'Create' };
    expect(request[0]).toMatchObject(first);
    expect(request[0]).not.toHaveProperty('target');
    expect(request[1]).toMatchObject({ ...first, target });
    // Whether the pixels of its window may be compared.
    expect(request[2]).toMatchObject({ tool: 'ui_capture', class: 'capture', target: { window: 'Accounts' } });
    expect(request).toHaveLength(3);
  });

  it('that refuses the target leaves it untouched', async () => {
    const decide = ({ target }: PolicyRequest) =>
      target?.name === 'Delete'
        ? ({ answer: 'deny', rule: 'keep', reason: 'nothing is deleted here' } as const)
        : ({ answer: 'allow', rule: 'all' } as const);
    open({ kind: 'virtual', policy: { decide } });
    expect(await call('ui_click', { target: 'button:Delete' })).toMatchObject({
      code: 'policy_denied',
      message: 'ui_click is refused by rule keep: nothing is deleted here.',
    });
    expect(await call('ui_drag', { from: 'button:Create', to: 'button:Delete' })).toMatchObject({
      code: 'policy_denied',
    });
    expect(fake.diary).toEqual([]);
  });
});

describe('the log', () => {
  it('has the intent before the act and its outcome after it', async () => {
    const ledger = new MemoryLedger();
    const diaryAtIntent: string[][] = [];
    const intent = ledger.intent.bind(ledger);
    ledger.intent = (record) => {
      diaryAtIntent.push([...fake.diary]);
      return intent(record);
    };
    open({ kind: 'virtual', ledger });
    await call('ui_click', { target: 'button:Create', settleMs: 60 });
    await call('ui_click', { target: 'button:Create', settleMs: 60, verify: 'button:Nowhere', timeoutMs: 100 });
    expect(diaryAtIntent).toEqual([[], ['invoke button "Create"']]);
    expect(ledger.records).toMatchObject([
      {
        kind: 'intent',
        seq: 1,
        tool: 'ui_click',
        caller: { surface: 'me', session: 'me' },
        args: { target: 'button:Create' },
        decision: { answer: 'allow', rule: 'private/act-medium', tier: 'built-in' },
        target: { name: 'Create', window: 'Accounts' },
      },
      { kind: 'outcome', seq: 2, of: 1, status: 'ok', delivered: 'yes', changed: 'yes' },
      { kind: 'intent', seq: 3 },
      { kind: 'outcome', of: 3, status: 'failed', delivered: 'yes', error: 'verify_failed' },
    ]);
  });

  it('says of a refusal what it was about, by which rule and at what risk; of a hidden window it says nothing', async () => {
    const ledger = new MemoryLedger();
    const keep = { name: 'keep', decision: 'deny', when: { class: 'act', name: 'Delete' } } as const;
    open({ kind: 'virtual', ledger, policy: compilePolicy({ user: { version: 1, rules: [keep] } }, 'virtual') });
    await call('ui_click', { target: 'button:Delete' });
    expect(ledger.records).toMatchObject([
      {
        ...{ kind: 'call', status: 'refused', error: 'policy_denied' },
        decision: { answer: 'deny', rule: 'keep', tier: 'user', risk: { level: 'high', score: 7 } },
        target: { role: 'button', name: 'Delete', window: 'Accounts' },
        app: { program: '/usr/bin/crm' },
      },
    ]);
    fake.controls.setTitle('form', 'Accounts - Banking');
    await call('ui_click', { target: 'e2', timeoutMs: 50 });
    expect(JSON.stringify(ledger.records.slice(1))).not.toMatch(/Accounts|Banking|crm/);
  });

  it('that cannot be written stops the act', async () => {
    const ledger = new MemoryLedger();
    ledger.intent = () => Promise.reject(new Error('disk full'));
    open({ kind: 'virtual', ledger });
    expect(await call('ui_click', { target: 'button:Create' })).toMatchObject({
      code: 'audit_unavailable',
      delivered: 'no',
    });
    expect(fake.diary).toEqual([]);
  });

  it('that cannot record the outcome is reported, with what was done', async () => {
    const ledger = new MemoryLedger();
    ledger.outcome = () => Promise.reject(new Error('disk full'));
    open({ kind: 'virtual', ledger });
    expect(await call('ui_click', { target: 'button:Create', settleMs: 60 })).toMatchObject({
      code: 'audit_unavailable',
      delivered: 'yes',
      retry: 'no',
    });
    expect(fake.diary).toEqual(['invoke button "Create"']);
  });
});
