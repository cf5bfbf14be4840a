import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordSession, SessionClock } from '../../tests/scenes/recorded-session.js';
import { ledgerPlaces, newLedger, openLedger, readLog, type LedgerPlaces, type Note } from '../audit/index.js';
import { traceHtml } from './html/page.js';
import { isCallStep, type CallStep, type Trace } from './trace.js';
import { traceOf } from './build-trace.js';

let root: string;
let places: LedgerPlaces;
const clock = new SessionClock();
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-trace-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function recorded(work: typeof recordSession): Promise<string> {
  const ledger = await openLedger({ places, software: 'deskproof/test', now: clock.now });
  await work(ledger, clock);
  await ledger.close();
  return places.logs;
}
const callSteps = ({ steps }: Trace): CallStep[] => steps.filter(isCallStep);

const click = { tool: 'ui_click', caller: { surface: 'cli', session: 'a' }, rule: 'private/all' };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 3 };
const ask = (question: string, subject: string): Note => ({
  kind: 'ask',
  ...{ question, subject, tool: 'ui_click', caller: click.caller, channels: ['terminal'] },
  decision: { answer: 'ask', rule: 'r' },
});
const [one, two] = ['1'.repeat(64), '2'.repeat(64)] as const;

describe('a trace', () => {
  it('lists a whole session in order, each act with its outcome and approval request', async () => {
    const trace = traceOf(readLog(await recorded(recordSession)));
    expect(
      trace.steps.map((step) => (isCallStep(step) ? `${step.kind} ${step.tool} ${step.result}` : step.what)),
    ).toEqual([
      'open',
      'policy',
      'session',
      'read ui_list_windows ok',
      'act ui_launch ok',
      'read ui_snapshot ok',
      'act ui_type ok',
      'act ui_click ok',
      'act ui_click failed',
      'act ui_key ok',
      'act ui_click ok',
      'act ui_type ok',
      'refused ui_click denied',
      'stop',
      'resume',
      'act ui_set_value unknown',
    ]);
    expect(trace.steps.map(({ number }) => number)).toEqual(trace.steps.map((_, at) => at + 1));
    expect(trace.steps[10]).toMatchObject({
      question: {
        channels: ['terminal', 'mcp'],
        answer: { result: 'allowed', ms: 6_400, reason: 'the old copy, yes' },
      },
      outcome: { status: 'ok', delivered: 'yes', changed: 'yes' },
      cost: { ms: 92, driverCalls: 9 },
    });
    expect(trace.totals).toEqual({
      ...{ acts: 8, reads: 2, ok: 8, failed: 1, denied: 1, unknown: 1, asked: 1 },
      ...{ ms: 6_973, waitedMs: 6_400, driverCalls: 89, tokens: 812 },
    });
    expect(trace).toMatchObject({
      desktop: 'desk',
      software: 'deskproof/test',
      callers: [{ surface: 'mcp', session: 's7' }],
    });
    expect(trace.unknown).toEqual(['The log contains no outcome of step 16: it may or may not have been done.']);
  });

  it('marks records that were not signed when the writer died, only in their own ledger', async () => {
    await crashAfterOne();
    const marked = ({ steps }: Trace): number[] => steps.filter(({ unsigned }) => unsigned).map(({ seq }) => seq);
    const unsigned = { from: 4, count: 2 };
    expect(marked(traceOf(readLog(places.logs)))).toEqual([]);
    expect(marked(traceOf(readLog(places.logs), { unsigned }))).toEqual([4]);
    await (await openLedger({ places, software: 'deskproof/test' })).close();
    expect(marked(traceOf(readLog(places.logs)))).toEqual([4]);
    const next = await newLedger({ places, software: 'deskproof/test' }, 'tested');
    for (let at = 0; at < 2; at++) await next.outcome(await next.intent(click), done);
    await next.close();
    const trace = traceOf(readLog(places.logs));
    expect(marked(trace)).toEqual([4]);
    const [step] = trace.steps.filter((one) => one.unsigned);
    expect(trace.unknown).toContain(
      `The record of step ${step!.number} is not signed: it was written right before a crash, or by someone else.`,
    );
    expect(traceHtml(trace)).toMatch(/<span class="chip unknown"[^>]*>not signed</);
  });

  /** Two acts, the second behind the head. */
  async function crashAfterOne(): Promise<void> {
    const ledger = await openLedger({ places, software: 'deskproof/test', now: clock.now });
    await ledger.outcome(await ledger.intent(click), done);
    const head = join(places.state, ledger.id, 'head');
    const then = readFileSync(head);
    await ledger.outcome(await ledger.intent(click), done);
    const log = readFileSync(ledger.path);
    await ledger.close();
    writeFileSync(head, then);
    writeFileSync(ledger.path, log);
  }

  it('assigns each act its approval request and keeps a withdrawn one separate', async () => {
    const logs = await recorded(async (ledger) => {
      await ledger.note(ask('q1', one));
      await ledger.note({ kind: 'answer', question: 'q1', subject: one, result: 'void', ms: 9 });
      await ledger.note(ask('q2', two));
      await ledger.note({ kind: 'answer', question: 'q2', subject: two, result: 'allowed', ms: 7 });
      await ledger.note({ kind: 'answer', question: 'q2', subject: two, result: 'already closed', ms: 8 });
      await ledger.outcome(await ledger.intent({ ...click, evidence: { subject: two } }), done);
      await ledger.outcome(await ledger.intent(click), done);
    });
    const [withdrawn, act, plain] = callSteps(traceOf(readLog(logs)));
    expect(withdrawn).toMatchObject({ kind: 'question', result: 'denied', question: { answer: { result: 'void' } } });
    expect(act).toMatchObject({ kind: 'act', question: { answer: { result: 'allowed', ms: 7 } } });
    expect(plain!.question).toBeUndefined();
  });

  it('assigns a refusal its approval request, and reports open requests', async () => {
    const logs = await recorded(async (ledger) => {
      await ledger.note(ask('q1', one));
      await ledger.note({ kind: 'answer', question: 'q1', subject: one, result: 'denied', ms: 9, reason: 'no' });
      await ledger.call({ ...click, status: 'refused', error: 'approval_denied' });
      await ledger.note(ask('q2', two));
    });
    const trace = traceOf(readLog(logs));
    expect(callSteps(trace)).toMatchObject([
      { kind: 'refused', question: { answer: { result: 'denied', reason: 'no' } } },
      { kind: 'question', result: 'unknown' },
    ]);
    expect(trace.unknown).toEqual(['The approval request of step 3 was still open at the end of the log.']);
  });

  it.each([
    [{}, 'ok'],
    [{ status: 'no change', changed: 'no' as const }, 'ok'],
    [{ postcondition: 'unsatisfied' as const }, 'failed'],
    [{ status: 'failed', error: 'timeout' as const }, 'failed'],
    [{ status: 'failed', error: 'policy_denied' as const, delivered: 'no' as const }, 'denied'],
    [{ status: 'failed', error: 'approval_timeout' as const, delivered: 'no' as const }, 'denied'],
  ])('an outcome %j is %s', async (ending, result) => {
    const logs = await recorded(async (ledger) => ledger.outcome(await ledger.intent(click), { ...done, ...ending }));
    expect(callSteps(traceOf(readLog(logs)))[0]!.result).toBe(result);
  });

  it('can be limited to one session or the last steps, and reports what it leaves out', async () => {
    const logs = await recorded(async (ledger) => {
      for (const session of ['a', 'b', 'a', 'b', 'b']) {
        await ledger.outcome(await ledger.intent({ ...click, caller: { surface: 'cli', session } }), done);
      }
    });
    const own = traceOf(readLog(logs), { session: 'b' });
    expect(callSteps(own).map(({ caller }) => caller!.session)).toEqual(['b', 'b', 'b']);
    expect(own.unknown).toEqual(['2 other steps of the log are not shown here.']);
    expect(own.totals.acts).toBe(3);
    const last = traceOf(readLog(logs), { session: 'a', last: 1 });
    expect(last.steps.map(({ seq }) => seq)).toEqual([6]);
  });

  it('numbers a step the same in every part of a log', async () => {
    const logs = await recorded(async (ledger) => {
      for (const session of ['a', 'b', 'a']) {
        await ledger.outcome(await ledger.intent({ ...click, caller: { surface: 'cli', session } }), done);
      }
    });
    const numberOf = new Map(traceOf(readLog(logs)).steps.map(({ seq, number }) => [seq, number]));
    for (const part of [{ session: 'a' }, { session: 'b' }, { last: 1 }, { session: 'a', last: 1 }]) {
      const { steps } = traceOf(readLog(logs), part);
      expect(steps.map(({ number }) => number)).toEqual(steps.map(({ seq }) => numberOf.get(seq)));
    }
  });

  it('reports unreadable lines and outcomes without an act', async () => {
    const logs = await recorded(async (ledger) => ledger.outcome(await ledger.intent(click), done));
    const lines = [...readLog(logs)].filter(({ record }) => record?.kind !== 'intent');
    const trace = traceOf([...lines, { segment: 1, line: 9, problem: 'not a record' }]);
    expect(trace.unknown).toEqual([
      'The log contains outcomes of acts that are not in this part of it: record 2.',
      'One line could not be read: line 9 of segment 1.',
    ]);
  });

  it('of an empty log has no steps and no times', () => {
    expect(traceOf([])).toMatchObject({ steps: [], callers: [], unknown: [], totals: { acts: 0, ms: 0 } });
  });
});
