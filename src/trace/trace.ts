import type { Content } from '../audit/index.js';

type Deed = Content<'intent'>;
export type Caller = Deed['caller'];
export type Decision = Deed['decision'];
export type Target = NonNullable<Deed['target']>;
export type App = NonNullable<Deed['app']>;
export type Args = NonNullable<Deed['args']>;
export type Cost = Content<'outcome'>['cost'];
export type Evidence = NonNullable<Deed['evidence']>;

/** How a step ended, as one looks for it: `unknown` is an act whose end nobody wrote down. */
export type Result = 'ok' | 'failed' | 'denied' | 'unknown' | 'noted';

/** A question to a person, and what came of it. */
export interface Question {
  seq: number;
  at: string;
  channels: readonly string[];
  decision?: Decision;
  /** Absent: it was still open where the log ends. */
  answer?: Pick<Content<'answer'>, 'result' | 'channel' | 'scope' | 'ms' | 'reason'>;
}

interface Numbered {
  /** Counted from 1 in the log, also in a trace of a part of it. */
  number: number;
  /** The record's own number in the log. */
  seq: number;
  at: string;
  result: Result;
  /** No signature covered it, or its outcome, when its writer died: it may be somebody else's. */
  unsigned?: true;
}

/** Something that a caller wanted done to something: an act, a read, or what was refused. */
export interface DeedStep extends Numbered {
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
  question?: Question;
  /** Equal refusals that this one stands for. */
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

/** What happened around the acts. */
export interface EventStep extends Numbered {
  kind: 'event';
  what: 'session' | 'policy' | 'grant' | 'pause' | 'stop' | 'resume' | 'open' | 'recovered';
  /** In our words. */
  words: string;
  /** What a person or a file said: data. */
  said?: string;
  by?: string;
}

export type Step = DeedStep | EventStep;

export interface Totals {
  acts: number;
  reads: number;
  ok: number;
  failed: number;
  denied: number;
  unknown: number;
  asked: number;
  /** Time that acts and reads took, without waiting for people. */
  ms: number;
  /** Time that people took to answer. */
  waitedMs: number;
  driverCalls: number;
  tokens: number;
}

/** A log, or a part of it, as something to read. */
export interface Trace {
  desktop?: string;
  software?: string;
  ledger?: string;
  from?: string;
  to?: string;
  callers: Caller[];
  steps: Step[];
  totals: Totals;
  /** What the log does not tell, in whole sentences. */
  unknown: string[];
}

export interface TraceOptions {
  /** Only what this session of a caller did, and what happened around it. */
  session?: string;
  /** Only the last so many steps. */
  last?: number;
  /** Records at the end that no signature covers: the first and how many. Those further up the log names itself. */
  unsigned?: Unsigned;
}

export type Unsigned = NonNullable<Content<'recovered'>['unsigned']>;

export const isDeed = (step: Step): step is DeedStep => step.kind !== 'event';
