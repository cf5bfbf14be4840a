import { describe, expect, test } from 'vitest';
import type { Effect } from './decision.js';
import { compilePolicy } from './policy.js';
import type { PolicyFile, Rule } from './file/schema.js';
import type { Files } from './file/settings.js';
import { type Asked, withEffects } from '../../tests/scenes/calls.js';

const file = (rules: Rule[], more: Omit<PolicyFile, 'version' | 'rules'> = {}): PolicyFile => ({
  version: 1,
  rules,
  ...more,
});
const all = (decision: Effect): Rule => ({
  name: decision,
  decision,
  when: { risk: ['low', 'medium', 'high', 'prohibited'] },
});
const ON: Partial<PolicyFile> = { enabled: true };

function ask(files: Files, request: Partial<Asked> = {}) {
  const user = { version: 1 as const, ...ON, ...files.user };
  return compilePolicy({ ...files, user }, request.desktop ?? 'seat').decide(
    withEffects({
      ...{ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'seat', args: {} },
      target: {
        app: '/usr/bin/mousepad',
        appName: 'mousepad',
        window: 'Notes',
        role: 'button',
        name: 'OK',
        method: 'id',
        confidence: 1,
      },
      ...request,
    }),
  );
}

describe('precedence of tiers', () => {
  // The profile asks: a click of medium risk on the user's own desktop.
  test.each<[user: Effect | '–', project: Effect | '–', managed: Effect | '–', answer: Effect, tier: string]>([
    ['–', '–', '–', 'ask', 'built-in'],
    ['allow', '–', '–', 'allow', 'user'],
    ['ask', '–', '–', 'ask', 'user'],
    ['deny', '–', '–', 'deny', 'user'],
    ['–', 'allow', '–', 'ask', 'built-in'],
    ['–', 'ask', '–', 'ask', 'built-in'],
    ['–', 'deny', '–', 'deny', 'project'],
    ['–', '–', 'allow', 'allow', 'managed'],
    ['–', '–', 'ask', 'ask', 'managed'],
    ['–', '–', 'deny', 'deny', 'managed'],
    ['allow', 'allow', '–', 'allow', 'user'],
    ['allow', 'ask', '–', 'ask', 'project'],
    ['allow', 'deny', '–', 'deny', 'project'],
    ['ask', 'allow', '–', 'ask', 'user'],
    ['deny', 'allow', '–', 'deny', 'user'],
    ['allow', '–', 'allow', 'allow', 'user'],
    ['allow', '–', 'ask', 'ask', 'managed'],
    ['allow', '–', 'deny', 'deny', 'managed'],
    ['ask', '–', 'allow', 'ask', 'user'],
    ['deny', '–', 'allow', 'deny', 'user'],
    ['–', 'allow', 'allow', 'allow', 'managed'],
    ['–', 'deny', 'allow', 'deny', 'project'],
    ['–', 'allow', 'deny', 'deny', 'managed'],
    ['allow', 'ask', 'deny', 'deny', 'managed'],
    ['allow', 'deny', 'ask', 'deny', 'project'],
    ['deny', 'allow', 'allow', 'deny', 'user'],
    ['allow', 'allow', 'allow', 'allow', 'user'],
  ])('user %s, project %s, managed %s: %s by %s', (user, project, managed, answer, tier) => {
    const said = (answer: Effect | '–') => (answer === '–' ? undefined : file([all(answer)]));
    const files = { user: said(user), project: said(project), managed: said(managed) };
    expect(ask(files)).toMatchObject({ answer, answers: [answer], tier });
  });

  test('the decision lists the result of each tier', () => {
    const { said } = ask({ user: file([all('allow')]), managed: file([all('deny')]) });
    expect(said).toEqual([
      { tier: 'user', answer: 'allow', rule: 'allow' },
      { tier: 'project' },
      { tier: 'managed', answer: 'deny', rule: 'deny' },
      { tier: 'built-in', answer: 'ask', rule: 'guarded/act-medium' },
    ]);
  });
});

describe('rules of one file', () => {
  const send: Rule = { name: 'send', when: { name: 'Send*' }, decision: 'deny', reason: 'mail is sent by people' };
  test.each<[string, Rule[], string, Effect, string]>([
    ['the first that fits wins', [send, all('allow')], 'Send now', 'deny', 'send'],
    ['whatever comes after it', [all('allow'), send], 'Send now', 'allow', 'allow'],
    ['one that does not fit is passed over', [send, all('allow')], 'Cancel', 'allow', 'allow'],
    ['no rule fits', [send], 'Cancel', 'ask', 'guarded/act-medium'],
    ['no rules', [], 'Cancel', 'ask', 'guarded/act-medium'],
  ])('%s', (_, rules, name, answer, rule) => {
    const target = {
      app: '/usr/bin/mousepad',
      appName: 'm',
      window: 'W',
      role: 'button',
      name,
      method: 'id' as const,
      confidence: 1,
    };
    expect(ask({ user: file(rules) }, { target })).toMatchObject({ answer, rule });
  });

  test('reports the reason of a rule', () => {
    expect(ask({ user: file([{ name: 'no', decision: 'deny', reason: 'not today' }]) }).reason).toBe('not today');
  });
});

describe('allow covers low and medium only, unless risk is named', () => {
  const allow = (risk?: Rule['when']): Rule => ({ name: 'mine', decision: 'allow', when: { class: 'act', ...risk } });
  const named = (name: string, app = '/usr/bin/mousepad'): Partial<Asked> => ({
    target: { app, appName: 'm', window: 'W', role: 'button', name, method: 'name', confidence: 1 },
  });
  test.each<[string, Rule, Partial<Asked>, Effect]>([
    ['medium', allow(), named('OK'), 'allow'],
    ['high is not covered', allow(), named('Delete'), 'ask'],
    ['prohibited is not covered', allow(), named('Pay', '/usr/bin/gnucash'), 'deny'],
    ['high is named', allow({ risk: ['high'] }), named('Delete'), 'allow'],
    ['high is named, medium not', allow({ risk: 'high' }), named('OK'), 'ask'],
    ['prohibited is named', allow({ risk: ['high', 'prohibited'] }), named('Pay', '/usr/bin/gnucash'), 'allow'],
    ['deny needs no risk', { name: 'mine', decision: 'deny' }, named('Delete'), 'deny'],
    ['ask needs no risk', { name: 'mine', decision: 'ask' }, named('Pay', '/usr/bin/gnucash'), 'ask'],
  ])('%s', (_, rule, request, answer) => expect(ask({ user: file([rule]) }, request).answer).toBe(answer));
});

describe('an unverified app', () => {
  const calculator: Rule = {
    name: 'calc',
    decision: 'allow',
    when: { app: '/usr/bin/gnome-calculator', class: 'act' },
  };
  const claims = (appName: string, app?: string): Partial<Asked> => ({
    target: { app, appName, window: 'Calculator', role: 'button', name: '7', method: 'name', confidence: 1 },
  });
  test.each<[string, Partial<Asked>, Effect]>([
    ['the real one', claims('gnome-calculator', '/usr/bin/gnome-calculator'), 'allow'],
    ['one that calls itself so', claims('gnome-calculator'), 'ask'],
    ['one that calls itself by the path', claims('/usr/bin/gnome-calculator'), 'ask'],
    ['another program with its name', claims('gnome-calculator', '/tmp/evil'), 'ask'],
    ['another program in another folder', claims('gnome-calculator', '/tmp/gnome-calculator'), 'ask'],
  ])('%s', (_, request, answer) => expect(ask({ user: file([calculator]) }, request).answer).toBe(answer));
});

describe('the first check, without a target', () => {
  const before = (tool = 'ui_click', kind: Asked['class'] = 'act'): Partial<Asked> => ({
    ...{ tool, class: kind, target: undefined },
  });
  const rule = (decision: Effect, when: Rule['when'] = {}): Rule => ({ name: decision, decision, when });
  test.each<[string, Files, Partial<Asked>, Effect[]]>([
    ['nothing said', {}, before(), ['ask', 'deny']],
    ['a capture', {}, before('ui_capture', 'capture'), ['deny']],
    ['a click anywhere is denied', { user: file([rule('deny', { tool: 'ui_click' })]) }, before(), ['deny']],
    ['a click on Send is denied', { user: file([rule('deny', { name: 'Send' })]) }, before(), ['ask', 'deny']],
    ['clicks are allowed', { user: file([rule('allow', { tool: 'ui_click' })]) }, before(), ['allow', 'ask', 'deny']],
    ['by a project', { project: file([rule('deny', { class: 'act' })]) }, before(), ['deny']],
    ['by the managed file', { managed: file([rule('deny')]) }, before('ui_read', 'read'), ['deny']],
    [
      'captures of one app',
      { user: file([rule('allow', { class: 'capture', app: '*/x' })]) },
      before('ui_capture', 'capture'),
      ['allow', 'deny'],
    ],
    ['a read', {}, before('ui_read', 'read'), ['allow', 'deny']], // in a window that is hidden
  ])('%s', (_, files, request, answers) => {
    const verdict = ask(files, request);
    expect(verdict.answers).toEqual(answers);
    expect(verdict.answer).toBe(answers[0]);
  });

  test('a refusal names the certain rule, not a possible one', () => {
    expect(ask({}, before('ui_capture', 'capture')).rule).toBe('guarded/capture');
  });
});

describe('risk settings of the managed file', () => {
  const medium: Rule = { name: 'medium-only', decision: 'deny', when: { risk: ['medium'] } };
  const high: Rule = { name: 'high-is-fine', decision: 'allow', when: { risk: ['high'] } };
  const words: PolicyFile = { version: 1, risk: { words: ['ok'] } };
  test.each<[string, Files, Effect]>([
    ['raises the profile', { managed: words }, 'ask'],
    ['takes a general allow away', { user: file([{ name: 'a', decision: 'allow' }]), managed: words }, 'ask'],
    ['does not free from a deny of the user', { user: file([medium]), managed: words }, 'deny'],
    ['does not free from a deny of the project', { project: file([medium]), managed: words }, 'deny'],
    ['cannot keep the user from allowing high', { user: file([high]), managed: words }, 'allow'],
  ])('%s', (_, files, answer) => expect(ask(files).answer).toBe(answer));

  test('the managed file narrows launch.allow', () => {
    const managed: PolicyFile = { version: 1, launch: { allow: ['/usr/bin/gimp'] } };
    const never: Rule = { name: 'never', decision: 'deny', when: { tool: 'ui_launch', risk: ['high'] } };
    const request = { tool: 'ui_launch', target: { app: '/usr/bin/gimp', installed: true } };
    expect(ask({}, request).rule).toBe('guarded/launch-other');
    expect(ask({ managed }, request).rule).toBe('guarded/launch');
    expect(ask({ managed, user: file([never]) }, request).answer).toBe('deny');
    expect(ask({ managed, user: file([], { launch: { allow: ['/usr/bin/x'] } }) }, request).rule).toBe(
      'guarded/launch-other',
    );
  });
});

test('of equal answers, names the certain one', () => {
  const maybe: Rule = { name: 'maybe', when: { app: '*/mail', name: 'Send*' }, decision: 'deny' };
  const capture = { tool: 'ui_capture', class: 'capture', target: undefined } as const;
  expect(ask({ user: file([maybe]) }, capture)).toMatchObject({ answers: ['deny'], rule: 'guarded/capture' });
});

test.each<[string, (rules: Rule[]) => Files]>([
  ['user', (rules) => ({ user: file(rules) })],
  ['project', (rules) => ({ project: file(rules) })],
  ['managed', (rules) => ({ managed: file(rules) })],
])('a certain deny is named before one in the same %s file that may match', (_, files) => {
  const rules: Rule[] = [
    { name: 'maybe', when: { name: 'Send*' }, decision: 'deny' },
    { name: 'certain', when: { class: 'act' }, decision: 'deny' },
    { name: 'later', decision: 'deny' },
  ];
  expect(ask(files(rules), { target: undefined })).toMatchObject({ answers: ['deny'], rule: 'certain' });
});
