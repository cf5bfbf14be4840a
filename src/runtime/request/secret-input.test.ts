import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aimAt, startOf } from '../../../tests/scenes/aims.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { SecretStore, TaintTracker } from '../../secrets/index.js';
import { DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import { Desktop } from '../desktop/desktop.js';
import type { CallRequest } from './policy-request.js';
import { checkSecretInput, releaseTaint, notePlainText, withSecret } from './secret-input.js';
import { secretIn } from './tool-traits.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const VALUE = 'correct horse battery';
const MARK = '‹secret:bank›';
const PASSWORD = { states: { secret: true } } as const;
const request = (tool: string, args: CallRequest['args']): CallRequest =>
  withTraits({
    tool,
    class: 'act',
    caller: 'mcp:a',
    args,
  });
const TYPE = request('ui_type', { target: 'e7', secret: 'bank' });

let desktop: Desktop;
let taint: TaintTracker;
function open({ stored = true } = {}): void {
  const secrets = { bank: { env: 'DW_BANK', into: { app: '/usr/bin/crm' } } };
  const policy = compilePolicy({ user: { version: 1, secrets } }, 'virtual');
  const store = new SecretStore(policy.settings.secrets, { environment: { DW_BANK: VALUE } });
  taint = new TaintTracker();
  const secrecy = { taint, ...(stored && { store }) };
  desktop = new Desktop({
    name: 'desk',
    kind: 'virtual',
    driver: fakeDesktop({ windows: [] }).driver,
    policy,
    secrecy,
  });
}
beforeEach(() => open());
afterEach(() => desktop.close());

describe('the words of a call', () => {
  it.each<[string, CallRequest['args'], string | undefined]>([
    ['ui_type', { text: 'x' }, undefined],
    ['ui_type', { secret: 'bank' }, undefined],
    ['ui_set_value', { value: 'x' }, undefined],
    ['ui_type', {}, 'ui_type takes exactly one of text and secret.'],
    ['ui_type', { text: 'x', secret: 'bank' }, 'ui_type takes exactly one of text and secret.'],
    ['ui_set_value', { text: 'x' }, 'ui_set_value takes exactly one of value and secret.'],
    ['ui_click', { secret: 'bank' }, undefined],
    ['ui_click', {}, undefined],
  ])('%s %j: %s', (tool, args, message) => {
    const check = (): void => checkSecretInput(CallView.forUser(desktop), request(tool, args));
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });

  it('name a secret that there is, where there are any', async () => {
    expect(() => checkSecretInput(CallView.forUser(desktop), request('ui_type', { secret: 'bnak' }))).toThrow(/bnak/);
    await desktop.close();
    open({ stored: false });
    expect(() => checkSecretInput(CallView.forUser(desktop), TYPE)).toThrow(
      'The policy of this desktop defines no secrets.',
    );
    expect(() => checkSecretInput(CallView.forUser(desktop), request('ui_type', { text: 'x' }))).not.toThrow();
  });

  it.each<[CallRequest, string | undefined]>([
    [TYPE, 'bank'],
    [request('ui_set_value', { secret: 'bank' }), 'bank'],
    [request('ui_type', { secret: 7 }), undefined],
    [request('ui_click', { secret: 'bank' }), undefined],
  ])('%j types %s', (call, name) => {
    expect(secretIn(call)).toBe(name);
  });
});

const KEYS: ActionPlan = { verb: 'key', needs: {} };
const focusIn = ({ target, window }: ActionPlan): ActionPlan => ({
  ...KEYS,
  window,
  lands: { ...(target && { target }) },
});

describe('plain text', () => {
  it.each<[string, CallRequest, ActionPlan, boolean]>([
    ['for a password field', request('ui_type', { text: VALUE }), aimAt(PASSWORD), true],
    ['for another field', request('ui_type', { text: VALUE }), aimAt(), false],
    ['for no field', request('ui_type', { text: VALUE }), { verb: 'type', needs: {} }, false],
    ['that is none', request('ui_type', { text: '' }), aimAt(PASSWORD), false],
    ['that is a number', request('ui_set_value', { value: 471108 }), aimAt(PASSWORD), true],
    ['that is no text', request('ui_set_value', { value: { a: 1 } }), aimAt(PASSWORD), false],
    ['of another tool', request('ui_click', { text: VALUE }), aimAt(PASSWORD), false],
    ['by keys', request('ui_key', { keys: 'h u n t e r' }), aimAt(PASSWORD), true],
    ['by keys for what has the focus', request('ui_key', { keys: 'h u n' }), focusIn(aimAt(PASSWORD)), true],
    ['by keys for another field', request('ui_key', { keys: 'h u n t e r' }), aimAt(), false],
    ['by keys for an unknown target', request('ui_key', { keys: 'h u n' }), { ...KEYS, lands: {} }, false],
  ])('%s', (_, call, plan, secret) => {
    notePlainText(CallView.forUser(desktop), call, plan);
    expect(taint.empty).toBe(!secret);
    if (secret) expect(taint.fieldMark('el-7')).toBe('‹secret:typed›');
  });
});

describe('what is kept out of the log', () => {
  const IN = { window: 'win-1', title: 'Accounts' };
  it.each<[string, CallRequest, ActionPlan, unknown[]]>([
    ['a text', request('ui_type', { text: 'dear', redactInLogs: true }), aimAt(), [['dear', IN]]],
    ['a number', request('ui_set_value', { value: 4711, redactInLogs: true }), aimAt(), [['4711', IN]]],
    ['a text for no window', request('ui_type', { text: 'dear', redactInLogs: true }), KEYS, [['dear', {}]]],
    ['no text', request('ui_type', { text: '', redactInLogs: true }), aimAt(), []],
    ['a secret, which is known anyway', request('ui_type', { secret: 'bank', redactInLogs: true }), aimAt(), []],
    ['what is no text', request('ui_set_value', { value: { a: 1 }, redactInLogs: true }), aimAt(), []],
    ['a text that may be there', request('ui_type', { text: 'dear' }), aimAt(), []],
    ['a text of which nothing else is said', request('ui_type', { text: 'dear', redactInLogs: false }), aimAt(), []],
  ])('%s', (_, call, plan, kept) => {
    const withheld: unknown[] = [];
    desktop.secrecy.withhold = (text, where) => void withheld.push([text, where]);
    notePlainText(CallView.forUser(desktop), call, plan);
    expect(withheld).toEqual(kept);
  });

  it('is nothing where there is no log to keep it out of', () => {
    expect(() =>
      notePlainText(CallView.forUser(desktop), request('ui_type', { text: 'x', redactInLogs: true }), aimAt()),
    ).not.toThrow();
  });
});

it.each<[string, CallRequest, ActionPlan, boolean]>([
  ['keys that may undo', request('ui_key', { keys: 'ctrl+z Home x' }), aimAt(), true],
  ['keys for the window', request('ui_key', { keys: 'ctrl+z Home x' }), { ...KEYS, window: aimAt().window! }, true],
  ['keys for no window', request('ui_key', { keys: 'ctrl+z Home x' }), KEYS, false],
  ['one key, whose effect is seen', request('ui_key', { keys: 'ctrl+z' }), aimAt(), false],
  ['a text', request('ui_type', { text: 'ctrl+z Home x' }), aimAt(), false],
])('a secret that was replaced is taken for back after %s', (_, call, plan, back) => {
  taint.typed({ name: 'bank', value: VALUE, window: 'win-1', field: 'el-7' });
  taint.clearField('el-7');
  notePlainText(CallView.forUser(desktop), call, plan);
  expect(taint.fieldMark('el-7')).toBe(back ? MARK : undefined);
});

it('keys that come one by one are a password in the end', () => {
  for (const key of 'hunter2Secret')
    notePlainText(CallView.forUser(desktop), request('ui_key', { keys: key }), aimAt(PASSWORD));
  expect(taint.redactText('it is hunter2Secret, see')).toBe('it is ‹secret:typed›, see');
  // A single letter is all over the screen.
  expect(taint.redactText('h', { window: 'win-1' })).toBe('h');
});

describe('a secret', () => {
  const type = (plan: ActionPlan, work: (args: CallRequest['args']) => Promise<unknown>, call = TYPE) =>
    withSecret(CallView.forUser(desktop), call, { pages: [], ...plan }, work);

  it('takes its place, known everywhere before it is used, and is wiped afterwards', async () => {
    const seen: unknown[] = [];
    let wiped = 0;
    const resolve = desktop.secrecy.store!.resolve.bind(desktop.secrecy.store);
    desktop.secrecy.store!.resolve = async (name) => {
      const value = await resolve(name);
      const wipe = value.wipe.bind(value);
      value.wipe = () => (wipe(), void (wiped += 1));
      return value;
    };
    const done = await type(aimAt(), async (args) => (seen.push(args, taint.redactText(VALUE), wiped), 'done'));
    expect(done).toBe('done');
    expect(seen).toEqual([{ target: 'e7', secret: 'bank', text: VALUE }, MARK, 0]);
    expect(taint.fieldMark('el-7')).toBe(MARK);
    await expect(type(aimAt(), () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(wiped).toBe(2);
  });

  it.each([
    ['an ordinary field may be copied there', aimAt(), MARK],
    ['a password field is copied by no app', aimAt(PASSWORD), undefined],
  ])('in %s', async (_, plan, mark) => {
    await type(plan, async () => 'done');
    expect(taint.copyMark).toBe(mark);
  });

  it.each<[string, string, CallRequest, string[] | undefined]>([
    ['Enter', 'one\ntwo', TYPE, ['enter']],
    ['Tab', 'one\ttwo', TYPE, ['tab']],
    ['both, of which one is known', 'one\ntwo\tthree', { ...TYPE, presses: ['enter'] }, ['enter', 'tab']],
    ['Enter, which is known', 'one\ntwo', { ...TYPE, presses: ['enter'] }, undefined],
    ['Enter, which comes after it anyway', 'one\ntwo', request('ui_type', { secret: 'bank', enter: true }), undefined],
    ['Enter, which is not pressed', 'one\ntwo', request('ui_set_value', { secret: 'bank' }), undefined],
    ['neither', 'one two', TYPE, undefined],
  ])('that holds %s', async (_, value, call, presses) => {
    const store = new SecretStore(desktop.authorizer.rules.settings!.secrets, { environment: { DW_BANK: value } });
    desktop.secrecy.store = store;
    const done = await type(aimAt(), async () => 'done', call);
    expect(done).toEqual(presses ? { presses } : 'done');
    // Nothing is typed before it is authorized.
    expect(taint.empty).toBe(presses !== undefined);
  });

  it('none: the arguments as they are', async () => {
    const plain = request('ui_type', { text: 'x' });
    expect(await type(aimAt(), async (args) => args, plain)).toBe(plain.args);
    expect(taint.empty).toBe(true);
  });

  it.each<[string, CallRequest, ActionPlan, boolean]>([
    ['another program', TYPE, aimAt({}, { start: startOf('/usr/bin/other') }), true],
    ['no target', TYPE, { ...aimAt(), target: undefined }, true],
    ['no facts', TYPE, aimAt(), false],
    ['a name that the policy does not have', request('ui_type', { secret: 'other' }), aimAt(), true],
  ])('is refused for %s', async (_, call, plan, known) => {
    let used = false;
    const work = async (): Promise<void> => void (used = true);
    const { rules } = desktop.authorizer;
    if (!known) desktop.authorizer.replace({ ...rules, decide: () => ({ answer: 'allow', rule: 'all' }) }, () => []);
    await expect(type(plan, work, call)).rejects.toMatchObject({
      ...{ code: 'policy_denied', message: expect.stringMatching(/is for another target\.$/) as string },
    });
    expect([used, taint.empty]).toEqual([false, true]);
  });

  it('whose typing fails does not reveal its length', async () => {
    const error = new DesktopError('not_ready', 'The focus left after 12 characters of it.', {
      ...{ delivered: 'yes', details: { typed: 12, field: 'e7' } },
    });
    await expect(type(aimAt(), () => Promise.reject(error))).rejects.toMatchObject({
      ...{ code: 'not_ready', delivered: 'yes', message: 'The focus left of it.', details: { field: 'e7' } },
    });
    const typed = await type(aimAt(), () => Promise.reject(error)).catch((thrown: unknown) => thrown);
    expect((typed as DesktopError).details).not.toHaveProperty('typed');
  });
});

it.each<[string, CallRequest, ActionPlan, boolean]>([
  ['a whole new value', request('ui_set_value', { value: 'x' }), aimAt(), true],
  ['more typing', request('ui_type', { text: 'x' }), aimAt(), false],
  ['another secret', request('ui_set_value', { secret: 'bank' }), aimAt(), false],
  ['a new password', request('ui_set_value', { value: 'x' }), aimAt(PASSWORD), false],
  ['a value elsewhere', request('ui_set_value', { value: 'x' }), aimAt({ id: 'el-9' }), false],
  ['a value of nothing', request('ui_set_value', { value: 'x' }), { verb: 'set_value', needs: {} }, false],
])('a field may be read again after %s: %s', (_, call, plan, free) => {
  taint.typed({ name: 'bank', value: VALUE, window: 'win-1', field: 'el-7' });
  releaseTaint(CallView.forUser(desktop), call, plan);
  expect(taint.fieldMark('el-7')).toBe(free ? undefined : MARK);
});
