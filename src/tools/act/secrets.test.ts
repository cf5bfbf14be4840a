import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { govern, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform, type Secrecy } from '../../runtime/index.js';
import { LogRedactor, Masks, SecretStore, Taint } from '../../secrets/index.js';
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
};

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let said: string[];
beforeEach(() => {
  const environment: NodeJS.ProcessEnv = { DW_TEST_BANK: LONG, DW_TEST_OTHER: 'something else' };
  fake = fakeDesktop({ windows: [window('Bank', 'bank')] });
  const policy = govern({ user: { version: 1, secrets: SECRETS } }, 'virtual');
  const taint = new Taint();
  const redactor = new LogRedactor(taint, new Masks([]));
  const store = new SecretStore(policy.settings.secrets, { environment });
  const secrecy: Secrecy = { store, taint, withhold: (text, where) => redactor.withhold(text, where) };
  ledger = new MemoryLedger(redactor);
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger, secrecy });
  said = [];
});
afterEach(() => desktop.close());

async function call(tool: string, args: object): Promise<Record<string, unknown>> {
  const quick = /^ui_(type|set_value|click)$/.test(tool) ? { settleMs: 40, timeoutMs: 400 } : {};
  try {
    const { json, text } = await perform(desktop, TOOLS, { tool, args: { ...quick, ...args }, caller: 'mcp:a' });
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

  it('for another target, or that nobody knows, is refused and nothing is done', async () => {
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

  it('does not tell its length', async () => {
    await call('ui_type', { target: 'textbox:Login', secret: 'bank' });
    expect(said[0]).toMatch(/^ok: type a secret into e\d+ textbox "Login"/);
    expect(everything()).not.toMatch(/\d+ characters/);
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
