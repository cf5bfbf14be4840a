// @module-tag safety
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aimAt, windowInfo } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { type PendingApproval } from './pending-approvals.js';
import { isStillValid, type Approval } from './approval-validity.js';
import { askUser, type ApprovalChannel, type ApprovalCase } from './ask-user.js';
import type { CallRequest } from '../request/policy-request.js';
import { Authorizer, type PolicyDecision } from '../authorization/authorizer.js';
import { subjectHashOf, approvalSubject } from './approval-subject.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_click', class: 'act', caller: 'mcp:a', args: { target: 'e7' } });
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'mine', scope: 'session' };
const approvalCase = (name = 'Delete', decision = DECIDED): ApprovalCase => {
  const plan = aimAt({ name });
  return { request: ASKED, decision, plan, subject: approvalSubject('desk', ASKED, plan, decision) };
};

let authorizer: Authorizer;
let ledger: MemoryLedger;
function open(user: Partial<PolicyFile> = {}): void {
  ledger = new MemoryLedger();
  authorizer = new Authorizer('seat', { rules: compilePolicy({ user: { version: 1, ...user } }, 'seat'), ledger });
}
beforeEach(() => open());
afterEach(() => void vi.useRealTimers());

const answering = (how: (question: PendingApproval) => void): ApprovalChannel => ({ onQuestion: how });
const yes = answering(({ id }) => void authorizer.questions.answer(id, { channel: 'terminal', scope: 'once' }));

describe('an approval', () => {
  it('is valid for the same subject and for ten seconds', () => {
    const { subject } = approvalCase();
    const approval: Approval = {
      subject,
      hash: subjectHashOf(subject),
      by: 'terminal',
      scope: 'once',
      answeredAt: 1_000,
      again: false,
    };
    expect(isStillValid(approval, subject, 11_000)).toBe(true);
    expect(isStillValid(approval, subject, 11_001)).toBe(false);
    expect(isStillValid(approval, approvalCase('Destroy').subject, 1_000)).toBe(false);
  });

  it('is recorded together with its request', async () => {
    const approval = await askUser(authorizer, approvalCase(), yes);
    expect(approval).toMatchObject({
      by: 'terminal',
      scope: 'once',
      again: false,
      hash: subjectHashOf(approvalCase().subject),
    });
    expect(ledger.records).toMatchObject([
      {
        ...{ kind: 'ask', tool: 'ui_click', channels: ['terminal'], caller: { surface: 'mcp', session: 'mcp:a' } },
        ...{ decision: { rule: 'mine' }, target: { role: 'button', name: 'Delete' } },
      },
      { kind: 'answer', result: 'allowed', channel: 'terminal', scope: 'once' },
    ]);
    expect(ledger.records[0]).toHaveProperty('question', (ledger.records[1] as { question?: string }).question);
  });

  it('is not requested again for another window', async () => {
    const first = await askUser(authorizer, approvalCase(), yes);
    const plan = aimAt({}, { window: windowInfo({ id: 'win-2' }) });
    const elsewhere = { ...approvalCase(), plan, subject: approvalSubject('desk', ASKED, plan, DECIDED) };
    await expect(askUser(authorizer, elsewhere, yes, first)).rejects.toMatchObject({
      ...{
        code: 'target_changed',
        message: expect.stringMatching(/no longer affects the window that the user was asked about/) as string,
      },
    });
    expect(ledger.records).toHaveLength(2);
  });

  it('names the changed parts in a second request; a third request is refused', async () => {
    const first = await askUser(authorizer, approvalCase(), yes);
    let shown: unknown;
    const second = await askUser(
      authorizer,
      approvalCase('Destroy'),
      answering((question) => {
        shown = question.shown;
        yes.onQuestion!(question);
      }),
      first,
    );
    expect(second.again).toBe(true);
    expect(shown).toMatchObject({ changed: ['target'] });
    const third = (name: string) => askUser(authorizer, approvalCase(name), yes, second);
    await expect(third('Delete')).rejects.toMatchObject({ code: 'target_changed', message: /twice .*\(target\)/ });
    await expect(third('Destroy')).rejects.toMatchObject({ code: 'target_changed', message: /twice .*\(time\)/ });
    expect(ledger.records).toHaveLength(4);
  });
});

describe('a refused request', () => {
  it('to read a window does not reveal its title, and names the act when there is no window', async () => {
    const read: CallRequest = withTraits({ ...ASKED, tool: 'ui_snapshot', class: 'read', args: {} });
    const refusal = async (plan: ApprovalCase['plan']): Promise<string> => {
      const about = { request: read, decision: DECIDED, plan, subject: approvalSubject('desk', read, plan, DECIDED) };
      return askUser(authorizer, about, {}).then(String, (error: Error) => error.message);
    };
    const window = windowInfo({ title: 'Letters' });
    expect(await refusal({ verb: 'look', needs: {}, window })).toContain(`look in ${window.ref} `);
    expect(await refusal({ verb: 'look', needs: {}, window })).not.toContain('Letters');
    expect(await refusal({ verb: 'look', needs: {} })).toMatch(/\blook\b/);
  });

  it.each<[string, (question: PendingApproval) => void, object, object]>([
    [
      'is denied with a reason',
      ({ id }) => authorizer.questions.answer(id, { channel: 'terminal', reason: 'not this' }),
      { code: 'approval_denied', details: { userReason: 'not this' } },
      { result: 'denied', channel: 'terminal', reason: 'not this' },
    ],
    [
      'is denied',
      ({ id }) => authorizer.questions.answer(id, { channel: 'terminal' }),
      { code: 'approval_denied', details: undefined },
      { result: 'denied' },
    ],
    [
      'becomes void',
      () => authorizer.questions.void('everything was stopped'),
      { code: 'policy_denied' },
      { result: 'void', reason: 'everything was stopped' },
    ],
  ])('%s', async (_, how, refusal, written) => {
    await expect(askUser(authorizer, approvalCase(), answering(how))).rejects.toMatchObject(refusal);
    expect(ledger.records[1]).toMatchObject({ kind: 'answer', ...written });
    if (!('reason' in written)) expect(ledger.records[1]).not.toHaveProperty('reason');
  });

  it('is withdrawn when the caller cancels', async () => {
    const gone = new AbortController();
    const channel = { ...answering(() => gone.abort()), signal: gone.signal };
    await expect(askUser(authorizer, approvalCase(), channel)).rejects.toMatchObject({ code: 'cancelled' });
    expect(ledger.records[1]).toMatchObject({ result: 'withdrawn' });
  });

  it('expires after the time that the policy sets, and reports progress until then', async () => {
    open({ approvals: { seconds: 12 } });
    vi.useFakeTimers();
    let promptForCaller = 0;
    const channel: ApprovalChannel = { ...answering(() => undefined), onProgress: () => (promptForCaller += 1) };
    const silence = expect(askUser(authorizer, approvalCase(), channel)).rejects.toMatchObject({
      code: 'approval_timeout',
      retry: 'after',
    });
    await vi.advanceTimersByTimeAsync(12_000);
    await silence;
    expect(promptForCaller).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(promptForCaller).toBe(2);
    expect(ledger.records[1]).toMatchObject({ result: 'expired', ms: 12_000 });
  });

  it('that cannot be recorded is neither shown nor left open', async () => {
    ledger.note = () => Promise.reject(new Error('disk full'));
    let heard = 0;
    await expect(
      askUser(
        authorizer,
        approvalCase(),
        answering(() => (heard += 1)),
      ),
    ).rejects.toThrow('disk full');
    expect([heard, authorizer.questions.all]).toEqual([0, []]);
  });

  it('that cannot be recorded leaves other requests open', async () => {
    const other = authorizer.questions.ask({
      ...{ session: 'mcp:b', subjectHash: '', shown: {}, widest: 'once', channels: ['terminal'], seconds: 60 },
    });
    ledger.note = () => Promise.reject(new Error('disk full'));
    await expect(askUser(authorizer, approvalCase(), yes)).rejects.toThrow('disk full');
    expect(authorizer.questions.all).toEqual([other.question]);
    authorizer.questions.void('end');
  });
});

describe('the user can be asked', () => {
  it('not at all without a channel: the request fails at once', async () => {
    await expect(askUser(authorizer, approvalCase(), {})).rejects.toMatchObject({
      ...{ code: 'approval_required', retry: 'after', hint: 'tell the person to run: deskproof approvals' },
    });
    expect([ledger.records, authorizer.questions.all]).toEqual([[], []]);
  });

  it('to enable the session, with a hint how to do it', async () => {
    const enables: PolicyDecision = { ...DECIDED, enables: true, hint: 'a person enables it.' };
    await expect(askUser(authorizer, approvalCase('x', enables), {})).rejects.toMatchObject({
      hint: 'a person enables it.',
    });
    await expect(askUser(authorizer, approvalCase('x', { ...DECIDED, hint: 'other' }), {})).rejects.toMatchObject({
      hint: 'tell the person to run: deskproof approvals',
    });
    await expect(askUser(authorizer, approvalCase('x', { ...enables, hint: undefined }), {})).rejects.toMatchObject({
      hint: 'tell the person to run: deskproof approvals',
    });
  });

  it('in a terminal that lists approvals, though the caller has no channel', async () => {
    const leave = authorizer.attend();
    const end = authorizer.questions.onChange(() => {
      for (const { id, channels, widest } of authorizer.questions.all) {
        expect([channels, widest]).toEqual([['terminal'], 'session']);
        queueMicrotask(() => authorizer.questions.answer(id, { channel: 'terminal', scope: 'session' }));
      }
    });
    expect(await askUser(authorizer, approvalCase(), {})).toMatchObject({ scope: 'session' });
    end();
    leave();
  });

  it('not on a channel that the policy excludes', async () => {
    open({ approvals: { channels: ['inspector', 'mcp'] } });
    await expect(askUser(authorizer, approvalCase(), yes)).rejects.toMatchObject({ code: 'approval_required' });
  });
});

describe('a form of an MCP client', () => {
  const risk = (...levels: string[]): PolicyDecision => ({
    ...DECIDED,
    risk: { levels, score: { least: 0, most: 0 }, parts: [] } as unknown as PolicyDecision['risk'],
  });
  const sayNo = (question: PendingApproval): void =>
    void authorizer.questions.answer(question.id, { channel: 'terminal' });

  it.each<[string, PolicyDecision, Partial<PolicyFile>, string[]]>([
    ['may ask about a low risk', risk('low'), {}, ['terminal', 'mcp']],
    ['may ask about a medium risk', risk('low', 'medium'), {}, ['terminal', 'mcp']],
    ['may not ask about a risk that may be high', risk('medium', 'high'), {}, []],
    [
      'may ask about a high risk if the policy allows it',
      risk('high'),
      { approvals: { elicitation: 'high' } },
      ['terminal', 'mcp'],
    ],
    ['may never ask about a prohibited act', risk('prohibited'), { approvals: { elicitation: 'high' } }, []],
    ['may not ask if the policy turns elicitation off', risk('low'), { approvals: { elicitation: 'off' } }, []],
    ['may not ask if it is not among the channels', risk('low'), { approvals: { channels: ['terminal'] } }, []],
    ['may be the only channel', risk('low'), { approvals: { channels: ['mcp'] } }, ['mcp']],
    ['may not enable a session', { ...risk('low'), enables: true }, {}, []],
    ['may not ask about an act without a risk level', DECIDED, {}, []],
  ])('%s', async (_, decision, user, channels) => {
    open(user);
    const only = channels.includes('terminal') ? sayNo : () => authorizer.questions.void('over');
    const channel: ApprovalChannel = { onQuestion: only, asksBy: 'mcp' };
    const refused = askUser(authorizer, approvalCase('Save', decision), channel);
    await expect(refused).rejects.toMatchObject(channels.length > 0 ? {} : { code: 'approval_required' });
    expect(ledger.records[0]).toEqual(channels.length > 0 ? expect.objectContaining({ channels }) : undefined);
  });

  it('is not used for a session that answered too fast three times, nor without onQuestion', async () => {
    for (let times = 0; times < 3; times++) {
      const { question } = authorizer.questions.ask({
        ...{ session: 'mcp:a', subjectHash: '', shown: {}, widest: 'once', channels: ['mcp'], seconds: 9 },
      });
      authorizer.questions.answer(question.id, { channel: 'mcp' });
    }
    for (const asksBy of ['mcp', 'none'] as const) {
      const refused = askUser(authorizer, approvalCase('Save', risk('low')), { onQuestion: sayNo, asksBy });
      await expect(refused).rejects.toMatchObject({ code: 'approval_required' });
    }
  });
});

describe('a caller', () => {
  it('cannot ask a second question while one is open', async () => {
    const first = askUser(
      authorizer,
      approvalCase(),
      answering(() => undefined),
    );
    await expect(askUser(authorizer, approvalCase('Other'), yes)).rejects.toMatchObject({
      ...{ code: 'rate_limited', retryAfter: 'the user has answered it' },
    });
    expect(authorizer.questions.all).toHaveLength(1);
    authorizer.questions.void('end');
    await expect(first).rejects.toThrow(/void/);
  });

  it('cannot ask after two unanswered questions', async () => {
    for (let at = 0; at < 2; at++) {
      const caller = new AbortController();
      const asking = askUser(authorizer, approvalCase(), { signal: caller.signal, onQuestion: () => caller.abort() });
      await expect(asking).rejects.toMatchObject({ code: 'cancelled' });
    }
    await expect(askUser(authorizer, approvalCase(), yes)).rejects.toMatchObject({
      ...{ code: 'rate_limited', retry: 'after', retryAfter: expect.stringMatching(/^\d+ s$/) as string },
    });
  });
});
