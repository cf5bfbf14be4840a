import type { Content, ReadLine } from '../audit/index.js';

type IntentContent = Content<'intent'>;
export type Caller = IntentContent['caller'];
type Decision = IntentContent['decision'];
export type Target = NonNullable<IntentContent['target']>;
type App = NonNullable<IntentContent['app']>;
export type Args = NonNullable<IntentContent['args']>;
type Cost = Content<'outcome'>['cost'];
type Evidence = NonNullable<IntentContent['evidence']>;

/** How a step ended. `unknown`: the log contains no outcome of the act. */
export type Result = 'ok' | 'failed' | 'denied' | 'unknown' | 'noted';

/** An approval request and its answer. */
export interface ApprovalRequest {
  seq: number;
  at: string;
  channels: readonly string[];
  decision?: Decision;
  /** Absent: still open at the end of the log. */
  answer?: Pick<Content<'answer'>, 'result' | 'channel' | 'scope' | 'ms' | 'reason'>;
}

interface StepBase {
  /** Counted from 1 over the whole log, also in a trace of a part of it. */
  number: number;
  /** The record's sequence number in the log. */
  seq: number;
  at: string;
  result: Result;
  /** No signature covered the record, or its outcome, when its writer died: someone else may have written it. */
  unsigned?: true;
}

/** A call of a tool: an act, a read, a refused call, or an approval request. */
export interface CallStep extends StepBase {
  kind: 'act' | 'read' | 'refused' | 'question';
  tool: string;
  caller?: Caller;
  decision?: Decision;
  args?: Args;
  target?: Target;
  app?: App;
  confidence?: number;
  driver?: string;
  method?: string;
  evidence?: Evidence;
  question?: ApprovalRequest;
  /** Number of equal refusals that this step stands for. */
  repeat?: number;
  outcome?: Outcome;
  cost?: Cost;
}

export interface Outcome extends Partial<
  Pick<Content<'outcome'>, 'status' | 'delivered' | 'changed' | 'postcondition' | 'error' | 'after'>
> {
  seq: number;
  at: string;
}

/** An event around the acts. */
export interface EventStep extends StepBase {
  kind: 'event';
  what: 'session' | 'policy' | 'grant' | 'pause' | 'stop' | 'resume' | 'retention' | 'open' | 'recovered';
  /** Our own text. */
  description: string;
  /** Text from the user or a file: data. */
  said?: string;
  by?: string;
}

export type Step = CallStep | EventStep;

interface Totals {
  acts: number;
  reads: number;
  ok: number;
  failed: number;
  denied: number;
  unknown: number;
  asked: number;
  /** Duration of acts and reads, without waiting for approval. */
  ms: number;
  /** Time spent waiting for approval. */
  waitedMs: number;
  driverCalls: number;
  tokens: number;
}

/** A log, or a part of it, for reading. */
export interface Trace {
  desktop?: string;
  software?: string;
  ledger?: string;
  from?: string;
  to?: string;
  callers: Caller[];
  steps: Step[];
  totals: Totals;
  /** What the log does not contain, in whole sentences. */
  unknown: string[];
}

export interface TraceOptions {
  /** Only the calls of this session, and the events around them. */
  session?: string;
  /** Only the last steps, up to this number. */
  last?: number;
  /**
   * Records at the end that no signature covers: the first one and their number. Earlier unsigned records are listed in
   * the log itself.
   */
  unsigned?: Unsigned;
}

export type Unsigned = NonNullable<Content<'recovered'>['unsigned']>;

export const isCallStep = (step: Step): step is CallStep => step.kind !== 'event';

/** Result of verifying the log. */
export interface LogVerification {
  ok: boolean;
  verdict: string;
  notes?: readonly string[];
}

export function totalsOf(steps: readonly Step[]): Totals {
  const totals: Totals = {
    ...{ acts: 0, reads: 0, ok: 0, failed: 0, denied: 0, unknown: 0, asked: 0 },
    ...{ ms: 0, waitedMs: 0, driverCalls: 0, tokens: 0 },
  };
  for (const step of steps) {
    if (!isCallStep(step)) continue;
    if (step.kind === 'act') totals.acts++;
    if (step.kind === 'read') totals.reads++;
    if (step.question) totals.asked++;
    if (step.result !== 'noted') totals[step.result] += step.repeat ?? 1;
    totals.ms += step.cost?.ms ?? 0;
    totals.waitedMs += step.question?.answer?.ms ?? 0;
    totals.driverCalls += step.cost?.driverCalls ?? 0;
    totals.tokens += step.cost?.tokens ?? 0;
  }
  return totals;
}

interface Gaps {
  unread: readonly ReadLine[];
  orphans: readonly number[];
  leftOut: number;
}

const MAX_LISTED = 8;

const listed = (numbers: readonly (number | string)[]): string =>
  [
    ...numbers.slice(0, MAX_LISTED),
    ...(numbers.length > MAX_LISTED ? [`${numbers.length - MAX_LISTED} more`] : []),
  ].join(', ');

/** Lists what the log does not contain, so that a missing record is not mistaken for "nothing happened". */
export function logGaps(steps: readonly Step[], { unread, orphans, leftOut }: Gaps): string[] {
  const calls = steps.filter(isCallStep);
  const open = calls.filter(({ kind, outcome }) => kind === 'act' && !outcome).map(({ number }) => number);
  const unanswered = calls.filter(({ question }) => question && !question.answer).map(({ number }) => number);
  const unsigned = steps.filter((step) => step.unsigned).map(({ number }) => number);
  const said: string[] = [];
  if (leftOut > 0) said.push(`${leftOut} other steps of the log are not shown here.`);
  if (unsigned.length > 0)
    said.push(
      `The record of step ${listed(unsigned)} is not signed: it was written right before a crash, or by someone else.`,
    );
  if (open.length > 0)
    said.push(`The log contains no outcome of step ${listed(open)}: it may or may not have been done.`);
  if (unanswered.length > 0)
    said.push(`The approval request of step ${listed(unanswered)} was still open at the end of the log.`);
  if (orphans.length > 0)
    said.push(`The log contains outcomes of acts that are not in this part of it: record ${listed(orphans)}.`);
  if (unread.length > 0) {
    const places = unread.map(({ segment, line }) => `line ${line} of segment ${segment}`);
    said.push(`${unread.length === 1 ? 'One line' : `${unread.length} lines`} could not be read: ${listed(places)}.`);
  }
  return said;
}
