import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aimAt, elementOf, targetOf, windowInfo } from '../../../tests/scenes/aims.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type TargetFacts } from '../../policy/index.js';
import type { ActionPlan } from '../act/action.js';
import { Desktop } from '../desktop/desktop.js';
import type { CallRequest } from '../request/policy-request.js';
import { grantCovering, decideAffected } from './authorize-act.js';
import type { PolicyDecision } from './authorizer.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_drag', class: 'act', caller: 'mcp:a', args: {} });
let desktop: Desktop;
beforeEach(() => {
  const policy = compilePolicy({}, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fakeDesktop({ windows: [] }).driver, policy });
});
afterEach(() => desktop.close());

type Level = 'low' | 'medium' | 'high';
const risk = (level: Level, most: number) => ({ levels: [level], score: { least: most, most }, parts: [] });
const ANSWERS: Record<string, PolicyDecision> = {
  free: { answer: 'allow', rule: 'free', risk: risk('medium', 4) },
  app: { answer: 'ask', rule: 'app', scope: 'app', grant: 'app', risk: risk('medium', 4) },
  session: { answer: 'ask', rule: 'session', scope: 'session', grant: 'session', risk: risk('medium', 3) },
  each: { answer: 'ask', rule: 'each', scope: 'once', grant: 'once', risk: risk('medium', 3) },
  once: { answer: 'ask', rule: 'once', scope: 'once', grant: 'once', risk: risk('high', 7) },
  enable: { answer: 'ask', rule: 'enable', scope: 'session', grant: 'app', enables: true, risk: risk('low', 0) },
  never: { answer: 'deny', rule: 'never', risk: risk('low', 0) },
};
const decide = ({ name = 'free' }: TargetFacts): PolicyDecision => ANSWERS[name]!;
const nobodys = windowInfo({ program: undefined, pid: undefined });
const unknown: Partial<ActionPlan> = { target: targetOf({ name: 'app' }, { window: nobodys }), window: nobodys };
const other = windowInfo({ program: '/usr/bin/other', id: 'win-2' });
const drag = (from: string, to: string, window = windowInfo()): ActionPlan =>
  aimAt({ name: from }, { onto: targetOf({ name: to }, { window }) });
const rule = (plan: ActionPlan) => decideAffected(CallView.forUser(desktop), ASKED, plan, (_, facts) => decide(facts));

describe('of both ends', () => {
  it.each<[string, ActionPlan, string, string | undefined]>([
    ['neither asks', drag('free', 'free'), 'free', undefined],
    ['the first asks', drag('app', 'free'), 'app', 'app'],
    ['the second asks', drag('free', 'app'), 'app', 'app'],
    ['the second is riskier', drag('app', 'once'), 'once', 'once'],
    ['the first is riskier', drag('once', 'app'), 'once', 'once'],
    ['the narrower yes counts', drag('app', 'session'), 'app', 'session'],
    ['a yes for one program is none for another', drag('app', 'app', other), 'app', 'once'],
    ['the second is denied', drag('once', 'never'), 'never', undefined],
    ['the session comes first', drag('once', 'enable'), 'enable', 'session'],
    ['by pixels', aimAt({ name: 'free' }, { end: { lands: { target: targetOf({ name: 'once' }) } } }), 'once', 'once'],
    ['by pixels, to nowhere', aimAt({ name: 'app' }, { end: {} }), 'app', 'app'],
    ['one end', aimAt({ name: 'app' }), 'app', 'app'],
    ['one end, whose program is unknown', aimAt({ name: 'app' }, unknown), 'app', 'once'],
  ])('%s', (_, plan, name, scope) => {
    expect(rule(plan).decision).toMatchObject({ rule: name });
    expect(rule(plan).decision.scope).toBe(scope);
  });
});

describe('with what it lies in', () => {
  const inNever = targetOf({ role: 'text', name: 'free' }, { path: [elementOf({ name: 'never' })] });
  it.each<[string, ActionPlan, string]>([
    [
      'the end of a drag by pixels',
      aimAt({ name: 'free' }, { verb: 'drag', end: { lands: { target: inNever } } }),
      'never',
    ],
    ['a bare point', { verb: 'click', needs: {}, at: { x: 1, y: 1 }, lands: { target: inNever } }, 'never'],
    [
      'not what keys go to: they press nothing around it',
      { verb: 'key', needs: {}, lands: { target: inNever } },
      'free',
    ],
  ])('%s', (_, plan, name) => {
    expect(rule(plan).decision.rule).toBe(name);
  });
});

describe('a grant', () => {
  const given = (program: string, level: Level = 'medium'): void =>
    void desktop.authorizer.grants.give('app', {
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', program, risk: level },
    });
  it.each<[string, string[], ActionPlan, boolean]>([
    ['covers both ends in its program', ['/usr/bin/crm'], drag('app', 'app'), true],
    ['does not cover an end that it is too wide for', ['/usr/bin/crm'], drag('app', 'session'), false],
    ['does not cover an end that is asked about each time', ['/usr/bin/crm'], drag('app', 'each'), false],
    ['does not cover a riskier end', ['/usr/bin/crm'], drag('app', 'once'), false],
    ['does not cover a riskier beginning', ['/usr/bin/crm'], drag('once', 'app'), false],
    ["does not cover another program's end", ['/usr/bin/crm'], drag('app', 'app', other), false],
    ['and one for the other do', ['/usr/bin/crm', '/usr/bin/other'], drag('app', 'app', other), true],
    ['is not needed by an end that is free', ['/usr/bin/crm'], drag('app', 'free', other), true],
    ['does not enable a session', ['/usr/bin/crm'], drag('app', 'enable'), false],
    ['does not cover what is denied', ['/usr/bin/crm'], drag('app', 'never'), false],
    ['is not needed if no rule asks', ['/usr/bin/crm'], drag('free', 'free'), false],
  ])('%s', (_, programs, plan, covered) => {
    for (const program of programs) given(program);
    expect(grantCovering(CallView.forUser(desktop), rule(plan)) !== undefined).toBe(covered);
  });
});
