// @module-tag safety

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, type PendingApproval, perform, type UserAnswer, type Secrecy } from '../../runtime/index.js';
import { LogRedactor, Masks, SecretStore, TaintTracker } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const LONG = 'corr"ect%20hörse battery';
const window = (key: string, app: string): WindowSpec => ({
  ...{ key, title: key, app, program: `/usr/bin/${app}`, bounds: { x: 0, y: 0, width: 400, height: 400 } },
  children: [
    { role: 'textbox', name: 'Login', key: `${key}-login` },
    { role: 'textbox', name: 'Password', key: `${key}-password`, states: { secret: true } },
    { role: 'label', name: 'Hello', key: `${key}-label` },
  ],
});
const SECRETS: PolicyFile['secrets'] = {
  bank: { env: 'DW_TEST_BANK', into: { app: '/usr/bin/bank' } },
  other: { env: 'DW_TEST_OTHER', into: { app: '/usr/bin/other' } },
  lines: { env: 'DW_TEST_LINES', into: { app: '/usr/bin/bank' } },
  tabs: { env: 'DW_TEST_TABS', into: { app: '/usr/bin/bank' } },
  pin: { env: 'DW_TEST_BANK', into: { app: '/usr/bin/bank', name: '*PIN*' } },
};

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let said: string[];
beforeEach(() => open());
afterEach(() => desktop.close());

function open(rules: PolicyFile['rules'] = [], ...more: WidgetSpec[]): void {
  const environment: NodeJS.ProcessEnv = {
    ...{ DW_TEST_BANK: LONG, DW_TEST_OTHER: 'something else' },
    ...{ DW_TEST_LINES: 'one line\nand more', DW_TEST_TABS: 'one side\tand more' },
  };
  const bank = window('Bank', 'bank');
  fake = fakeDesktop({ windows: [{ ...bank, children: [...bank.children!, ...more] }] });
  const policy = compilePolicy({ user: { version: 1, secrets: SECRETS, rules } }, 'virtual');
  const taint = new TaintTracker();
  const redactor = new LogRedactor(taint, new Masks([]));
  const store = new SecretStore(policy.settings.secrets, { environment });
  const secrecy: Secrecy = { store, taint, withhold: (text, where) => redactor.withhold(text, where) };
  ledger = new MemoryLedger(redactor);
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger, secrecy });
  said = [];
}

type User = (question: PendingApproval) => UserAnswer;

async function call(tool: string, args: object, user?: User): Promise<Record<string, unknown>> {
  const quick = /^ui_(type|set_value|click)$/.test(tool) ? { settleMs: 40, timeoutMs: 400 } : {};
  try {
    const onQuestion = (question: PendingApproval): void =>
      void desktop.authorizer.questions.answer(question.id, user!(question));
    const { json, text } = await perform(desktop, TOOLS, {
      ...{ tool, args: { ...quick, ...args }, caller: 'mcp:a' },
      ...(user && { onQuestion }),
    });
    said.push(text, JSON.stringify(json));
    return json;
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    said.push(error.message, JSON.stringify(error.toJSON()));
    return { ...error.toJSON() };
  }
}

const everything = (): string => [...said, JSON.stringify(ledger.records)].join('\n');
const leak = (): string | undefined =>
  [
    LONG,
    LONG.toUpperCase(),
    encodeURIComponent(LONG),
    JSON.stringify(LONG).slice(1, -1),
    'hörse battery',
    'corr"ect%20',
  ]
    .concat(Buffer.from(LONG).toString('base64').slice(0, 20))
    .find((piece) => everything().includes(piece));

it('a batch that fails after a secret was typed reports that it was, and not its value', async () => {
  const quick = { settleMs: 40, timeoutMs: 400 };
  const steps = [
    { tool: 'ui_type', secret: 'bank', target: 'textbox:Login', ...quick },
    { tool: 'ui_click', target: 'button:Gone', ...quick },
  ];
  const { details } = await call('ui_batch', { steps });
  expect(details).toMatchObject({ step: 2, changesBefore: [expect.stringContaining('‹secret:bank›')] });
  expect(leak()).toBeUndefined();
});

describe('the number of events does not reveal the length of a secret', () => {
  /** An app that says something at every key of what was typed, as real ones do. */
  const chatty = (name: string, states: WidgetSpec['states'] = {}): WidgetSpec => ({
    ...{ role: 'textbox', name, key: name, states },
    whenTyped: (controls) => {
      for (const _ of LONG) {
        for (const one of [name, 'Echo']) controls.setValue(one, LONG);
        controls.focus('Echo');
        controls.focus(name);
        controls.setTitle('Bank', `Bank of ${LONG}`);
        controls.closeWindow(controls.openWindow({ title: 'completions', app: 'bank', role: 'popup' }));
      }
    },
  });
  const ECHO: WidgetSpec = { role: 'textbox', name: 'Echo', key: 'Echo' };
  const lines = (events: unknown): string[] =>
    (events as { what: string; element?: { name: string }; times?: number }[]).map(({ what, element, times }) =>
      [what, element?.name, times].filter((word) => word !== undefined).join(' '),
    );
  const most = (words: string[]): number => Math.max(...words.map((one) => words.filter((two) => two === one).length));

  it.each<[string, string, object, WidgetSpec['states']]>([
    ['by keys', 'ui_type', { secret: 'bank', method: 'input' }, {}],
    ['at once', 'ui_type', { secret: 'bank' }, {}],
    ['as a value', 'ui_set_value', { secret: 'bank', method: 'input' }, {}],
    ['into a password field', 'ui_type', { secret: 'bank', method: 'input' }, { secret: true }],
    ['as plain text into a password field', 'ui_type', { text: LONG, method: 'input' }, { secret: true }],
  ])('%s', async (_, tool, args, states) => {
    open([], chatty('Chatty', states), ECHO);
    await call('ui_snapshot', { window: 'Bank' });
    await call('ui_events', {});
    const done = await call(tool, { target: 'textbox:Chatty', window: 'Bank', ...args });
    expect(done).toMatchObject({ delivered: 'yes' });
    expect(lines(done.events)).toContain('changed Chatty');
    expect(most(lines(done.events))).toBe(1);
    const { events } = await call('ui_events', {});
    expect(lines(events)).toContain('changed Echo');
    // Where the focus is at the end is reported once more.
    expect(most(lines(events))).toBeLessThanOrEqual(2);
    expect(lines(events).filter((one) => /\d/.test(one) && !/ 2$/.test(one))).toEqual([]);
    expect(leak()).toBeUndefined();
  });

  it('changes of other fields are reported as often as they happen', async () => {
    open([], chatty('Chatty'), ECHO);
    await call('ui_snapshot', { window: 'Bank' });
    const args = { target: 'textbox:Chatty', window: 'Bank', text: LONG, method: 'input' };
    expect(most(lines((await call('ui_type', args)).events))).toBeGreaterThan(1);
  });

  it('and afterwards the field is reported as changed once', async () => {
    open([], chatty('Chatty'), ECHO);
    await call('ui_snapshot', { window: 'Bank' });
    await call('ui_type', { target: 'textbox:Chatty', window: 'Bank', secret: 'bank', method: 'input' });
    await call('ui_events', {});
    for (let n = 0; n < 5; n++) fake.controls.setValue('Chatty', `${LONG}${n}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines((await call('ui_events', {})).events)).toEqual(['changed Chatty']);
    expect(said.join()).not.toMatch(/changed \d+ times/);
  });
});

it('the time that it takes does not reveal the length of a secret', async () => {
  const args = { target: 'textbox:Password', secret: 'bank' };
  expect(await call('ui_type', { ...args, delayMs: 1_000 })).toMatchObject({ code: 'bad_arguments', delivered: 'no' });
  expect(fake.diary).toEqual([]);
  expect(await call('ui_type', { ...args, delayMs: 0 })).toMatchObject({ delivered: 'yes' });
});

it('a secret is for the field that it is typed into, not for what is pressed with it', async () => {
  await desktop.close();
  open([], {
    ...{ role: 'button', name: 'Send the PIN', key: 'send' },
    children: [{ role: 'paragraph', name: 'Notes', key: 'notes', states: { editable: true } }],
  });
  expect(await call('ui_type', { target: 'paragraph:Notes', secret: 'pin' })).toMatchObject({ code: 'policy_denied' });
  expect(fake.diary.join('\n')).not.toContain(LONG);
});

it('what a caller keeps out of the log stays out of it when the app shows it again', async () => {
  const text = 'dear diary, today';
  await call('ui_type', { target: 'textbox:Login', text, redactInLogs: true });
  fake.controls.setName('Bank-login', text);
  fake.controls.setTitle('Bank', `${text} - Bank`);
  await call('ui_click', { target: `textbox:"${text}"` });
  expect(fake.diary.join('\n')).toContain(text);
  expect(said.join('\n')).toContain(text);
  expect(JSON.stringify(ledger.records)).not.toMatch(/diary/);
});

describe('a secret', () => {
  it.each(['Password', 'Login'])('is typed by its name into %s, and is in no answer and no record', async (field) => {
    const into = `textbox:${field}`;
    expect(await call('ui_set_value', { target: into, secret: 'bank' })).toMatchObject({ delivered: 'yes' });
    expect(fake.diary.join('\n')).toContain(`in textbox "${field}"`);
    fake.controls.setName('Bank-label', `You typed ${LONG}`);
    fake.controls.setTitle('Bank', `Bank ${LONG.toUpperCase()}`);
    await call('ui_snapshot', { window: '*' });
    await call('ui_list_windows', {});
    await call('ui_describe', { target: into });
    await call('ui_read', { target: into });
    await call('ui_query', { target: 'role=label' });
    await call('ui_events', {});
    await call('ui_click', { target: `label:"${LONG}"` });
    expect(leak()).toBeUndefined();
    expect(everything()).toContain('‹secret:bank›');
  });

  it('for another target, or of an unknown name, is refused and nothing is done', async () => {
    expect(await call('ui_type', { target: 'textbox:Login', secret: 'other' })).toMatchObject({
      ...{ code: 'policy_denied', delivered: 'no' },
      message: 'The secret "other" is for another target.',
    });
    expect(await call('ui_type', { target: 'textbox:Login', secret: 'bnak' })).toMatchObject({ code: 'bad_arguments' });
    expect(await call('ui_type', { target: 'textbox:Login', secret: 'bank', text: 'x' })).toMatchObject({
      code: 'bad_arguments',
    });
    expect(await call('ui_type', { target: 'textbox:Login' })).toMatchObject({ code: 'bad_arguments' });
    expect(fake.diary).toEqual([]);
  });

  it('leaves the field secret until another value replaces it', async () => {
    await call('ui_set_value', { target: 'textbox:Login', secret: 'bank' });
    await call('ui_read', { target: 'textbox:Login' });
    expect(said.at(-1)).toContain('‹secret:bank›');
    await call('ui_set_value', { target: 'textbox:Login', value: 'me' });
    await call('ui_read', { target: 'textbox:Login' });
    expect(said.at(-1)).toContain('me');
    expect(said.at(-1)).not.toContain('‹secret');
  });

  it('in a long text is in none of its pages, and nothing else is missing there', async () => {
    await call('ui_set_value', { target: 'textbox:Password', secret: 'bank' });
    const words = Array.from({ length: 300 }, (_, at) => `line ${at}`);
    const all = words.join(` ${LONG}\n`);
    await call('ui_set_value', { target: 'textbox:Login', value: all });
    let text = '';
    for (let start = 0, total = 1; start < total;) {
      const range = `characters ${start}-99999`;
      const page = await call('ui_read', { target: 'textbox:Login', maxTokens: 300, range });
      text += String(page.text);
      [start, total] = [Number(page.end), Number(page.total)];
    }
    expect(text).toBe(words.join(' ‹secret:bank›\n'));
    expect(leak()).toBeUndefined();
  });

  it('does not reveal its length', async () => {
    await call('ui_type', { target: 'textbox:Login', secret: 'bank' });
    expect(said[0]).toMatch(/^ok: type a secret into e\d+ textbox "Login"/);
    expect(everything()).not.toMatch(/\d+ characters/);
  });
});

describe('text of an app in which a secret was typed', () => {
  const reveal = (): void => {
    fake.controls.setState('Bank-password', 'secret', false);
    fake.controls.setName('Bank-password', 'Login key shown');
  };

  beforeEach(async () => {
    const target = { target: 'textbox:Password', window: 'Bank' };
    expect(await call('ui_type', { ...target, secret: 'bank' })).toMatchObject({ delivered: 'yes' });
  });

  it('is withheld from the clipboard, however short', async () => {
    fake.controls.copy('Bank', 'c');
    await call('ui_clipboard', {});
    expect(said.at(-1)).toContain('‹secret:bank›');
    expect(said.at(-1)).not.toContain('"c"');
  });

  it('is not pasted', async () => {
    fake.controls.copy('Bank', 'c');
    const login = { target: 'textbox:Login', window: 'Bank' };
    for (const keys of ['ctrl+v', 'ctrl+V', 'ctrl+shift+v', 'shift+Insert', 'a ctrl+v'])
      expect(await call('ui_key', { ...login, keys }), keys).toMatchObject({ code: 'policy_denied', delivered: 'no' });
    expect(await call('ui_click', { ...login, button: 'middle' })).toMatchObject({ code: 'policy_denied' });
    // What the caller wrote itself may be pasted.
    await call('ui_clipboard', { text: 'mine' });
    expect(await call('ui_key', { ...login, keys: 'ctrl+v' })).toMatchObject({ delivered: 'yes' });
  });

  it('stays secret in a password field that shows it, where nothing can be selected', async () => {
    await call('ui_snapshot', { window: 'Bank' });
    reveal();
    await call('ui_snapshot', { window: 'Bank' });
    expect(said.at(-2)).toMatch(/textbox "Login key shown".* secret: filled/);
    const field = { target: 'textbox:"Login key shown"', window: 'Bank' };
    for (const keys of [
      'ctrl+a',
      'ctrl+c',
      'ctrl+x',
      'ctrl+Insert',
      'shift+Left',
      'shift+End',
      'End shift+Home',
      'Menu',
    ])
      expect(await call('ui_key', { ...field, keys }), keys).toMatchObject({ code: 'policy_denied', delivered: 'no' });
    expect(await call('ui_click', { ...field, count: 2 })).toMatchObject({ code: 'policy_denied' });
    expect(await call('ui_click', { ...field, button: 'right' })).toMatchObject({ code: 'policy_denied' });
    expect(await call('ui_drag', { from: field.target, dx: 30, dy: 0 })).toMatchObject({ code: 'policy_denied' });
    expect(await call('ui_read', field)).not.toHaveProperty('text');
    expect(await call('ui_key', { ...field, keys: 'End' })).toMatchObject({ delivered: 'yes' });
    expect(leak()).toBeUndefined();
  });

  it('does not tell the length of a secret in it', async () => {
    fake.controls.setName('Bank-label', `You typed ${LONG}`);
    const { total } = await call('ui_read', { target: 'role=label', window: 'Bank', range: 'characters 0-3' });
    expect(total).toBe('You typed ‹secret:bank›'.length);
    const { matches } = await call('ui_query', { target: 'role=label' });
    expect((matches as object[])[0]).not.toHaveProperty('bounds');
    const fields = await call('ui_query', { target: 'textbox:Login' });
    expect((fields.matches as object[])[0]).toHaveProperty('bounds');
    await call('ui_snapshot', { window: 'Bank', bounds: true });
    expect(said.at(-2)).toMatch(/You typed ‹secret:bank›"$/m);
    await call('ui_describe', { target: 'role=label', window: 'Bank' });
    expect(said.at(-1)).not.toMatch(/"name":"You typed[^}]*"bounds"/);
  });
});

describe('a secret with Enter or Tab in it', () => {
  const keys = (decision: 'ask' | 'deny'): PolicyFile['rules'] => [
    { name: 'keys', when: { tool: 'ui_key' }, decision, ...(decision === 'ask' && { grant: 'once' }) },
  ];
  const into = { target: 'textbox:Login' };
  const typed = (): string[] => fake.diary.filter((line) => line.includes('Login'));

  it.each(['lines', 'tabs'])('is refused where those keys are: %s', async (secret) => {
    await desktop.close();
    open(keys('deny'));
    expect(await call('ui_type', { ...into, secret })).toMatchObject({ code: 'policy_denied', delivered: 'no' });
    expect(typed()).toEqual([]);
    // No key is pressed for what is set.
    expect(await call('ui_set_value', { ...into, secret })).toMatchObject({ delivered: 'yes' });
    expect(await call('ui_type', { ...into, secret: 'bank' })).toMatchObject({ delivered: 'yes' });
    expect(everything()).not.toMatch(/one (line|side)|and more/);
  });

  it.each(['lines', 'tabs'])('needs approval where those keys do, and is typed after it: %s', async (secret) => {
    await desktop.close();
    open(keys('ask'));
    expect(await call('ui_type', { ...into, secret })).toMatchObject({ code: 'approval_required' });
    expect(typed()).toEqual([]);
    const request: PendingApproval[] = [];
    const yes: User = (question) => (request.push(question), { channel: 'terminal', scope: 'once' });
    expect(await call('ui_type', { ...into, secret }, yes)).toMatchObject({ delivered: 'yes' });
    expect(request).toHaveLength(1);
    expect(typed()).not.toEqual([]);
    expect(await call('ui_type', { ...into, secret: 'bank' })).toMatchObject({ delivered: 'yes' });
    expect(JSON.stringify(request) + everything()).not.toMatch(/one (line|side)|and more/);
  });

  it('is typed where no rule asks', async () => {
    expect(await call('ui_type', { ...into, secret: 'lines' })).toMatchObject({ delivered: 'yes' });
  });
});

describe('plain text', () => {
  it('that goes into a password field is a secret from then on', async () => {
    await call('ui_set_value', { target: 'textbox:Password', value: 'hunter2!' });
    fake.controls.setName('Bank-label', 'it was hunter2!');
    await call('ui_snapshot', { window: '*' });
    expect(everything()).not.toContain('hunter2!');
    expect(everything()).toContain('‹secret:typed›');
  });
});
