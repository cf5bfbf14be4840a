import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aimAt, windowInfo } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { type PendingApproval } from './pending-approvals.js';
import { askUser, isStillValid, type Approval, type ApprovalChannel, type ApprovalCase } from './ask-user.js';
import type { CallRequest } from '../request/policy-request.js';
import { Authorizer, type PolicyDecision } from '../authorization/authorizer.js';
import { hashOf, approvalSubject } from './approval-subject.js';

const ASKED: CallRequest = { tool: 'ui_click', class: 'act', caller: 'mcp:a', args: { target: 'e7' } };
const DECIDED: PolicyDecision = { answer: 'ask', rule: 'mine', scope: 'session' };
const matter = (name = 'Delete', decision = DECIDED): ApprovalCase => {
  const plan = aimAt({ name });
  return { asked: ASKED, decided: decision, aim: plan, subject: approvalSubject('desk', ASKED, plan, decision) };
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

describe('a yes', () => {
  it('holds for the same matter and for ten seconds', () => {
    const { subject } = matter();
    const approval: Approval = {
      subject,
      hash: hashOf(subject),
      by: 'terminal',
      scope: 'once',
      answeredAt: 1_000,
      again: false,
    };
    expect(isStillValid(approval, subject, 11_000)).toBe(true);
    expect(isStillValid(approval, subject, 11_001)).toBe(false);
    expect(isStillValid(approval, matter('Destroy').subject, 1_000)).toBe(false);
  });

  it('is written down with its question', async () => {
    const approval = await askUser(authorizer, matter(), yes);
    expect(approval).toMatchObject({ by: 'terminal', scope: 'once', again: false, hash: hashOf(matter().subject) });
    expect(ledger.records).toMatchObject([
      {
        ...{ kind: 'ask', tool: 'ui_click', channels: ['terminal'], caller: { surface: 'mcp', session: 'mcp:a' } },
        ...{ decision: { rule: 'mine' }, target: { role: 'button', name: 'Delete' } },
      },
      { kind: 'answer', result: 'allowed', channel: 'terminal', scope: 'once' },
    ]);
    expect(ledger.records[0]).toHaveProperty('question', (ledger.records[1] as { question?: string }).question);
  });

  it('is not asked for once more in another window', async () => {
    const first = await askUser(authorizer, matter(), yes);
    const plan = aimAt({}, { window: windowInfo({ id: 'win-2' }) });
    const elsewhere = { ...matter(), aim: plan, subject: approvalSubject('desk', ASKED, plan, DECIDED) };
    await expect(askUser(authorizer, elsewhere, yes, first)).rejects.toMatchObject({
      ...{ code: 'target_changed', message: expect.stringMatching(/is not in the window that a person/) as string },
    });
    expect(ledger.records).toHaveLength(2);
  });

  it('the second time says what is otherwise; a third question is not put', async () => {
    const first = await askUser(authorizer, matter(), yes);
    let shown: unknown;
    const second = await askUser(
      authorizer,
      matter('Destroy'),
      answering((question) => {
        shown = question.shown;
        yes.onQuestion!(question);
      }),
      first,
    );
    expect(second.again).toBe(true);
    expect(shown).toMatchObject({ changed: ['target'] });
    const third = (name: string) => askUser(authorizer, matter(name), yes, second);
    await expect(third('Delete')).rejects.toMatchObject({ code: 'target_changed', message: /twice .*\(target\)/ });
    await expect(third('Destroy')).rejects.toMatchObject({ code: 'target_changed', message: /twice .*\(time\)/ });
    expect(ledger.records).toHaveLength(4);
  });
});

describe('no yes', () => {
  it('to a look tells who may not look no title, and of a look at no window what it is', async () => {
    const look: CallRequest = { ...ASKED, tool: 'ui_snapshot', class: 'read', args: {} };
    const refusal = async (plan: ApprovalCase['aim']): Promise<string> => {
      const about = { asked: look, decided: DECIDED, aim: plan, subject: approvalSubject('desk', look, plan, DECIDED) };
      return askUser(authorizer, about, {}).then(String, (error: Error) => error.message);
    };
    const window = windowInfo({ title: 'Letters' });
    expect(await refusal({ verb: 'look', needs: {}, window })).toContain(`look in ${window.ref} `);
    expect(await refusal({ verb: 'look', needs: {}, window })).not.toContain('Letters');
    expect(await refusal({ verb: 'look', needs: {} })).toMatch(/\blook\b/);
  });

  it.each<[string, (question: PendingApproval) => void, object, object]>([
    [
      'a no with a reason',
      ({ id }) => authorizer.questions.answer(id, { channel: 'terminal', reason: 'not this' }),
      { code: 'approval_denied', details: { person: 'not this' } },
      { result: 'denied', channel: 'terminal', reason: 'not this' },
    ],
    [
      'a no',
      ({ id }) => authorizer.questions.answer(id, { channel: 'terminal' }),
      { code: 'approval_denied', details: undefined },
      { result: 'denied' },
    ],
    [
      'void',
      () => authorizer.questions.void('everything was stopped'),
      { code: 'policy_denied' },
      { result: 'void', reason: 'everything was stopped' },
    ],
  ])('%s', async (_, how, refusal, written) => {
    await expect(askUser(authorizer, matter(), answering(how))).rejects.toMatchObject(refusal);
    expect(ledger.records[1]).toMatchObject({ kind: 'answer', ...written });
    if (!('reason' in written)) expect(ledger.records[1]).not.toHaveProperty('reason');
  });

  it('withdrawn by whoever asked', async () => {
    const gone = new AbortController();
    const line = { ...answering(() => gone.abort()), signal: gone.signal };
    await expect(askUser(authorizer, matter(), line)).rejects.toMatchObject({ code: 'cancelled' });
    expect(ledger.records[1]).toMatchObject({ result: 'withdrawn' });
  });

  it('silence, for as long as the policy says; whoever waits hears that it goes on, and no longer', async () => {
    open({ approvals: { seconds: 12 } });
    vi.useFakeTimers();
    let told = 0;
    const line: ApprovalChannel = { ...answering(() => undefined), onProgress: () => (told += 1) };
    const silence = expect(askUser(authorizer, matter(), line)).rejects.toMatchObject({
      code: 'approval_timeout',
      retry: 'after',
    });
    await vi.advanceTimersByTimeAsync(12_000);
    await silence;
    expect(told).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toBe(2);
    expect(ledger.records[1]).toMatchObject({ result: 'expired', ms: 12_000 });
  });

  it('cannot be written: nobody is asked, and nothing stays open', async () => {
    ledger.note = () => Promise.reject(new Error('disk full'));
    let heard = 0;
    await expect(
      askUser(
        authorizer,
        matter(),
        answering(() => (heard += 1)),
      ),
    ).rejects.toThrow('disk full');
    expect([heard, authorizer.questions.all]).toEqual([0, []]);
  });

  it('cannot be written: the questions of others stay', async () => {
    const other = authorizer.questions.ask({
      ...{ session: 'mcp:b', subjectHash: '', shown: {}, widest: 'once', channels: ['terminal'], seconds: 60 },
    });
    ledger.note = () => Promise.reject(new Error('disk full'));
    await expect(askUser(authorizer, matter(), yes)).rejects.toThrow('disk full');
    expect(authorizer.questions.all).toEqual([other.question]);
    authorizer.questions.void('end');
  });
});

describe('who can be asked', () => {
  it('nobody: it is said at once', async () => {
    await expect(askUser(authorizer, matter(), {})).rejects.toMatchObject({
      ...{ code: 'approval_required', retry: 'after', hint: 'tell the person to run: deskproof approvals' },
    });
    expect([ledger.records, authorizer.questions.all]).toEqual([[], []]);
  });

  it('for the session as a whole, with how to enable it', async () => {
    const enables: PolicyDecision = { ...DECIDED, enables: true, hint: 'a person enables it.' };
    await expect(askUser(authorizer, matter('x', enables), {})).rejects.toMatchObject({ hint: 'a person enables it.' });
    await expect(askUser(authorizer, matter('x', { ...DECIDED, hint: 'other' }), {})).rejects.toMatchObject({
      hint: 'tell the person to run: deskproof approvals',
    });
    await expect(askUser(authorizer, matter('x', { ...enables, hint: undefined }), {})).rejects.toMatchObject({
      hint: 'tell the person to run: deskproof approvals',
    });
  });

  it('whoever looks at the list, though the caller has no person', async () => {
    const leave = authorizer.attend();
    const end = authorizer.questions.onChange(() => {
      for (const { id, channels, widest } of authorizer.questions.all) {
        expect([channels, widest]).toEqual([['terminal'], 'session']);
        queueMicrotask(() => authorizer.questions.answer(id, { channel: 'terminal', scope: 'session' }));
      }
    });
    expect(await askUser(authorizer, matter(), {})).toMatchObject({ scope: 'session' });
    end();
    leave();
  });

  it('not at a channel that the policy leaves out', async () => {
    open({ approvals: { channels: ['inspector', 'mcp'] } });
    await expect(askUser(authorizer, matter(), yes)).rejects.toMatchObject({ code: 'approval_required' });
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
    ['may ask about little', risk('low'), {}, ['terminal', 'mcp']],
    ['may ask about a medium risk', risk('low', 'medium'), {}, ['terminal', 'mcp']],
    ['may not ask about what may be high', risk('medium', 'high'), {}, []],
    ['may if the policy says so', risk('high'), { approvals: { elicitation: 'high' } }, ['terminal', 'mcp']],
    ['may never ask about what is prohibited', risk('prohibited'), { approvals: { elicitation: 'high' } }, []],
    ['may not ask where the policy wants none', risk('low'), { approvals: { elicitation: 'off' } }, []],
    ['may not where it is no channel', risk('low'), { approvals: { channels: ['terminal'] } }, []],
    ['may be the only one', risk('low'), { approvals: { channels: ['mcp'] } }, ['mcp']],
    ['may not let a session work here', { ...risk('low'), enables: true }, {}, []],
    ['may not ask about what nobody has weighed', DECIDED, {}, []],
  ])('%s', async (_, decision, user, channels) => {
    open(user);
    const only = channels.includes('terminal') ? sayNo : () => authorizer.questions.void('over');
    const line: ApprovalChannel = { onQuestion: only, asksBy: 'mcp' };
    const refused = askUser(authorizer, matter('Save', decision), line);
    await expect(refused).rejects.toMatchObject(channels.length > 0 ? {} : { code: 'approval_required' });
    expect(ledger.records[0]).toEqual(channels.length > 0 ? expect.objectContaining({ channels }) : undefined);
  });

  it('is not asked for a session that answered by itself three times, nor is who only listens', async () => {
    for (let times = 0; times < 3; times++) {
      const { question } = authorizer.questions.ask({
        ...{ session: 'mcp:a', subjectHash: '', shown: {}, widest: 'once', channels: ['mcp'], seconds: 9 },
      });
      authorizer.questions.answer(question.id, { channel: 'mcp' });
    }
    for (const asksBy of ['mcp', 'nobody'] as const) {
      const refused = askUser(authorizer, matter('Save', risk('low')), { onQuestion: sayNo, asksBy });
      await expect(refused).rejects.toMatchObject({ code: 'approval_required' });
    }
  });
});
