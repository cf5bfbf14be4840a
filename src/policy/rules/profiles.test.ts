import { describe, expect, test } from 'vitest';
import type { Effect, Scope, TargetFacts } from '../decision.js';
import { compilePolicy } from '../policy.js';
import type { PolicyFile, Profile } from '../file/schema.js';
import { type Asked, withEffects } from '../../../tests/scenes/calls.js';

const found = (target: TargetFacts = {}): TargetFacts => ({
  ...{ app: '/usr/bin/mousepad', appName: 'mousepad', window: 'Notes', role: 'button', name: 'x' },
  ...{ method: 'id' as const, confidence: 1, ...target },
});

const FILE: PolicyFile = { version: 1, enabled: true, launch: { allow: ['/usr/bin/mousepad', '/usr/bin/python3*'] } };

function ask(profile: Profile, request: Partial<Asked>, file: PolicyFile = FILE) {
  const policy = compilePolicy({ user: { ...file, profile: { seat: profile } } }, 'seat');
  return policy.decide(
    withEffects({
      ...{ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'seat', args: {}, target: found() },
      ...request,
    }),
  );
}

const SCROLL: Partial<Asked> = { tool: 'ui_scroll' };
const CLICK: Partial<Asked> = {};
const DELETE: Partial<Asked> = { target: found({ name: 'Delete' }) };
const PAY: Partial<Asked> = { target: found({ app: '/usr/bin/gnucash', name: 'Pay' }) };
const READ: Partial<Asked> = { tool: 'ui_snapshot', class: 'read' };
const CAPTURE: Partial<Asked> = { tool: 'ui_capture', class: 'capture' };
const RAW: Partial<Asked> = { tool: 'ui_click_xy', class: 'raw', target: found({ method: 'point' }) };
const launch = (app: string, start: TargetFacts = { installed: true }): Partial<Asked> => ({
  tool: 'ui_launch',
  target: { app, ...start },
});
const inTerminal = (request: Partial<Asked>): Partial<Asked> => ({
  ...request,
  target: found({ app: '/usr/bin/xterm', appName: 'xterm', window: 'me@host' }),
});

describe('the profile table', () => {
  type Row = [string, Partial<Asked>, string, Effect, Effect, Effect];
  const rows: Row[] = [
    ['read', READ, 'read', 'allow', 'allow', 'allow'],
    ['capture', CAPTURE, 'capture', 'deny', 'allow', 'deny'],
    ['act, low', SCROLL, 'act-low', 'allow', 'allow', 'deny'],
    ['act, medium', CLICK, 'act-medium', 'ask', 'allow', 'deny'],
    ['act, high', DELETE, 'act-high', 'ask', 'allow', 'deny'],
    ['act, prohibited', PAY, 'act-prohibited', 'deny', 'allow', 'deny'],
    ['raw', RAW, 'raw', 'deny', 'allow', 'deny'],
    ['launch of the list', launch('/usr/bin/mousepad'), 'launch', 'ask', 'allow', 'deny'],
    ['launch of others', launch('/usr/bin/gimp'), 'launch-other', 'ask', 'allow', 'deny'],
    ['launch of a terminal', launch('/usr/bin/xterm'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of a shell', launch('/usr/bin/bash'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of an interpreter', launch('/usr/bin/node'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of a wrapper', launch('/usr/bin/setsid'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of what runs code', launch('/usr/bin/mawk'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of an editor that runs code', launch('/usr/bin/emacs-gtk'), 'launch-terminal', 'ask', 'ask', 'deny'],
    ['launch of a file', launch('/tmp/x.sh', { installed: false }), 'launch-terminal', 'ask', 'ask', 'deny'],
    [
      'launch of who knows what, by a shell',
      launch('/opt/x', { runs: ['/usr/bin/dash'] }),
      ...(['launch-terminal', 'ask', 'ask', 'deny'] as const),
    ],
    [
      'launch of an app that is a script',
      launch('/usr/bin/chromium', { runs: ['/usr/bin/dash'], installed: true }),
      ...(['launch-other', 'ask', 'allow', 'deny'] as const),
    ],
    ['launch of a listed file', launch('/usr/bin/mousepad', { installed: false }), 'launch', 'ask', 'allow', 'deny'],
    ['launch of a listed interpreter', launch('/usr/bin/python3.11'), 'launch', 'ask', 'allow', 'deny'],
    ['scroll in a terminal', inTerminal(SCROLL), 'terminal', 'ask', 'ask', 'deny'],
    ['type in a terminal', inTerminal({ tool: 'ui_type', keys: [] }), 'terminal', 'ask', 'ask', 'deny'],
    [
      'type in the terminal that an app has in its window',
      { tool: 'ui_type', keys: [], target: found({ role: 'terminal' }) },
      ...(['terminal', 'ask', 'ask', 'deny'] as const),
    ],
    ['read a terminal', inTerminal(READ), 'read', 'allow', 'allow', 'allow'],
    ['capture a terminal', inTerminal(CAPTURE), 'capture', 'deny', 'allow', 'deny'],
    [
      "act in an interpreter's window",
      { target: found({ app: '/usr/bin/python3' }) },
      ...(['act-high', 'ask', 'allow', 'deny'] as const),
    ],
    ['a tool of tomorrow', { tool: 'ui_dance' }, 'act-medium', 'ask', 'allow', 'deny'],
  ];
  const cells = rows.flatMap(([what, request, rule, guarded, own, readonly]) => [
    { what, request, rule, profile: 'guarded' as const, answer: guarded },
    { what, request, rule, profile: 'private' as const, answer: own },
    { what, request, rule, profile: 'readonly' as const, answer: readonly },
  ]);
  test.each(cells)('$what in $profile: $answer', ({ request, rule, profile, answer }) => {
    expect(ask(profile, request)).toMatchObject({
      ...{ answer, answers: [answer], rule: `${profile}/${rule}`, tier: 'built-in' },
    });
  });

  test('the reason for a refused capture also fits the clipboard', () => {
    expect(ask('guarded', { tool: 'ui_clipboard', class: 'capture' }).reason).toMatch(/clipboard contents/);
  });

  test.each<[string, Partial<Asked>]>([
    ["a terminal's window", { ...inTerminal(RAW), class: 'raw' }],
    ['the terminal that an app has in its window', { ...RAW, target: found({ role: 'terminal', method: 'point' }) }],
  ])('a raw click in %s asks on a private desktop and is denied elsewhere', (_, request) => {
    expect(ask('private', request)).toMatchObject({ answer: 'ask', rule: 'private/terminal', scope: 'once' });
    expect(ask('guarded', request)).toMatchObject({ answer: 'deny', rule: 'guarded/raw' });
    expect(ask('readonly', request)).toMatchObject({ answer: 'deny', rule: 'readonly/raw' });
  });

  test('denies an act of prohibited risk in a terminal instead of asking', () => {
    const target = found({ app: '/usr/bin/xterm', name: 'Delete', method: 'name' });
    expect(ask('guarded', { target })).toMatchObject({ answer: 'deny', rule: 'guarded/act-prohibited' });
  });

  test('refusals have a reason and a hint', () => {
    for (const request of [CAPTURE, RAW, PAY]) {
      const { reason, hint } = ask('guarded', request);
      expect([typeof reason, typeof hint]).toEqual(['string', 'string']);
    }
    expect(ask('readonly', CLICK)).toMatchObject({ reason: 'the profile readonly only allows reading' });
  });
});

describe('how much an approval may cover', () => {
  test.each<[string, Partial<Asked>, Scope]>([
    ['medium', CLICK, 'app'],
    ['high', DELETE, 'once'],
    ['in a terminal', inTerminal(SCROLL), 'once'],
    ['launch of the list', launch('/usr/bin/mousepad'), 'session'],
    ['launch of others', launch('/usr/bin/gimp'), 'once'],
  ])('%s: %s', (_, request, scope) => expect(ask('guarded', request).scope).toBe(scope));

  test('only ask has a scope', () => {
    expect(ask('guarded', READ)).not.toHaveProperty('scope');
    expect(ask('guarded', PAY)).not.toHaveProperty('scope');
  });

  test.each<[string, 'once' | 'session' | 'app', Scope]>([
    ['a rule may narrow it', 'once', 'once'],
    ['to the session', 'session', 'session'],
    ['or leave it', 'app', 'app'],
  ])('%s: %s', (_, grant, scope) => {
    const rules = [{ name: 'mine', decision: 'ask' as const, grant }];
    expect(ask('guarded', CLICK, { ...FILE, rules }).scope).toBe(scope);
    expect(ask('guarded', DELETE, { ...FILE, rules }).scope).toBe('once');
  });
});

describe('how much an approval may cover, when rules ask', () => {
  const asks = (grant?: Scope): PolicyFile['rules'] => [{ name: 'mine', decision: 'ask', ...(grant && { grant }) }];
  test.each<[string, Partial<Asked>]>([
    ['prohibited', PAY],
    ['raw, whatever it scores', { ...RAW, target: found({ method: undefined }) }],
  ])('%s: once', (_, request) => {
    expect(ask('guarded', request, { ...FILE, rules: asks('app') })).toMatchObject({ answer: 'ask', scope: 'once' });
  });

  test('of several rules that ask, the narrowest scope counts', () => {
    const policy = compilePolicy(
      {
        user: { ...FILE, rules: asks('app') },
        project: { version: 1, rules: asks('session') },
        managed: { version: 1, rules: asks() },
      },
      'seat',
    );
    const request = {
      tool: 'ui_click',
      class: 'act',
      caller: 'mcp',
      desktop: 'seat',
      args: {},
      target: found(),
    } as const;
    expect(policy.decide(withEffects(request))).toMatchObject({
      answer: 'ask',
      rule: 'mine',
      tier: 'user',
      scope: 'session',
    });
  });

  test('enabling has session scope, whatever a rule grants', () => {
    expect(ask('guarded', CLICK, { version: 1, rules: asks('once') })).toMatchObject({
      scope: 'session',
      enables: true,
    });
  });
});

test('an allow for captures needs no risk: reading changes nothing', () => {
  const rules: PolicyFile['rules'] = [{ name: 'mine', when: { class: 'capture' }, decision: 'allow' }];
  const target = found({ app: '/usr/bin/xterm', name: 'Delete', method: 'ocr' });
  expect(ask('guarded', { ...CAPTURE, target }, { ...FILE, rules })).toMatchObject({ answer: 'allow', rule: 'mine' });
});

test('asks before launching a program that is not known to be installed', () => {
  const launched = ask('private', launch('/usr/bin/gimp', {}));
  expect(launched).toMatchObject({ answer: 'ask', answers: ['allow', 'ask'], rule: 'private/launch-terminal' });
});

test('an unverified program is never in launch.allow', () => {
  const target = { appName: '/usr/bin/mousepad', installed: true };
  expect(ask('guarded', { tool: 'ui_launch', target }).rule).toBe('guarded/launch-other');
});

describe('enabled', () => {
  const OFF: PolicyFile = { version: 1 };
  test.each<[Profile, Partial<Asked>, Effect, string]>([
    ['guarded', READ, 'ask', 'guarded/not-enabled'],
    ['guarded', SCROLL, 'ask', 'guarded/not-enabled'],
    ['guarded', CLICK, 'ask', 'guarded/not-enabled'],
    ['guarded', CAPTURE, 'deny', 'guarded/capture'],
    ['readonly', READ, 'ask', 'readonly/not-enabled'],
    ['readonly', CLICK, 'deny', 'readonly/act-medium'],
    ['private', READ, 'allow', 'private/read'],
    ['private', CLICK, 'allow', 'private/act-medium'],
  ])('%s while off: %j', (profile, request, answer, rule) => {
    expect(ask(profile, request, OFF)).toMatchObject({ answer, rule });
  });

  test.each([
    ['cli', 'deskproof enable'],
    ['mcp', 'deskproof approvals'],
  ])('the hint for %s names how the user can enable it: %s', (caller, how) => {
    expect(ask('guarded', { ...CLICK, caller }, OFF).hint).toContain(how);
  });

  test('the request is to enable the session, whatever the act', () => {
    expect(ask('guarded', DELETE, OFF)).toMatchObject({ answer: 'ask', scope: 'session', enables: true });
    expect(ask('guarded', DELETE)).not.toHaveProperty('enables');
  });

  test('once the user has enabled the session, the normal rules apply', () => {
    expect(ask('guarded', { ...READ, enabled: true }, OFF).answer).toBe('allow');
    expect(ask('guarded', { ...DELETE, enabled: true }, OFF)).toMatchObject({
      answer: 'ask',
      rule: 'guarded/act-high',
    });
    expect(ask('guarded', { ...READ, enabled: false }, OFF).answer).toBe('ask');
  });

  test('no rule bypasses it', () => {
    const rules = [{ name: 'all', decision: 'allow' as const }];
    expect(ask('guarded', SCROLL, { ...OFF, rules })).toMatchObject({ answer: 'ask', enables: true });
  });
});

describe('calls that imply a second request', () => {
  test.each<[string, Partial<Asked>, Effect, string]>([
    ['a snapshot', { ...READ, pixels: false }, 'allow', 'guarded/read'],
    ['a snapshot with a picture', { ...READ, pixels: true }, 'deny', 'guarded/capture'],
    ['a click that reads pixels', { pixels: true }, 'deny', 'guarded/capture'],
    ['a snapshot with unknown arguments', { ...READ, args: undefined, target: undefined }, 'allow', 'guarded/read'],
  ])('%s', (_, request, answer, rule) => expect(ask('guarded', request)).toMatchObject({ answer, rule }));

  test('an unknown argument may imply one', () => {
    expect(ask('guarded', { ...READ, args: undefined }).answers).toEqual(['allow', 'deny']);
    expect(ask('private', { ...READ, args: undefined }).answers).toEqual(['allow']);
  });

  const rules = [{ name: 'no-keys', when: { tool: ['ui_key'] }, decision: 'deny' as const }];
  test.each<[string, string[] | undefined, Effect[]]>([
    ['letters', [], ['allow']],
    ['a line break', ['enter'], ['deny']],
    ['unknown keys', undefined, ['allow', 'deny']],
  ])('typing %s', (_, keys, answers) => {
    const typed: Partial<Asked> = { tool: 'ui_type', keys };
    expect(ask('private', typed, { ...FILE, rules }).answers).toEqual(answers);
  });
});
