import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { govern, type PolicyFile } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Asked } from './policy-request.js';
import { denied, Governor } from './authorizer.js';

const asked = (kind: Asked['class'], tool = `ui_${kind}`): Asked => ({ tool, class: kind, caller: 'mcp:a', args: {} });
const GRANTED = { session: 'mcp:a', tool: 'ui_act', class: 'act', program: '/usr/bin/crm', risk: 'low' } as const;

function stage(user: Partial<PolicyFile> = {}, changed: string[] = []) {
  const rules = govern({ user: { version: 1, ...user } }, 'virtual');
  const governor = new Governor('virtual', { rules, ledger: new MemoryLedger(), changed: () => changed });
  const ask = (session: string) =>
    governor.questions.ask({
      session,
      subjectHash: '',
      shown: {},
      widest: 'once',
      channels: ['terminal'],
      seconds: 60,
    });
  return { governor, rules, ask };
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
  const rules = govern({}, 'virtual');
  const strict = { rules: govern({}, 'seat'), changed: () => ['theirs.json'] };
  const inProject = (directory: string) => (directory === '/elsewhere' ? undefined : strict);
  const governor = new Governor('virtual', { rules, ledger: new MemoryLedger(), changed: () => ['ours'], inProject });

  it('of a project its rules hold, and a change of its file counts', () => {
    const within = governor.within('/project');
    expect([within.rules, within.changedFiles]).toEqual([strict.rules, ['ours', 'theirs.json']]);
  });

  it.each([undefined, '/elsewhere'])('in %s it is as ever', (directory) => {
    expect(governor.within(directory)).toBe(governor);
  });
});

describe('policy files that changed on disk', () => {
  it.each<[Asked['class'], boolean]>([
    ['read', true],
    ['capture', true],
    ['act', false],
    ['raw', false],
  ])('%s passes: %s', (kind, passes) => {
    const { governor } = stage({}, ['a.yaml']);
    expect(refusal(() => governor.admit(asked(kind))) === undefined).toBe(passes);
  });

  it.each([
    [['a.yaml'], 'The policy changed on disk: a.yaml.'],
    [['a.yaml', 'b.yaml', 'c.yaml'], 'The policy changed on disk: a.yaml and 2 more.'],
  ])('%j are named, also when the target is known', (files, message) => {
    const { governor } = stage({}, files);
    expect(refusal(() => governor.judge(asked('act'), {}))).toMatchObject({
      code: 'policy_denied',
      message,
      retry: 'after',
    });
    expect(governor.changedFiles).toEqual(files);
  });

  it('count no more once they are read again, and nothing that was allowed before does', async () => {
    const { governor, rules, ask } = stage({}, ['a.yaml']);
    governor.grants.give('session', GRANTED);
    const { closed } = ask('mcp:a');
    governor.replace(rules, () => []);
    expect(refusal(() => governor.admit(asked('act')))).toBeUndefined();
    expect(governor.grants.all).toEqual([]);
    expect(await closed).toEqual({ state: 'void', why: 'the policy was read again' });
  });
});

it('a rule that denies refuses at the first and at the second question; others do not', () => {
  const { governor } = stage({
    rules: [{ name: 'keep', decision: 'deny', when: { class: 'raw' }, reason: 'no pixels' }],
  });
  const refused = {
    code: 'policy_denied',
    message: 'ui_raw is refused by rule keep: no pixels.',
    details: { rule: 'keep' },
  };
  expect(refusal(() => governor.admit(asked('raw')))).toMatchObject(refused);
  expect(refusal(() => governor.judge(asked('raw'), {}))).toMatchObject(refused);
  expect(governor.admit(asked('act')).answer).toBe('allow');
  expect(governor.judge(asked('act'), { role: 'button' }).answer).toBe('allow');
  expect(denied('ui_act', { answer: 'deny', rule: 'r' }).message).toBe('ui_act is refused by rule r.');
});

describe('a session', () => {
  it('is enabled by itself, and alone or with all others disabled', () => {
    const { governor } = stage();
    for (const session of ['a', 'b', 'c']) governor.enable(session);
    expect(governor.disable('a')).toBe(true);
    expect(governor.disable('a')).toBe(false);
    expect(['a', 'b', 'c'].map((session) => governor.isEnabled(session))).toEqual([false, true, true]);
    expect(governor.disable()).toBe(true);
    expect(governor.disable()).toBe(false);
    expect(governor.isEnabled('b')).toBe(false);
  });

  it('leaves nothing behind: not that it was enabled, no grant, no question; others keep theirs', async () => {
    const { governor, ask } = stage();
    for (const session of ['mcp:a', 'mcp:b']) {
      governor.enable(session);
      governor.grants.give('session', { ...GRANTED, session });
    }
    const { closed } = ask('mcp:a');
    ask('mcp:b');
    governor.endSession('mcp:a');
    expect(await closed).toMatchObject({ state: 'void' });
    expect([governor.isEnabled('mcp:a'), governor.isEnabled('mcp:b')]).toEqual([false, true]);
    expect(governor.grants.all.map(({ session }) => session)).toEqual(['mcp:b']);
    expect(governor.questions.all.map(({ session }) => session)).toEqual(['mcp:b']);
  });
});

it('is attended as long as somebody looks, however often they say that they have gone', () => {
  const { governor } = stage();
  expect(governor.attended).toBe(false);
  const [first, second] = [governor.attend(), governor.attend()];
  first();
  first();
  expect(governor.attended).toBe(true);
  second();
  expect(governor.attended).toBe(false);
});

describe('limits', () => {
  it('are held by the minute, and say when there is room', () => {
    const { governor } = stage({ limits: { actsPerMinute: 1, capturesPerMinute: 0 } });
    governor.count(asked('act'));
    governor.count(asked('read'));
    expect(refusal(() => governor.count(asked('act')))).toMatchObject({
      ...{ code: 'rate_limited', message: 'ui_act: 1 acts a minute are the limit.', retry: 'after' },
      retryAfter: expect.stringMatching(/^\d+ s$/) as string,
      details: { limit: 'actsPerMinute', perMinute: 1 },
    });
    expect(refusal(() => governor.count(asked('capture')))).toMatchObject({ code: 'rate_limited', retry: 'no' });
  });

  it('are those of whole policies', () => {
    const decide = () => ({ answer: 'allow', rule: 'all' }) as const;
    const governor = new Governor('virtual', { rules: { decide }, ledger: new MemoryLedger() });
    for (let times = 0; times < 1_000; times++) governor.count(asked('act'));
    expect(refusal(() => governor.admit(asked('act')))).toBeUndefined();
  });
});
