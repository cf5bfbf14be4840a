import { describe, expect, it } from 'vitest';
import { aimAt, elementOf, targetOf, windowInfo, startOf } from '../../../tests/scenes/aims.js';
import { compilePolicy, REDACTED } from '../../policy/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { approvalPrompt } from './approval-prompt.js';
import { withEffects, withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_click', class: 'act', caller: 'mcp:a', args: { target: 'e7' } });
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'mine' };
const shown = (plan?: ActionPlan, decision = DECIDED, request = ASKED) =>
  approvalPrompt({ request, decision, ...(plan && { plan }) });

const AT = { verb: 'click', needs: {}, window: windowInfo(), at: { x: 1, y: 2 } };
const OTHER = targetOf({ ref: 'e9', name: 'Bin' });

it.each<[string, ActionPlan | undefined, string]>([
  ['the element at a point', { ...AT, lands: { target: targetOf() } }, 'click e7 button "Delete" in w1'],
  ['a point with an unknown element', { ...AT, lands: {} }, 'click in w1 "Accounts"'],
  ['keys', { verb: 'key', needs: {}, window: windowInfo(), lands: { target: targetOf() } }, 'key in w1 "Accounts"'],
  ['a drag', aimAt({}, { onto: OTHER }), 'click e7 button "Delete" in w1 onto e9 button "Bin" in w1'],
  [
    'a drag to a point',
    aimAt({}, { end: { lands: { target: OTHER }, window: windowInfo() } }),
    'click e7 button "Delete" in w1 onto e9 button "Bin" in w1',
  ],
  [
    'a drag into a window',
    aimAt({}, { end: { window: windowInfo({ ref: 'w2' }) } }),
    'click e7 button "Delete" in w1 into w2',
  ],
  ['a drag with an unknown end', aimAt({}, { end: {} }), 'click e7 button "Delete" in w1'],
  ['an element', aimAt(), 'click e7 button "Delete" in w1'],
  ['an element without a name', aimAt({ name: undefined }), 'click e7 button in w1'],
  ['a window', { verb: 'close', needs: {}, window: windowInfo() }, 'close in w1 "Accounts"'],
  ['a start', { verb: 'launch', needs: {}, start: startOf('/usr/bin/crm') }, 'launch /usr/bin/crm'],
  ['neither', { verb: 'copy', needs: {} }, 'copy'],
  ['nothing yet', undefined, 'ui_click'],
])('describes the act: %s', (_, plan, what) => {
  expect(shown(plan).what).toBe(what);
});

it('names the program, process, risk and rule', () => {
  const risk: PolicyDecision['risk'] = {
    ...{ levels: ['medium', 'high'], score: { least: 3, most: 7 } },
    parts: [{ points: 3, why: 'a destructive word' }],
  };
  expect(shown(aimAt(), { ...DECIDED, risk, reason: 'mine' })).toEqual({
    ...{ what: 'click e7 button "Delete" in w1', why: 'risk medium or high, rule mine', reason: 'mine' },
    ...{ tool: 'ui_click', caller: 'mcp:a', program: '/usr/bin/crm', pid: 71, args: { target: 'e7' } },
    ...{ score: risk.score, parts: ['3 a destructive word'] },
    screen: { app: 'crm', window: 'Accounts', role: 'button', name: 'Delete', path: ['window "Accounts"', 'group'] },
  });
  expect(shown(aimAt()).why).toBe('rule mine');
  const raised = { ...risk, raised: 'not in launch.allow' };
  expect(shown(aimAt(), { ...DECIDED, risk: raised })).toMatchObject({ raised: 'not in launch.allow' });
});

it('names the control that a key would trigger', () => {
  const effect = 'Enter may press button "Delete"';
  expect(shown(aimAt(), { ...DECIDED, effect }).what).toBe(`click e7 button "Delete" in w1 (${effect})`);
});

it('shows the screen content that is known', () => {
  expect(shown({ ...AT, lands: { target: targetOf() } }).screen).toMatchObject({ role: 'button', name: 'Delete' });
  expect(shown({ ...AT, lands: {} }).screen).toEqual({ app: 'crm', window: 'Accounts' });
  expect(shown(aimAt({}, { window: undefined })).screen).toMatchObject({ role: 'button', name: 'Delete' });
  expect(shown({ verb: 'close', needs: {}, window: windowInfo() }).screen).toEqual({ app: 'crm', window: 'Accounts' });
  expect(shown({ verb: 'copy', needs: {} })).not.toHaveProperty('screen');
});

it('asks for the session as a whole', () => {
  expect(shown(undefined, { ...DECIDED, enables: true })).toMatchObject({
    what: 'control of this desktop by mcp',
    enables: true,
  });
});

it('shows no password, and truncates long text', () => {
  const typed: CallRequest = withTraits({ tool: 'ui_type', class: 'act', caller: 'mcp:a', args: { text: 'hunter2' } });
  expect(shown(aimAt({ states: { secret: true } }), DECIDED, typed).args).toEqual({ text: REDACTED });
  expect(shown(aimAt(), DECIDED, typed).args).toEqual({ text: 'hunter2' });
  const pressed: CallRequest = withTraits({ tool: 'ui_key', class: 'act', caller: 'mcp:a', args: { keys: 'h u n' } });
  const { target, window } = aimAt({ states: { secret: true } });
  const focus: ActionPlan = { verb: 'key', needs: {}, window, lands: { target: target! } };
  expect(shown(focus, DECIDED, pressed).args).toEqual({ keys: { redacted: true, others: '…' } });
  expect(shown(aimAt({ name: 'x'.repeat(5_000) })).what.length).toBeLessThan(200);
});

describe('the siblings of a risky target', () => {
  const beside = (ids: string[], planned: string, level: 'high' | 'prohibited' | 'medium' = 'high') => {
    const children = ids.map((id) =>
      elementOf({ id, role: 'button', name: id, ...(id.startsWith('-') && { states: { visible: false } }) }),
    );
    const target = targetOf({ id: planned, name: planned }, { path: [elementOf({ children })] });
    const risk: PolicyDecision['risk'] = { levels: [level], score: { least: 7, most: 7 }, parts: [] };
    return shown(aimAt({}, { target }), { ...DECIDED, risk }).screen?.siblings;
  };
  const many = Array.from({ length: 20 }, (_, at) => `b${at}`);
  it.each<[string, string[] | undefined, string[] | undefined]>([
    ['are its visible neighbours', beside(['a', 'b', 'c'], 'b'), ['a', 'c']],
    ['are shown for a prohibited act', beside(['a', 'b'], 'b', 'prohibited'), ['a']],
    ['are omitted when the act is not risky', beside(['a', 'b'], 'b', 'medium'), undefined],
    ['exclude invisible elements', beside(['-a', 'b', 'c'], 'b'), ['c']],
    ['are omitted when there are none', beside(['a'], 'a'), undefined],
    ["are omitted when the target is not among its parent's children", beside(['a', 'b'], 'x'), undefined],
    ['are the nearest 8 of many', beside(many, 'b10'), ['b6', 'b7', 'b8', 'b9', 'b11', 'b12', 'b13', 'b14']],
    ['are the nearest 8 at the start of a list', beside(many, 'b1'), ['b0', ...many.slice(2, 9)]],
  ])('%s', (_, siblings, names) => {
    expect(siblings).toEqual(names?.map((name) => `button "${name}"`));
  });

  it('are omitted without a target element', () => {
    const risk: PolicyDecision['risk'] = { levels: ['high'], score: { least: 7, most: 7 }, parts: [] };
    const close: ActionPlan = { verb: 'close', needs: {}, window: windowInfo() };
    expect(shown(close, { ...DECIDED, risk }).screen).not.toHaveProperty('siblings');
  });
});

describe('the suggested rule', () => {
  const decided = (enables?: true): PolicyDecision => {
    const question = withEffects({ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' });
    const decision = compilePolicy({}, 'virtual').decide({ ...question, target: { app: '/usr/bin/crm', name: 'Go' } });
    return { ...decision, ...(enables && { enables }) };
  };
  it('is offered for an act, and not for the session as a whole', () => {
    expect(shown(aimAt(), decided()).rule).toContain('/usr/bin/crm');
    expect(shown(aimAt(), decided(true))).not.toHaveProperty('rule');
  });
  it('is not offered for a control that a key triggers: the key would need a rule as well', () => {
    expect(shown(aimAt(), { ...decided(), effect: 'Enter may press it' })).not.toHaveProperty('rule');
  });
});
