import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import type { CallRequest } from '../request/policy-request.js';
import { deniedError, Authorizer } from './authorizer.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const request = (kind: CallRequest['class'], tool = `ui_${kind}`): CallRequest =>
  withTraits({
    tool,
    class: kind,
    caller: 'mcp:a',
    args: {},
  });
const GRANTED = { session: 'mcp:a', tool: 'ui_act', class: 'act', program: '/usr/bin/crm', risk: 'low' } as const;

function stage(user: Partial<PolicyFile> = {}, changed: string[] = []) {
  const rules = compilePolicy({ user: { version: 1, ...user } }, 'virtual');
  const authorizer = new Authorizer('virtual', { rules, ledger: new MemoryLedger(), changed: () => changed });
  const ask = (session: string) =>
    authorizer.questions.ask({
      session,
      subjectHash: '',
      shown: {},
      widest: 'once',
      channels: ['terminal'],
      seconds: 60,
    });
  return { authorizer, rules, ask };
}

function refusal(work: () => unknown): object | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return error.toJSON();
    throw error;
  }
}

describe('for a caller', () => {
  const rules = compilePolicy({}, 'virtual');
  const strict = { rules: compilePolicy({}, 'seat'), changed: () => ['theirs.json'] };
  const inProject = (directory: string) => (directory === '/elsewhere' ? undefined : strict);
  const authorizer = new Authorizer('virtual', {
    rules,
    ledger: new MemoryLedger(),
    changed: () => ['ours'],
    inProject,
  });

  it('of a project its rules hold, and a change of its file counts', () => {
    const within = authorizer.within('/project');
    expect([within.rules, within.changedFiles]).toEqual([strict.rules, ['ours', 'theirs.json']]);
  });

  it.each([undefined, '/elsewhere'])('in %s it is as ever', (directory) => {
    expect(authorizer.within(directory)).toBe(authorizer);
  });
});

describe('policy files that changed on disk', () => {
  it.each<[CallRequest['class'], boolean]>([
    ['read', true],
    ['capture', true],
    ['act', false],
    ['raw', false],
  ])('%s passes: %s', (kind, passes) => {
    const { authorizer } = stage({}, ['a.yaml']);
    expect(refusal(() => authorizer.admit(request(kind))) === undefined).toBe(passes);
  });

  it.each([
    [['a.yaml'], 'The policy changed on disk: a.yaml.'],
    [['a.yaml', 'b.yaml', 'c.yaml'], 'The policy changed on disk: a.yaml and 2 more.'],
  ])('%j are named, also when the target is known', (files, message) => {
    const { authorizer } = stage({}, files);
    expect(refusal(() => authorizer.decideOrRefuse(request('act'), {}))).toMatchObject({
      code: 'policy_denied',
      message,
      retry: 'after',
    });
    expect(authorizer.changedFiles).toEqual(files);
  });

  it('count no more once they are read again, and nothing that was allowed before does', async () => {
    const { authorizer, rules, ask } = stage({}, ['a.yaml']);
    authorizer.grants.give('session', GRANTED);
    const { closed } = ask('mcp:a');
    authorizer.replace(rules, () => []);
    expect(refusal(() => authorizer.admit(request('act')))).toBeUndefined();
    expect(authorizer.grants.all).toEqual([]);
    expect(await closed).toEqual({ state: 'void', why: 'the policy was read again' });
  });
});

it('a rule that denies refuses at the first and at the second question; others do not', () => {
  const { authorizer } = stage({
    rules: [{ name: 'keep', decision: 'deny', when: { class: 'raw' }, reason: 'no pixels' }],
  });
  const refused = {
    code: 'policy_denied',
    message: 'ui_raw is refused by rule keep: no pixels.',
    details: { rule: 'keep' },
  };
  expect(refusal(() => authorizer.admit(request('raw')))).toMatchObject(refused);
  expect(refusal(() => authorizer.decideOrRefuse(request('raw'), {}))).toMatchObject(refused);
  expect(authorizer.admit(request('act')).answer).toBe('allow');
  expect(authorizer.decideOrRefuse(request('act'), { role: 'button' }).answer).toBe('allow');
  expect(deniedError('ui_act', { answer: 'deny', rule: 'r' }).message).toBe('ui_act is refused by rule r.');
});

describe('a session', () => {
  it('is enabled by itself, and alone or with all others disabled', () => {
    const { authorizer } = stage();
    for (const session of ['a', 'b', 'c']) authorizer.enable(session);
    expect(authorizer.disable('a')).toBe(true);
    expect(authorizer.disable('a')).toBe(false);
    expect(['a', 'b', 'c'].map((session) => authorizer.isEnabled(session))).toEqual([false, true, true]);
    expect(authorizer.disable()).toBe(true);
    expect(authorizer.disable()).toBe(false);
    expect(authorizer.isEnabled('b')).toBe(false);
  });

  it('leaves nothing behind: not that it was enabled, no grant, no question; others keep theirs', async () => {
    const { authorizer, ask } = stage();
    for (const session of ['mcp:a', 'mcp:b']) {
      authorizer.enable(session);
      authorizer.grants.give('session', { ...GRANTED, session });
    }
    const { closed } = ask('mcp:a');
    ask('mcp:b');
    authorizer.endSession('mcp:a');
    expect(await closed).toMatchObject({ state: 'void' });
    expect([authorizer.isEnabled('mcp:a'), authorizer.isEnabled('mcp:b')]).toEqual([false, true]);
    expect(authorizer.grants.all.map(({ session }) => session)).toEqual(['mcp:b']);
    expect(authorizer.questions.all.map(({ session }) => session)).toEqual(['mcp:b']);
  });
});

it('is attended as long as one viewer is there, however often another one reports that it has left', () => {
  const { authorizer } = stage();
  expect(authorizer.attended).toBe(false);
  const [first, second] = [authorizer.attend(), authorizer.attend()];
  first();
  first();
  expect(authorizer.attended).toBe(true);
  second();
  expect(authorizer.attended).toBe(false);
});

describe('limits', () => {
  it('are held by the minute, and say when there is room', () => {
    const { authorizer } = stage({ limits: { actsPerMinute: 1, capturesPerMinute: 0 } });
    authorizer.count(request('act'));
    authorizer.count(request('read'));
    expect(refusal(() => authorizer.count(request('act')))).toMatchObject({
      ...{ code: 'rate_limited', message: 'The limit of 1 acts per minute is reached.', retry: 'after' },
      retryAfter: expect.stringMatching(/^\d+ s$/) as string,
      details: { limit: 'actsPerMinute', perMinute: 1 },
    });
    expect(refusal(() => authorizer.count(request('capture')))).toMatchObject({ code: 'rate_limited', retry: 'no' });
  });

  it('are those of whole policies', () => {
    const decide = () => ({ answer: 'allow', rule: 'all' }) as const;
    const authorizer = new Authorizer('virtual', { rules: { decide }, ledger: new MemoryLedger() });
    for (let times = 0; times < 1_000; times++) authorizer.count(request('act'));
    expect(refusal(() => authorizer.admit(request('act')))).toBeUndefined();
  });
});
