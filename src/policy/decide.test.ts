import { describe, expect, it } from 'vitest';
import { type Effect, distinct, type Outcome, type Scope, strictest } from './decision.js';
import { compilePolicy } from './policy.js';
import type { PolicyFile, Rule } from './file/schema.js';
import { type Asked, withEffects } from '../../tests/scenes/calls.js';

const CLICK: Asked = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' };
const FOUND = { app: '/usr/bin/crm', appName: 'crm', window: 'Accounts', role: 'button', name: 'Go' };
const decide = (user: Partial<PolicyFile>, request: Asked) =>
  compilePolicy({ user: { version: 1, ...user } }, 'virtual').decide(withEffects(request));
const rule = (name: string, decision: Rule['decision'], when: Rule['when'], grant?: Scope): Rule => ({
  ...{ name, decision, when },
  ...(grant && { grant }),
});

describe('matches windows by title, app name and program', () => {
  it.each<[string, PolicyFile['windows'], string | undefined]>([
    ['blocked by its program', { block: ['/usr/bin/crm'] }, 'windows/blocked'],
    ['blocked by its name', { block: ['crm'] }, 'windows/blocked'],
    ['another program', { block: ['/opt/crm'] }, undefined],
    ['not among the allowed', { allow: ['Notes'] }, 'windows/not-allowed'],
    ['among them by its program', { allow: ['/usr/bin/*'] }, undefined],
  ])('%s', (_, windows, by) => {
    const decided = decide({ windows }, { ...CLICK, target: FOUND });
    expect(decided.answer).toBe(by === undefined ? 'allow' : 'deny');
    if (by !== undefined) expect(decided.rule).toBe(by);
  });

  it('an unverified app has no program path', () => {
    const { app: _, ...claimed } = FOUND;
    expect(decide({ windows: { allow: ['/usr/bin/*'] } }, { ...CLICK, target: claimed }).answer).toBe('deny');
  });
});

describe('before all facts are known', () => {
  const rules = [rule('go', 'allow', { name: 'Go' }), rule('else', 'deny', { class: 'act' })];

  it('the mildest answer names the rule that would give it', () => {
    expect(decide({ rules }, CLICK)).toMatchObject({ answer: 'allow', rule: 'go', answers: ['allow', 'deny'] });
    expect(decide({ rules }, { ...CLICK, target: FOUND })).toMatchObject({ answer: 'allow', rule: 'go' });
  });

  it('while the arguments are unknown, the mildest answer counts even with a target', () => {
    const typing = { ...CLICK, tool: 'ui_type', keys: [], target: FOUND };
    const about = { rules: [rule('text', 'deny', { args: { text: '*' } })] };
    expect(decide(about, typing)).toMatchObject({ answer: 'allow', answers: ['allow', 'deny'] });
    expect(decide(about, { ...typing, args: { text: 'x' } })).toMatchObject({ answer: 'deny', answers: ['deny'] });
  });

  it('with an unknown receiving element, the strictest answer counts', () => {
    const { role: _, name: __, ...where } = FOUND;
    const about = { rules: [rule('go', 'deny', { name: 'Go' })] };
    const keys = { ...CLICK, args: {}, target: where };
    expect(decide(about, keys)).toMatchObject({ answer: 'allow', answers: ['allow'] });
    const unseen = { ...keys, target: { ...where, unseen: true } };
    expect(decide(about, unseen)).toMatchObject({ answer: 'deny', answers: ['allow', 'deny'] });
  });

  it('matches the full title', () => {
    const about = { rules: [rule('pay', 'deny', { window: '*Payroll' })] };
    const window = `${'L'.repeat(194)}…(+54)`;
    const titled = (whole: string): Effect =>
      decide(about, { ...CLICK, args: {}, target: { ...FOUND, window, fullTitle: whole } }).answer;
    expect(titled(`${'L'.repeat(240)} Payroll`)).toBe('deny');
    expect(titled('L'.repeat(248))).toBe('allow');
  });

  it('a tier with several possible answers has no tier result', () => {
    expect(decide({ rules }, CLICK).said[0]).toEqual({ tier: 'user' });
    const found = decide({ rules }, { ...CLICK, target: FOUND });
    expect(found.said[0]).toEqual({ tier: 'user', answer: 'allow', rule: 'go' });
    expect(found.said[1]).toEqual({ tier: 'project' });
  });
});

describe('the widest approval', () => {
  it.each<[string, Partial<Asked>, Scope | undefined, Scope, Scope]>([
    ['an act', {}, undefined, 'app', 'app'],
    ['an act, by the rule', {}, 'session', 'session', 'session'],
    ['a start', { tool: 'ui_launch' }, undefined, 'session', 'app'],
    ['a launch, by the rule', { tool: 'ui_launch' }, 'once', 'once', 'once'],
    ['a read', { tool: 'ui_query', class: 'read' }, undefined, 'session', 'app'],
    ['a read, by the rule', { tool: 'ui_query', class: 'read' }, 'session', 'session', 'session'],
    ['a picture', { tool: 'ui_capture', class: 'capture' }, undefined, 'session', 'app'],
    ['pixels', { tool: 'ui_click_xy', class: 'raw' }, undefined, 'once', 'once'],
  ])('%s', (_, other, given, scope, grant) => {
    const rules = [rule('mine', 'ask', { risk: ['low', 'medium'] }, given)];
    expect(decide({ rules, launch: { allow: ['/usr/bin/crm'] } }, { ...CLICK, target: FOUND, ...other })).toMatchObject(
      {
        answer: 'ask',
        rule: 'mine',
        scope,
        grant,
      },
    );
  });

  it('at high risk', () => {
    const rules = [rule('mine', 'ask', { risk: ['high'] }, 'app')];
    const target = { ...FOUND, name: 'Delete' };
    expect(decide({ rules }, { ...CLICK, target })).toMatchObject({ rule: 'mine', scope: 'once', grant: 'once' });
  });
});

describe('combining outcomes', () => {
  const outcome = (answer: Outcome['answer'], scope?: Scope, enables?: true): Outcome => ({
    ...{ answer, rule: `${answer} ${scope}`, tier: 'user' },
    ...(scope && { scope }),
    ...(enables && { enables }),
  });
  it.each<[string, (Outcome | undefined)[], Partial<Outcome> | undefined]>([
    ['none', [undefined, undefined], undefined],
    ['the strictest counts', [outcome('allow'), outcome('deny'), outcome('ask')], outcome('deny')],
    ['the first of equals', [outcome('deny', 'app'), outcome('deny', 'once')], outcome('deny', 'app')],
    [
      'of asks the narrowest scope',
      [outcome('ask', 'app'), outcome('ask', 'once')],
      { ...outcome('ask', 'app'), scope: 'once' },
    ],
    ['of asks without one, none', [outcome('ask'), outcome('ask')], outcome('ask')],
    [
      'enabling a session has its own',
      [outcome('ask', 'session', true), outcome('ask', 'once')],
      outcome('ask', 'session', true),
    ],
  ])('%s', (_, outcomes, said) => {
    expect(strictest(outcomes)).toEqual(said);
  });

  it('keeps the first outcome of each answer', () => {
    const [first, second, deny] = [outcome('allow', 'app'), outcome('allow', 'once'), outcome('deny')];
    expect(distinct([first, undefined, second, deny, undefined])).toEqual([first, undefined, deny]);
    expect(distinct([second])).toEqual([second]);
    const asks = distinct([outcome('ask', 'app'), undefined, outcome('ask', 'session')]);
    expect(asks).toEqual([{ ...outcome('ask', 'app'), scope: 'session' }, undefined]);
  });
});

it.each<[string, Partial<Asked>, number, Effect]>([
  ['alone', { keys: [] }, 3, 'allow'],
  ['with Enter', { keys: ['enter'] }, 4, 'deny'],
])('typing a secret %s', (_, more, score, answer) => {
  const rules: PolicyFile['rules'] = [{ name: 'no-enter', when: { tool: 'ui_key' }, decision: 'deny' }];
  const target = { app: '/usr/bin/crm', role: 'textbox', name: 'Note', method: 'name', confidence: 1 } as const;
  const verdict = compilePolicy({ user: { version: 1, rules } }, 'virtual').decide(
    withEffects({
      ...{ tool: 'ui_type', class: 'act', caller: 'mcp', desktop: 'virtual', args: { secret: 's12' }, target },
      ...more,
    }),
  );
  expect(verdict).toMatchObject({ answer, risk: { levels: ['medium'], score: { least: score, most: score } } });
});
