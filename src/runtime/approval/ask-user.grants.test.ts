import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aimAt, windowInfo, startOf } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type Scope } from '../../policy/index.js';
import type { ActionPlan } from '../act/action.js';
import { Desktop } from '../desktop/desktop.js';
import { askAndGrant, grantable, type ApprovalChannel, type ApprovalCase } from './ask-user.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision, Rules } from '../authorization/authorizer.js';
import { approvalSubject } from './approval-subject.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_click', class: 'act', caller: 'mcp:a', args: { target: 'e7' } });
const RISK: PolicyDecision['risk'] = { levels: ['low', 'medium'], score: { least: 1, most: 3 }, parts: [] };
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'mine', scope: 'app', grant: 'app', risk: RISK };

let desktop: Desktop;
let ledger: MemoryLedger;
function open(policy: Rules): void {
  ledger = new MemoryLedger();
  desktop = new Desktop({ name: 'desk', driver: fakeDesktop({ windows: [] }).driver, kind: 'seat', policy, ledger });
}
beforeEach(() => open(compilePolicy({}, 'seat')));
afterEach(() => desktop.close());

const answering = (scope: Scope): ApprovalChannel => ({
  onQuestion: ({ id }) => void desktop.authorizer.questions.answer(id, { channel: 'terminal', scope }),
});
const approvalCase = (plan = aimAt()): ApprovalCase => ({
  ...{ asked: ASKED, decided: DECIDED, aim: plan },
  subject: approvalSubject('desk', ASKED, plan, DECIDED),
});

describe('an approval', () => {
  it.each<[Scope, string[], object]>([
    ['once', ['ask', 'answer'], {}],
    ['session', ['ask', 'answer', 'grant'], { event: 'given', scope: 'session', tool: 'ui_click', by: 'terminal' }],
    ['app', ['ask', 'answer', 'grant'], { event: 'given', scope: 'app' }],
  ])('%s is stored as a grant with its scope, and recorded', async (scope, kinds, grant) => {
    await askAndGrant(CallView.forUser(desktop), approvalCase(), answering(scope));
    expect(ledger.records.map(({ kind }) => kind)).toEqual(kinds);
    expect(ledger.records[2] ?? {}).toMatchObject(grant);
    if (scope === 'app') expect(ledger.records[2]).not.toHaveProperty('tool');
    expect(
      desktop.authorizer.grants.covers(grantable(CallView.forUser(desktop), approvalCase()), 'app') !== undefined,
    ).toBe(scope !== 'once');
  });

  it('for a window of an unknown process counts once, whatever its scope is', async () => {
    const window = windowInfo({ program: undefined, pid: undefined });
    const plan: ActionPlan = { verb: 'x', needs: {}, window };
    await askAndGrant(CallView.forUser(desktop), approvalCase(plan), answering('app'));
    expect(desktop.authorizer.grants.all).toEqual([]);
    expect(
      desktop.authorizer.grants.covers(grantable(CallView.forUser(desktop), approvalCase(plan)), 'app'),
    ).toBeUndefined();
  });

  it('that enables the session is not a grant', async () => {
    const enables = { ...approvalCase(), decided: { ...DECIDED, enables: true as const } };
    expect(await askAndGrant(CallView.forUser(desktop), enables, answering('session'))).toMatchObject({
      scope: 'session',
    });
    expect(desktop.authorizer.grants.all).toEqual([]);
  });

  it('whose grant cannot be recorded allows nothing', async () => {
    const note = ledger.note.bind(ledger);
    ledger.note = (one) => (one.kind === 'grant' ? Promise.reject(new Error('disk full')) : note(one));
    await expect(askAndGrant(CallView.forUser(desktop), approvalCase(), answering('session'))).rejects.toThrow(
      'disk full',
    );
    expect(desktop.authorizer.grants.all).toEqual([]);
  });
});

describe('an approval request about a window', () => {
  const closed = (window: string): void => {
    for (const listener of listeners) listener({ type: 'window', at: 0, window, change: 'closed' });
  };
  const listeners = new Set<Parameters<Desktop['onEvent']>[0]>();
  beforeEach(() => {
    desktop.onEvent = (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
  });

  it('becomes void only when that window closes', async () => {
    const other = desktop.authorizer.questions.ask({
      ...{ session: 'mcp:b', subjectHash: '', shown: {}, widest: 'once', channels: ['terminal'], seconds: 60 },
    });
    let open: unknown[] = [];
    const onQuestion = (): void => {
      for (const listener of listeners) {
        listener({ type: 'window', at: 0, window: 'win-1', change: 'title', title: 'x' });
        listener({ type: 'focus', at: 0, window: 'win-1', element: 'x' });
      }
      closed('win-2');
      open = desktop.authorizer.questions.all;
      closed('win-1');
    };
    await expect(askAndGrant(CallView.forUser(desktop), approvalCase(), { onQuestion })).rejects.toMatchObject({
      message: expect.stringMatching(/its window was closed/) as string,
    });
    expect(open).toHaveLength(2);
    expect(desktop.authorizer.questions.all).toEqual([other.question]);
    expect(listeners.size).toBe(0);
    desktop.authorizer.questions.void('end');
  });
});

describe('a grant covers', () => {
  const crm = '/usr/bin/crm';
  it.each<[string, ActionPlan | undefined, string | undefined]>([
    ['the program', aimAt(), crm],
    ['the program that is launched', aimAt({}, { start: startOf('/usr/bin/other') }), '/usr/bin/other'],
    ["the window's program when there is no element", { verb: 'close', needs: {}, window: windowInfo() }, crm],
    [
      'one process when its program is unknown',
      { verb: 'x', needs: {}, window: windowInfo({ program: undefined }) },
      '71:500',
    ],
    [
      'one process when its program can run anything',
      { verb: 'x', needs: {}, window: windowInfo({ program: '/usr/bin/python3' }) },
      '71:500',
    ],
    ['acts without a window', undefined, ''],
    [
      "nothing when the window's process is unknown",
      { verb: 'x', needs: {}, window: windowInfo({ program: undefined, pid: undefined }) },
      undefined,
    ],
  ])('%s', (_, plan, program) => {
    expect(
      grantable(CallView.forUser(desktop), { asked: ASKED, decided: DECIDED, ...(plan && { aim: plan }) }),
    ).toEqual({
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', risk: 'medium', appGrant: true },
      ...(program !== undefined && { program }),
    });
  });

  it('one process when the rules do not list the programs that can run anything', async () => {
    await desktop.close();
    open({ decide: () => ({ answer: 'ask', rule: 'all' }) });
    expect(grantable(CallView.forUser(desktop), approvalCase()).program).toBe('71:500');
  });

  it('no secret, and an unknown risk counts as high', () => {
    const request: CallRequest = withTraits({ ...ASKED, tool: 'ui_type', args: { secret: 'bank' } });
    expect(
      grantable(CallView.forUser(desktop), { asked: request, decided: { answer: 'ask', rule: 'all' }, aim: aimAt() }),
    ).toMatchObject({
      ...{ secret: true, risk: 'high' },
    });
  });
});
