import { describe, expect, it } from 'vitest';
import { WHOLE } from '../shared/index.js';
import { type Effect, distinct, type Outcome, type PolicyRequest, type Scope, strictest } from './decision.js';
import { compilePolicy } from './policy.js';
import type { PolicyFile, Rule } from './file/schema.js';

const CLICK: PolicyRequest = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' };
const FOUND = { app: '/usr/bin/crm', appName: 'crm', window: 'Accounts', role: 'button', name: 'Go' };
const decide = (user: Partial<PolicyFile>, question: PolicyRequest) =>
  compilePolicy({ user: { version: 1, ...user } }, 'virtual').decide(question);
const rule = (name: string, decision: Rule['decision'], when: Rule['when'], grant?: Scope): Rule => ({
  ...{ name, decision, when },
  ...(grant && { grant }),
});

describe('windows count by title, name and program', () => {
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

  it('an app that is not checked has no program', () => {
    const { app: _, ...claimed } = FOUND;
    expect(decide({ windows: { allow: ['/usr/bin/*'] } }, { ...CLICK, target: claimed }).answer).toBe('deny');
  });
});

describe('before all is known', () => {
  const rules = [rule('go', 'allow', { name: 'Go' }), rule('else', 'deny', { class: 'act' })];

  it('the mildest answer is named by the rule that would give it', () => {
    expect(decide({ rules }, CLICK)).toMatchObject({ answer: 'allow', rule: 'go', answers: ['allow', 'deny'] });
    expect(decide({ rules }, { ...CLICK, target: FOUND })).toMatchObject({ answer: 'allow', rule: 'go' });
  });

  it('what is typed is not known yet: the mildest counts, also where it goes', () => {
    const typing = { ...CLICK, tool: 'ui_type', keys: [], target: FOUND };
    const about = { rules: [rule('text', 'deny', { args: { text: '*' } })] };
    expect(decide(about, typing)).toMatchObject({ answer: 'allow', answers: ['allow', 'deny'] });
    expect(decide(about, { ...typing, args: { text: 'x' } })).toMatchObject({ answer: 'deny', answers: ['deny'] });
  });

  it('on what it lands nobody can say: the strictest counts', () => {
    const { role: _, name: __, ...where } = FOUND;
    const about = { rules: [rule('go', 'deny', { name: 'Go' })] };
    const keys = { ...CLICK, args: {}, target: where };
    expect(decide(about, keys)).toMatchObject({ answer: 'allow', answers: ['allow'] });
    const unseen = { ...keys, target: { ...where, unseen: true } };
    expect(decide(about, unseen)).toMatchObject({ answer: 'deny', answers: ['allow', 'deny'] });
  });

  it('a title counts whole', () => {
    const about = { rules: [rule('pay', 'deny', { window: '*Payroll' })] };
    const window = `${'L'.repeat(194)}…(+54)`;
    const titled = (whole: string): Effect =>
      decide(about, { ...CLICK, args: {}, target: { ...FOUND, window, [WHOLE]: whole } }).answer;
    expect(titled(`${'L'.repeat(240)} Payroll`)).toBe('deny');
    expect(titled('L'.repeat(248))).toBe('allow');
  });

  it('a voice that may say several things is not quoted', () => {
    expect(decide({ rules }, CLICK).said[0]).toEqual({ tier: 'user' });
    const found = decide({ rules }, { ...CLICK, target: FOUND });
    expect(found.said[0]).toEqual({ tier: 'user', answer: 'allow', rule: 'go' });
    expect(found.said[1]).toEqual({ tier: 'project' });
  });
});

describe('the widest yes', () => {
  it.each<[string, Partial<PolicyRequest>, Scope | undefined, Scope, Scope]>([
    ['an act', {}, undefined, 'app', 'app'],
    ['an act, as the rule says', {}, 'session', 'session', 'session'],
    ['a start', { tool: 'ui_launch' }, undefined, 'session', 'app'],
    ['a start, as the rule says', { tool: 'ui_launch' }, 'once', 'once', 'once'],
    ['a look', { tool: 'ui_query', class: 'read' }, undefined, 'session', 'app'],
    ['a look, as the rule says', { tool: 'ui_query', class: 'read' }, 'session', 'session', 'session'],
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

describe('of voices that meet', () => {
  const voice = (answer: Outcome['answer'], scope?: Scope, enables?: true): Outcome => ({
    ...{ answer, rule: `${answer} ${scope}`, tier: 'user' },
    ...(scope && { scope }),
    ...(enables && { enables }),
  });
  it.each<[string, (Outcome | undefined)[], Partial<Outcome> | undefined]>([
    ['none', [undefined, undefined], undefined],
    ['the strictest counts', [voice('allow'), voice('deny'), voice('ask')], voice('deny')],
    ['the first of equals', [voice('deny', 'app'), voice('deny', 'once')], voice('deny', 'app')],
    [
      'of asks the narrowest scope',
      [voice('ask', 'app'), voice('ask', 'once')],
      { ...voice('ask', 'app'), scope: 'once' },
    ],
    ['of asks without one, none', [voice('ask'), voice('ask')], voice('ask')],
    [
      'enabling a session has its own',
      [voice('ask', 'session', true), voice('ask', 'once')],
      voice('ask', 'session', true),
    ],
  ])('%s', (_, voices, said) => {
    expect(strictest(voices)).toEqual(said);
  });

  it('one of each answer is kept, the first', () => {
    const [first, second, deny] = [voice('allow', 'app'), voice('allow', 'once'), voice('deny')];
    expect(distinct([first, undefined, second, deny, undefined])).toEqual([first, undefined, deny]);
    expect(distinct([second])).toEqual([second]);
    const asks = distinct([voice('ask', 'app'), undefined, voice('ask', 'session')]);
    expect(asks).toEqual([{ ...voice('ask', 'app'), scope: 'session' }, undefined]);
  });
});

it.each<[string, Partial<PolicyRequest>, number, Effect]>([
  ['alone', { keys: [] }, 3, 'allow'],
  ['with Enter', { keys: ['enter'] }, 4, 'deny'],
])('a secret that is typed %s', (_, more, score, answer) => {
  const rules: PolicyFile['rules'] = [{ name: 'no-enter', when: { tool: 'ui_key' }, decision: 'deny' }];
  const target = { app: '/usr/bin/crm', role: 'textbox', name: 'Note', method: 'name', confidence: 1 } as const;
  const verdict = compilePolicy({ user: { version: 1, rules } }, 'virtual').decide({
    ...{ tool: 'ui_type', class: 'act', caller: 'mcp', desktop: 'virtual', args: { secret: 's12' }, target },
    ...more,
  });
  expect(verdict).toMatchObject({ answer, risk: { levels: ['medium'], score: { least: score, most: score } } });
});
