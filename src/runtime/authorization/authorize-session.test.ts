import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aimAt, windowInfo } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile, type PolicyRequest } from '../../policy/index.js';
import { type PendingApproval, type UserAnswer } from '../approval/pending-approvals.js';
import { Desktop } from '../desktop/desktop.js';
import { authorizeSession, requireApproval, type Known } from './authorize-call.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from './authorizer.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_query', class: 'read', caller: 'mcp:a', args: {} });
const ASKS: PolicyDecision = { answer: 'ask', rule: 'letters', scope: 'session', grant: 'app', policyHash: 'aa' };

let desktop: Desktop;
let ledger: MemoryLedger;
let request: PendingApproval[];
function open(user: Partial<PolicyFile> = {}, kind: PolicyRequest['desktop'] = 'seat'): void {
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, ...user } }, kind);
  desktop = new Desktop({ name: 'desk', driver: fakeDesktop({ windows: [] }).driver, kind, policy, ledger });
}
beforeEach(() => {
  request = [];
  open();
});
afterEach(() => desktop.close());

const saying = (answer: UserAnswer): ApprovalChannel => ({
  onQuestion: (question) => {
    request.push(question);
    setImmediate(() => desktop.authorizer.questions.answer(question.id, answer));
  },
});
const YES = saying({ channel: 'terminal', scope: 'once' });
const kinds = (): string[] => ledger.records.map(({ kind }) => kind);
const known =
  (decision: PolicyDecision, plan = aimAt()): Known =>
  async () => ({ decision, plan });

describe('a session', () => {
  it('is enabled by an approval, which is logged before it counts', async () => {
    await authorizeSession(CallView.forUser(desktop), ASKED, YES);
    expect([request.length, desktop.authorizer.isEnabled('mcp:a')]).toEqual([1, true]);
    expect(kinds()).toEqual(['ask', 'answer', 'policy']);
    expect(ledger.records[2]).toMatchObject({
      event: 'enabled',
      by: 'terminal',
      policy: desktop.authorizer.rules.hash,
    });
    await authorizeSession(CallView.forUser(desktop), ASKED, {});
    expect(request).toHaveLength(1);
  });

  it('is not enabled when that cannot be written', async () => {
    const note = ledger.note.bind(ledger);
    ledger.note = (one) => (one.kind === 'policy' ? Promise.reject(new Error('disk full')) : note(one));
    await expect(authorizeSession(CallView.forUser(desktop), ASKED, YES)).rejects.toThrow('disk full');
    expect(desktop.authorizer.isEnabled('mcp:a')).toBe(false);
  });

  it('is asked about once, though two calls of it wait', async () => {
    await Promise.all([
      authorizeSession(CallView.forUser(desktop), ASKED, YES),
      authorizeSession(CallView.forUser(desktop), { ...ASKED, args: {} }, YES),
    ]);
    expect(request).toHaveLength(1);
  });

  it('is not enabled by a grant', async () => {
    desktop.authorizer.grants.give('session', {
      ...{ session: 'mcp:a', tool: 'ui_query', class: 'read', program: '', risk: 'medium' },
    });
    await authorizeSession(CallView.forUser(desktop), ASKED, YES);
    expect(request).toHaveLength(1);
    const risk: PolicyDecision['risk'] = { levels: ['low'], score: { least: 0, most: 0 }, parts: [] };
    await requireApproval(CallView.forUser(desktop), ASKED, YES, async () => ({
      decision: { ...ASKS, risk, grant: 'session', enables: true },
    }));
    expect(request).toHaveLength(2);
  });

  it('counts against the minute once it is let pass', async () => {
    await desktop.close();
    open({ limits: { actsPerMinute: 1 } }, 'virtual');
    const act: CallRequest = withTraits({ ...ASKED, tool: 'ui_click', class: 'act' });
    await authorizeSession(CallView.forUser(desktop), act, {});
    await expect(authorizeSession(CallView.forUser(desktop), act, {})).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('a read that the user is asked about', () => {
  it('goes on after an approval, and enables nothing', async () => {
    await requireApproval(CallView.forUser(desktop), ASKED, YES, known(ASKS));
    expect(kinds()).toEqual(['ask', 'answer']);
    expect(desktop.authorizer.isEnabled('mcp:a')).toBe(false);
  });

  it('is not asked about when the answer is another by now, or a grant covers it', async () => {
    await requireApproval(CallView.forUser(desktop), ASKED, YES, known({ answer: 'allow', rule: 'all' }));
    desktop.authorizer.grants.give('session', {
      ...{ session: 'mcp:a', tool: 'ui_query', class: 'read', program: '/usr/bin/crm', risk: 'medium' },
    });
    const risk: PolicyDecision['risk'] = { levels: ['low'], score: { least: 0, most: 0 }, parts: [] };
    await requireApproval(CallView.forUser(desktop), ASKED, YES, known({ ...ASKS, risk }));
    expect(request).toEqual([]);
    await requireApproval(CallView.forUser(desktop), ASKED, YES, known({ ...ASKS, grant: 'once', risk }));
    expect(request).toHaveLength(1);
  });

  it.each<[string, PolicyDecision, ReturnType<typeof aimAt>]>([
    ['the window', ASKS, aimAt({}, { window: windowInfo({ title: 'Other' }) })],
    ['the rule', { ...ASKS, rule: 'other' }, aimAt()],
    ['the policy', { ...ASKS, policyHash: 'bb' }, aimAt()],
  ])('is refused when %s is another afterwards', async (_, decision, plan) => {
    let times = 0;
    const turning: Known = async () => ((times += 1) === 1 ? { decision: ASKS, plan: aimAt() } : { decision, plan });
    await expect(requireApproval(CallView.forUser(desktop), ASKED, YES, turning)).rejects.toMatchObject({
      code: 'target_changed',
      retry: 'safe',
    });
  });

  it('holds the turn while the question is open', async () => {
    const order: string[] = [];
    const first = requireApproval(CallView.forUser(desktop), ASKED, YES, known(ASKS)).then(() => order.push('asked'));
    const second = requireApproval(CallView.forUser(desktop), ASKED, {}, async () => {
      order.push('next');
      return { decision: { answer: 'allow', rule: 'all' } };
    });
    await Promise.all([first, second]);
    expect(order).toEqual(['asked', 'next']);
  });
});
