import { describe, expect, it } from 'vitest';
import { aimAt, elementOf, targetOf, windowInfo, startOf } from '../../../tests/scenes/aims.js';
import type { ActionPlan } from '../act/action.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { changedFields, subjectHashOf, sameWindow, approvalSubject } from './approval-subject.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({
  tool: 'ui_click',
  class: 'act',
  caller: 'mcp:a',
  args: { target: 'e7', window: undefined },
});
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'guarded/act-medium', policyHash: 'aa' };
const of = (plan: ActionPlan | undefined, request = ASKED, decision = DECIDED) =>
  approvalSubject('desk', request, plan, decision);

describe('an approval is bound to', () => {
  const changes: [string, ActionPlan, string[]][] = [
    ["the target's name", aimAt({ name: 'Destroy' }), ['target']],
    ["the target's id", aimAt({ id: 'el-8' }), ['target']],
    ["the target's role", aimAt({ role: 'menuitem' }), ['target']],
    ['enabled', aimAt({ states: { enabled: false } }), ['target']],
    ['checked', aimAt({ states: { enabled: true, checked: true } }), ['target']],
    ['selected', aimAt({ states: { enabled: true, selected: true } }), ['target']],
    ["the target's position in the window", aimAt({ bounds: { x: 30, y: 70, width: 80, height: 20 } }), ['target']],
    ["the target's size", aimAt({ bounds: { x: 30, y: 50, width: 90, height: 20 } }), ['target']],
    ['missing bounds', aimAt({ bounds: undefined }), ['target']],
    ["the target's ancestors", aimAt({}, { target: targetOf({}, { path: [] }) }), ['target']],
    ['the drop target of a drag', aimAt({}, { onto: targetOf() }), ['target']],
    ['the window title', aimAt({}, { window: windowInfo({ title: 'Other' }) }), ['window']],
    ["the window's process", aimAt({}, { window: windowInfo({ started: 501 }) }), ['window']],
    ["the window's program", aimAt({}, { window: windowInfo({ program: '/tmp/crm' }) }), ['window']],
    ['no window', aimAt({}, { window: undefined }), ['window']],
    ['a start', { verb: 'launch', needs: {}, start: startOf('/usr/bin/crm') }, ['target', 'window']],
  ];
  it.each(changes)('%s', (_, plan, parts) => {
    expect(changedFields(of(aimAt()), of(plan))).toEqual(parts);
    expect(subjectHashOf(of(plan))).not.toBe(subjectHashOf(of(aimAt())));
  });

  const point = (other: Partial<ActionPlan>): ActionPlan => ({
    verb: 'click',
    needs: {},
    window: windowInfo(),
    ...other,
  });
  const AT = { x: 1, y: 2 };
  const ends: [string, ActionPlan, ActionPlan, string[]][] = [
    ['the element at a point', point({ at: AT, lands: { target: targetOf() } }), point({ at: AT }), ['target']],
    ['not the focused element', point({ lands: { target: targetOf() } }), point({}), []],
    [
      'the element at the end of a drag',
      aimAt({}, { end: { lands: { target: targetOf() } } }),
      aimAt({}, { end: { lands: { target: targetOf({ id: 'el-8' }) } } }),
      ['target'],
    ],
    [
      'the window at the end of a drag',
      aimAt({}, { end: { window: windowInfo() } }),
      aimAt({}, { end: {} }),
      ['target'],
    ],
    [
      'not that window, when an element in it is known',
      aimAt({}, { onto: targetOf(), end: { window: windowInfo() } }),
      aimAt({}, { onto: targetOf() }),
      [],
    ],
  ];
  it.each(ends)('%s', (_, one, other, parts) => {
    expect(changedFields(of(one), of(other))).toEqual(parts);
  });

  it('the names of interactive ancestors only', () => {
    const inside = (role: 'button' | 'group', name: string) =>
      of(aimAt({}, { target: targetOf({}, { path: [elementOf({ role, name })] }) }));
    expect(changedFields(inside('button', 'Keep'), inside('button', 'Delete'))).toEqual(['target']);
    expect(changedFields(inside('group', 'Keep'), inside('group', 'Delete'))).toEqual([]);
  });

  it('bounds relative to the window, if the window has bounds', () => {
    const target = targetOf({}, { window: windowInfo({ bounds: undefined }) });
    expect(of(aimAt({}, { target })).target).toMatchObject([{ bounds: null }]);
    expect(of(aimAt()).target).toMatchObject([{ bounds: [20, 30, 80, 20] }]);
  });

  it('the loggable text of keys that are sent without a target', () => {
    const request: CallRequest = withTraits({
      tool: 'ui_type',
      class: 'act',
      caller: 'mcp:a',
      args: { text: 'plain' },
    });
    expect(of(undefined, request).args).toEqual({ text: 'plain' });
    expect(of(undefined, request)).toMatchObject({ target: null, window: null });
  });

  it.each<[string, ActionPlan | undefined, boolean]>([
    ['identical', aimAt(), true],
    ['another title', aimAt({}, { window: windowInfo({ title: 'Other' }) }), true],
    ['another window id', aimAt({}, { window: windowInfo({ id: 'win-2' }) }), false],
    ['another process', aimAt({}, { window: windowInfo({ pid: 72 }) }), false],
    ['the same id in a later process', aimAt({}, { window: windowInfo({ started: 501 }) }), false],
    ['no window', undefined, false],
  ])('compares windows: %s', (_, plan, same) => {
    expect(sameWindow(of(aimAt()), of(plan))).toBe(same);
    expect(sameWindow(of(plan), of(aimAt()))).toBe(same);
  });

  it("neither the window's position nor arguments that were not given", () => {
    const moved = windowInfo({ bounds: { x: 60, y: 80, width: 400, height: 300 } });
    const target = targetOf({ bounds: { x: 80, y: 110, width: 80, height: 20 } }, { window: moved });
    expect(subjectHashOf(of(aimAt({}, { target, window: moved })))).toBe(subjectHashOf(of(aimAt())));
    expect(subjectHashOf(of(aimAt()))).toBe(subjectHashOf({ ...of(aimAt()), args: { target: 'e7' } }));
  });

  it('this call: the same arguments in a later call need a new approval', () => {
    expect(changedFields(of(aimAt()), of(aimAt(), { ...ASKED, args: { ...ASKED.args } }))).toEqual(['nonce']);
  });

  it.each<[string, Partial<PolicyDecision>]>([
    ['policyHash', { policyHash: 'bb' }],
    ['rule', { rule: 'mine' }],
    ['risk', { risk: { levels: ['high'], score: { least: 7, most: 7 }, parts: [] } }],
  ])('%s', (part, other) => {
    expect(changedFields(of(aimAt()), of(aimAt(), ASKED, { ...DECIDED, ...other }))).toEqual([part]);
  });

  it('text typed into a password field, as a keyed hash that reveals nothing', () => {
    const typed = (text: string) => {
      const args = { target: 'e7', text };
      return of(
        aimAt({ states: { secret: true } }),
        withTraits({ tool: 'ui_type', class: 'act', caller: 'mcp:a', args }),
      );
    };
    expect(typed('hunter2').args).toEqual({
      target: 'e7',
      text: { hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    expect(typed('hunter2').args).toEqual(typed('hunter2').args);
    expect(typed('hunter3').args).not.toEqual(typed('hunter2').args);
    const plain = withTraits({ tool: 'ui_type', class: 'act', caller: 'mcp:a', args: { text: 'plain' } });
    expect(of(aimAt(), plain).args).toEqual({ text: 'plain' });
  });
});
