import { describe, expect, it } from 'vitest';
import { compilePolicy, parsePolicy } from '../policy/index.js';
import type { CallStep, Trace } from './index.js';
import { rehearsalLines } from '../surfaces/cli/policy/rehearse.js';
import { changeOf, rehearseTrace, type RehearsedCall } from './rehearsal.js';

const policy = (rules: string) =>
  compilePolicy({ user: parsePolicy(`version: 1\n${rules}`, { tier: 'user', file: 'p' }).policy }, 'virtual');
const FREE = policy('');
const STRICT = policy('profile: { virtual: readonly }\nenabled: true');

const CLICK: CallStep = {
  ...{ number: 1, seq: 7, at: '2026-11-15T10:30:45.120Z', kind: 'act', result: 'ok', tool: 'ui_click' },
  caller: { surface: 'mcp', session: 's7' },
  decision: { answer: 'allow', rule: 'private/act-medium' },
  args: { target: 'button:Save' },
  target: { role: 'button', name: 'Save', window: 'notes - Mousepad' },
  app: { program: '/usr/bin/mousepad', name: 'Mousepad' },
  confidence: 0.9,
};
const traceWith = (...steps: Partial<CallStep>[]): Trace =>
  ({ steps: steps.map((step) => ({ ...CLICK, ...step })) }) as unknown as Trace;
const only = (step: Partial<CallStep>, under = FREE) => rehearseTrace(traceWith(step), under, 'virtual').calls[0];

describe('a call of a log is decided again', () => {
  it.each<[string, Partial<CallStep>, string, object]>([
    ['as before', {}, '', { then: 'allow', now: ['allow'], change: 'same' }],
    ['by its program', {}, rule('app: "*/mousepad"', 'deny'), { now: ['deny'], change: 'stricter', rule: 'r' }],
    ['by its name', {}, rule('name: Save, window: "*Mousepad"', 'ask'), { now: ['ask'], change: 'stricter' }],
    ['by how it was found', {}, rule('method: name', 'deny'), { change: 'stricter' }],
    ['by how it was found: a ref', { args: { target: 'e12' } }, rule('method: id', 'deny'), { change: 'stricter' }],
    ['by how it was found: not so', { args: { target: 'e12' } }, rule('method: name', 'deny'), { change: 'same' }],
    ['by how sure it was', {}, rule('confidence: "<0.95"', 'deny'), { change: 'stricter' }],
    ['by who called', {}, rule('caller: mcp', 'deny'), { change: 'stricter' }],
    ['by its arguments', {}, rule('args: { target: "*Save" }', 'deny'), { change: 'stricter' }],
    [
      'a question of then',
      { decision: { answer: 'ask', rule: 'x', by: 'terminal' } },
      '',
      { then: 'ask', change: 'looser' },
    ],
    [
      'what the user refused',
      { kind: 'refused', decision: { answer: 'deny', rule: 'x' }, outcome: outcome('approval_denied') },
      '',
      { then: 'ask', change: 'looser' },
    ],
    [
      'a call that was refused before its target was found, with only the facts in the log',
      { kind: 'refused', target: undefined, app: undefined, decision: { answer: 'deny', rule: 'x' } },
      '',
      { then: 'deny', now: ['allow', 'ask', 'deny'], change: 'open' },
    ],
    [
      'text of which only a mark is left: it may have pressed Enter',
      { tool: 'ui_type', args: { text: '‹secret:vpn›', target: 'e1' } },
      rule('tool: ui_key', 'deny'),
      { now: ['allow', 'deny'], change: 'open' },
    ],
    [
      'what a rule with the name of a stop refused',
      {
        ...{ kind: 'refused', outcome: outcome('policy_denied') },
        decision: { answer: 'deny', rule: 'stop', tier: 'user' },
      },
      rule('app: "*/mousepad"', 'deny'),
      { then: 'deny', change: 'same' },
    ],
    [
      'a decision of the same policy by facts that the log does not contain: the button around a word',
      { decision: { answer: 'ask', rule: 'x', policy: FREE.hash } },
      '',
      { then: 'ask', now: ['allow', 'ask'], change: 'open' },
    ],
    [
      'a decision of another policy by facts that the log does not contain',
      { decision: { answer: 'ask', rule: 'x', policy: STRICT.hash, risk: { level: 'high', score: 7 } } },
      '',
      { then: 'ask', now: ['allow', 'ask'], change: 'open' },
    ],
    [
      'what another policy decides from the log',
      { decision: { answer: 'ask', rule: 'x', policy: STRICT.hash, risk: { level: 'medium', score: 4 } } },
      '',
      { then: 'ask', now: ['allow'], change: 'looser' },
    ],
    [
      'text that is whole',
      { tool: 'ui_type', args: { text: 'plain', target: 'e1' } },
      rule('tool: ui_key', 'deny'),
      { now: ['allow'], change: 'same' },
    ],
  ])('%s', (_, step, rules, expected) => {
    expect(only(step, policy(rules))).toMatchObject(expected);
  });

  it.each<[string, Partial<CallStep>, string]>([
    ['a tool of another version', { tool: 'ui_fly' }, 'a tool that does not exist'],
    ['a limit', { kind: 'refused', outcome: outcome('rate_limited') }, 'not decided by a rule'],
    [
      'a stop',
      { kind: 'refused', decision: { answer: 'deny', rule: 'stop' }, outcome: outcome('policy_denied') },
      'not decided by a rule',
    ],
    [
      'a changed file',
      { kind: 'refused', decision: { answer: 'deny', rule: 'policy_denied' }, outcome: outcome('policy_denied') },
      'not decided by a rule',
    ],
    [
      'keys that were cut',
      { tool: 'ui_key', args: { keys: 'ctrl+s ctr…(+90)' } },
      'arguments that the log does not contain',
    ],
  ])('%s is left out with a reason', (_, step, why) => {
    expect(rehearseTrace(traceWith(step, step), FREE, 'virtual')).toEqual({ calls: [], left: [{ why, count: 2 }] });
  });
});

it.each([
  ['allow', ['allow'], 'same'],
  ['allow', ['ask'], 'stricter'],
  ['allow', ['ask', 'deny'], 'stricter'],
  ['deny', ['allow', 'ask'], 'looser'],
  ['ask', ['ask', 'deny'], 'open'],
  ['ask', ['allow', 'deny'], 'open'],
] as const)('%s, then %j: %s', (then, now, change) => expect(changeOf(then, now)).toBe(change));

it('prints very long logs', () => {
  const calls = Array<RehearsedCall>(200_000).fill(only({})!);
  expect(rehearsalLines({ calls, left: [] }, (_, text) => text).at(-1)).toBe('200000 calls: 200000 as before');
});

it('prints one line per call, with screen text in quotes, and the totals', () => {
  const read: Partial<CallStep> = { seq: 9, kind: 'read', tool: 'ui_snapshot', args: {}, target: undefined };
  const lines = (under: typeof FREE) =>
    rehearsalLines(
      rehearseTrace(
        traceWith({}, { seq: 12, target: { role: 'button', name: 'Say "no"\u202e' } }, read),
        under,
        'virtual',
      ),
      (_, text) => text,
    );
  expect(lines(STRICT)).toEqual([
    ' #7  click button "Save" in "notes - Mousepad"         allow -> deny  rule readonly/act-medium (built-in)',
    '#12  click button "Say \\"no\\"" in "/usr/bin/mousepad"  allow -> deny  rule readonly/act-medium (built-in)',
    '3 calls: 1 as before, 2 stricter',
  ]);
  expect(lines(FREE).at(-1)).toBe('3 calls: 3 as before');
});

function rule(when: string, decision: string): string {
  return `rules: [{ name: r, when: { ${when} }, decision: ${decision} }]`;
}

function outcome(error: NonNullable<CallStep['outcome']>['error']): CallStep['outcome'] {
  return { seq: 8, at: CLICK.at, status: 'refused', error };
}
