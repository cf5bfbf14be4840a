import { describe, expect, it } from 'vitest';
import { aimAt, elementOf, targetOf, windowInfo, startOf } from '../../../tests/scenes/aims.js';
import type { ActionPlan } from '../act/action.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { difference, hashOf, sameWindow, approvalSubject } from './approval-subject.js';

const ASKED: CallRequest = {
  tool: 'ui_click',
  class: 'act',
  caller: 'mcp:a',
  args: { target: 'e7', window: undefined },
};
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'guarded/act-medium', policyHash: 'aa' };
const of = (plan: ActionPlan | undefined, request = ASKED, decision = DECIDED) =>
  approvalSubject('desk', request, plan, decision);

describe('what a yes is bound to', () => {
  const changes: [string, ActionPlan, string[]][] = [
    ['its name', aimAt({ name: 'Destroy' }), ['target']],
    ['its identity', aimAt({ id: 'el-8' }), ['target']],
    ['its role', aimAt({ role: 'menuitem' }), ['target']],
    ['enabled', aimAt({ states: { enabled: false } }), ['target']],
    ['checked', aimAt({ states: { enabled: true, checked: true } }), ['target']],
    ['selected', aimAt({ states: { enabled: true, selected: true } }), ['target']],
    ['its place in the window', aimAt({ bounds: { x: 30, y: 70, width: 80, height: 20 } }), ['target']],
    ['its size', aimAt({ bounds: { x: 30, y: 50, width: 90, height: 20 } }), ['target']],
    ['no place', aimAt({ bounds: undefined }), ['target']],
    ['where it hangs', aimAt({}, { target: targetOf({}, { path: [] }) }), ['target']],
    ['another end of a drag', aimAt({}, { onto: targetOf() }), ['target']],
    ['the title', aimAt({}, { window: windowInfo({ title: 'Other' }) }), ['window']],
    ['the process', aimAt({}, { window: windowInfo({ started: 501 }) }), ['window']],
    ['the program', aimAt({}, { window: windowInfo({ program: '/tmp/crm' }) }), ['window']],
    ['no window', aimAt({}, { window: undefined }), ['window']],
    ['a start', { verb: 'launch', needs: {}, start: startOf('/usr/bin/crm') }, ['target', 'window']],
  ];
  it.each(changes)('%s', (_, plan, parts) => {
    expect(difference(of(aimAt()), of(plan))).toEqual(parts);
    expect(hashOf(of(plan))).not.toBe(hashOf(of(aimAt())));
  });

  const point = (other: Partial<ActionPlan>): ActionPlan => ({
    verb: 'click',
    needs: {},
    window: windowInfo(),
    ...other,
  });
  const AT = { x: 1, y: 2 };
  const ends: [string, ActionPlan, ActionPlan, string[]][] = [
    ['what is at a point', point({ at: AT, lands: { target: targetOf() } }), point({ at: AT }), ['target']],
    ['not what has the focus', point({ lands: { target: targetOf() } }), point({}), []],
    [
      'what is where a drag ends',
      aimAt({}, { end: { lands: { target: targetOf() } } }),
      aimAt({}, { end: { lands: { target: targetOf({ id: 'el-8' }) } } }),
      ['target'],
    ],
    ['the window where a drag ends', aimAt({}, { end: { window: windowInfo() } }), aimAt({}, { end: {} }), ['target']],
    [
      'not that window, where an element is known in it',
      aimAt({}, { onto: targetOf(), end: { window: windowInfo() } }),
      aimAt({}, { onto: targetOf() }),
      [],
    ],
  ];
  it.each(ends)('%s', (_, one, other, parts) => {
    expect(difference(of(one), of(other))).toEqual(parts);
  });

  it('what the controls around it are called, and no other', () => {
    const inside = (role: 'button' | 'group', name: string) =>
      of(aimAt({}, { target: targetOf({}, { path: [elementOf({ role, name })] }) }));
    expect(difference(inside('button', 'Keep'), inside('button', 'Delete'))).toEqual(['target']);
    expect(difference(inside('group', 'Keep'), inside('group', 'Delete'))).toEqual([]);
  });

  it('a place only where the window has one', () => {
    const target = targetOf({}, { window: windowInfo({ bounds: undefined }) });
    expect(of(aimAt({}, { target })).target).toMatchObject([{ bounds: null }]);
    expect(of(aimAt()).target).toMatchObject([{ bounds: [20, 30, 80, 20] }]);
  });

  it('what was typed where keys go, as it may be written', () => {
    const request: CallRequest = { tool: 'ui_type', class: 'act', caller: 'mcp:a', args: { text: 'plain' } };
    expect(of(undefined, request).args).toEqual({ text: 'plain' });
    expect(of(undefined, request)).toMatchObject({ target: null, window: null });
  });

  it.each<[string, ActionPlan | undefined, boolean]>([
    ['it is', aimAt(), true],
    ['it is, under another title', aimAt({}, { window: windowInfo({ title: 'Other' }) }), true],
    ['another number', aimAt({}, { window: windowInfo({ id: 'win-2' }) }), false],
    ['another process', aimAt({}, { window: windowInfo({ pid: 72 }) }), false],
    ['the same number of a later process', aimAt({}, { window: windowInfo({ started: 501 }) }), false],
    ['no window', undefined, false],
  ])('the same window: %s', (_, plan, same) => {
    expect(sameWindow(of(aimAt()), of(plan))).toBe(same);
    expect(sameWindow(of(plan), of(aimAt()))).toBe(same);
  });

  it('not where the window is, nor what was not given', () => {
    const moved = windowInfo({ bounds: { x: 60, y: 80, width: 400, height: 300 } });
    const target = targetOf({ bounds: { x: 80, y: 110, width: 80, height: 20 } }, { window: moved });
    expect(hashOf(of(aimAt({}, { target, window: moved })))).toBe(hashOf(of(aimAt())));
    expect(hashOf(of(aimAt()))).toBe(hashOf({ ...of(aimAt()), args: { target: 'e7' } }));
  });

  it('this very call: the same words another time are another matter', () => {
    expect(difference(of(aimAt()), of(aimAt(), { ...ASKED, args: { ...ASKED.args } }))).toEqual(['nonce']);
  });

  it.each<[string, Partial<PolicyDecision>]>([
    ['policyHash', { policyHash: 'bb' }],
    ['rule', { rule: 'mine' }],
    ['risk', { risk: { levels: ['high'], score: { least: 7, most: 7 }, parts: [] } }],
  ])('%s', (part, other) => {
    expect(difference(of(aimAt()), of(aimAt(), ASKED, { ...DECIDED, ...other }))).toEqual([part]);
  });

  it('what is typed into a password field: compared, and told by nobody', () => {
    const typed = (text: string) => {
      const args = { target: 'e7', text };
      return of(aimAt({ states: { secret: true } }), { tool: 'ui_type', class: 'act', caller: 'mcp:a', args });
    };
    expect(typed('hunter2').args).toEqual({
      target: 'e7',
      text: { hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    expect(typed('hunter2').args).toEqual(typed('hunter2').args);
    expect(typed('hunter3').args).not.toEqual(typed('hunter2').args);
    const plain = { tool: 'ui_type', class: 'act', caller: 'mcp:a', args: { text: 'plain' } } as const;
    expect(of(aimAt(), plain).args).toEqual({ text: 'plain' });
  });
});
