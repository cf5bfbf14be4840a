import type { AuditRecord, ReadLine, RecordOf } from '../audit/index.js';
import type { ErrorCode } from '../shared/index.js';
import { callerText } from './step-text.js';
import {
  type Caller,
  type CallStep,
  type EventStep,
  isCallStep,
  type ApprovalRequest,
  type Result,
  type Step,
  totalsOf,
  type Trace,
  type TraceOptions,
  logGaps,
  type Unsigned,
} from './trace.js';

type UnnumberedStep = Omit<CallStep, 'number'>;

/**
 * Builds a readable trace from a log: each act with its outcome and its approval request, and the events around it.
 * Pure.
 */
export function traceOf(lines: Iterable<ReadLine>, options: TraceOptions = {}): Trace {
  const builder = new TraceBuilder();
  const unread: ReadLine[] = [];
  for (const line of lines) {
    if (line.record) builder.add(line.record);
    else unread.push(line);
  }
  if (options.unsigned) builder.markUnsigned(options.unsigned);
  const { steps, about } = builder;
  // Steps are numbered over the whole log, so that a number means the same step in every part of it.
  steps.forEach((step, at) => (step.number = at + 1));
  const chosen = selectSteps(steps, options);
  const from = chosen[0]?.at;
  const to = chosen
    .map(endOf)
    .reduce<string | undefined>((last, at) => (last === undefined || at > last ? at : last), undefined);
  return {
    ...about,
    ...(from !== undefined && { from, to }),
    callers: callersOf(chosen),
    steps: chosen,
    totals: totalsOf(chosen),
    unknown: logGaps(chosen, { unread, orphans: builder.orphans, leftOut: steps.length - chosen.length }),
  };
}

function selectSteps(steps: readonly Step[], { session, last }: TraceOptions): Step[] {
  const own = steps.filter((step) => session === undefined || !isCallStep(step) || step.caller?.session === session);
  return last === undefined ? own : own.slice(Math.max(0, own.length - last));
}

function endOf(step: Step): string {
  return (isCallStep(step) ? (step.outcome?.at ?? step.question?.at) : undefined) ?? step.at;
}

function callersOf(steps: readonly Step[]): Caller[] {
  const callers = new Map<string, Caller>();
  for (const step of steps) {
    if (!isCallStep(step) || !step.caller) continue;
    const { surface, session } = step.caller;
    callers.set(`${surface}\0${session ?? ''}`, step.caller);
  }
  return [...callers.values()];
}

interface OpenRequest {
  step: CallStep;
  question: ApprovalRequest;
  subject: string;
}

const REFUSAL_RESULTS: Partial<Record<ErrorCode, readonly (string | undefined)[]>> = {
  approval_denied: ['denied', 'too fast'],
  approval_timeout: ['expired'],
};

/** A refusal record names no subject; the answer shows whether the refusal came from this request. */
function isRefusalOf({ kind, outcome }: UnnumberedStep, { answer }: ApprovalRequest): boolean {
  const error = outcome?.error;
  return kind === 'refused' && error !== undefined && (REFUSAL_RESULTS[error]?.includes(answer?.result) ?? false);
}

/** Reads records in order and keeps those that still wait for their second half. */
class TraceBuilder {
  readonly steps: Step[] = [];
  readonly about: Pick<Trace, 'desktop' | 'software' | 'ledger'> = {};
  /** Outcomes of acts that are not in this part of the log. */
  readonly orphans: number[] = [];
  /** Record numbers belong to one ledger; a folder may contain several, one after the other. */
  private ledger: string | undefined;
  private readonly ledgerOf = new Map<Step, string | undefined>();
  private readonly acts = new Map<number, CallStep>();
  private readonly questions = new Map<string, OpenRequest>();

  add(record: AuditRecord): void {
    this.about.ledger ??= record.ledger;
    this.ledger = record.ledger;
    if (record.kind === 'recovered' && record.unsigned) this.markUnsigned(record.unsigned);
    switch (record.kind) {
      case 'open':
        this.about.desktop = record.desktop;
        this.about.software = record.software;
        this.addEvent(record);
        break;
      case 'intent':
        this.acts.set(
          record.seq,
          this.addCall({ ...callFields(record), kind: 'act', result: 'unknown' }, record.evidence?.subject),
        );
        break;
      case 'outcome':
        this.outcome(record);
        break;
      case 'call':
        this.call(record);
        break;
      case 'ask':
        this.ask(record);
        break;
      case 'answer':
        this.answer(record);
        break;
      default:
        this.addEvent(record);
    }
  }

  /** Marks steps of the ledger that was read last. */
  markUnsigned({ from, count }: Unsigned): void {
    const isIn = (seq: number | undefined): boolean => seq !== undefined && seq >= from && seq < from + count;
    for (const step of this.steps) {
      if (this.ledgerOf.get(step) !== this.ledger) continue;
      if (isIn(step.seq) || (isCallStep(step) && isIn(step.outcome?.seq))) step.unsigned = true;
    }
  }

  private addEvent(record: AuditRecord): void {
    const event = eventOf(record);
    if (event) this.steps.push(this.track({ number: 0, seq: record.seq, at: record.at, kind: 'event', ...event }));
  }

  private track<S extends Step>(step: S): S {
    this.ledgerOf.set(step, this.ledger);
    return step;
  }

  /** An act that needed approval replaces the step of its request. Without a subject, no approval was requested. */
  private addCall(fields: UnnumberedStep, subject: string | undefined): CallStep {
    const request = this.requestFor(fields, subject);
    const step: CallStep = this.track({ number: 0, ...fields });
    if (!request) this.place(step);
    else {
      step.question = request.question;
      this.steps[this.steps.indexOf(request.step)] = step;
      for (const [name, other] of this.questions) if (other === request) this.questions.delete(name);
    }
    return step;
  }

  /**
   * Equal refusals are written together after one second, behind records of that second. Moves them back to their time.
   */
  private place(step: CallStep): void {
    let at = this.steps.length;
    if (step.kind === 'refused') while (at > 0 && this.steps[at - 1]!.at > step.at) at--;
    this.steps.splice(at, 0, step);
  }

  private requestFor(fields: UnnumberedStep, subject: string | undefined): OpenRequest | undefined {
    return [...this.questions.values()].find(
      ({ step, question, subject: own }) =>
        step.tool === fields.tool &&
        step.caller?.session === fields.caller?.session &&
        (subject === undefined ? isRefusalOf(fields, question) : subject === own),
    );
  }

  private outcome(record: RecordOf<'outcome'>): void {
    const step = this.acts.get(record.of);
    if (!step) {
      this.orphans.push(record.of);
      return;
    }
    const { seq, at, status, delivered, changed, postcondition, error, after, method, cost } = record;
    step.outcome = { seq, at, status, delivered, changed, postcondition, error, after };
    step.cost = { ...step.cost, ...cost };
    if (method !== undefined) step.method = method;
    step.result = resultOf(record);
    this.acts.delete(record.of);
  }

  private call(record: RecordOf<'call'>): void {
    const { seq, at, status, error, repeat } = record;
    const refused = status === 'refused';
    const result: Result = refused ? 'denied' : status;
    this.addCall(
      {
        ...callFields(record),
        ...{ kind: refused ? 'refused' : 'read', result },
        outcome: { seq, at, status, ...(error && { error }) },
        ...(repeat !== undefined && { repeat }),
      },
      refused ? record.evidence?.subject : undefined,
    );
  }

  private ask(record: RecordOf<'ask'>): void {
    const { seq, at, channels, decision, tool, caller, target, app } = record;
    const question: ApprovalRequest = { seq, at, channels, decision };
    const step = this.track<CallStep>({
      ...{ number: 0, seq, at, kind: 'question', result: 'unknown', tool, caller, decision, question },
      ...(target && { target }),
      ...(app && { app }),
    });
    this.steps.push(step);
    this.questions.set(record.question, { step, question, subject: record.subject });
  }

  private answer(record: RecordOf<'answer'>): void {
    const request = this.questions.get(record.question);
    // A late answer to a closed request changes nothing; the first one counts.
    if (!request || request.question.answer) return;
    const { result, channel, scope, ms, reason } = record;
    request.question.answer = { result, channel, scope, ms, reason };
    request.step.result = result === 'allowed' ? 'noted' : 'denied';
  }
}

function callFields(record: RecordOf<'intent'> | RecordOf<'call'>): Omit<UnnumberedStep, 'kind' | 'result'> {
  const { seq, at, tool, caller, decision, args, target, app, confidence, driver, method, evidence, cost } = record;
  return { seq, at, tool, caller, decision, args, target, app, confidence, driver, method, evidence, cost };
}

function resultOf({ error, status, postcondition }: RecordOf<'outcome'>): Result {
  if (error === 'policy_denied' || error?.startsWith('approval_')) return 'denied';
  return error !== undefined || status === 'failed' || postcondition === 'unsatisfied' ? 'failed' : 'ok';
}

type EventFields = Omit<EventStep, 'number' | 'seq' | 'at' | 'kind'>;

const byUser = ({ by, reason }: { by: string; reason?: string }) => ({
  by,
  ...(reason !== undefined && { said: reason }),
});

/** Describes an event around the acts; undefined for records that only the hash chain needs. */
function eventOf(record: AuditRecord): EventFields | undefined {
  switch (record.kind) {
    case 'open':
      if (record.after) {
        const { ledger, reason } = record.after;
        return {
          what: 'open',
          result: 'noted',
          description: `New log, because ${ledger} could not be continued`,
          said: reason,
        };
      }
      return record.segment === 1 ? { what: 'open', result: 'noted', description: 'Log started' } : undefined;
    case 'session': {
      const description = `${callerText(record.caller)} ${record.event === 'begin' ? 'connected' : 'disconnected'}`;
      return { what: 'session', result: 'noted', description };
    }
    case 'policy':
      return {
        ...{ what: 'policy', result: 'noted', description: `${record.event} ${record.policy.slice(0, 12)}` },
        ...(record.by !== undefined && { by: record.by }),
      };
    case 'grant':
      return {
        ...{ what: 'grant', result: 'noted' },
        description: [record.event, `for ${record.scope}`, record.tool].filter(Boolean).join(' '),
        ...(record.by !== undefined && { by: record.by }),
      };
    case 'pause':
      return { what: 'pause', result: 'noted', description: 'Paused', ...byUser(record) };
    case 'stop':
      return { what: 'stop', result: 'denied', description: 'Stopped', ...byUser(record) };
    case 'resume':
      return { what: 'resume', result: 'noted', description: 'Resumed', ...byUser(record) };
    case 'retention': {
      const description = `Deleted ${record.deleted} stored snapshots from before ${record.before.slice(0, 10)}`;
      return { what: 'retention', result: 'noted', description };
    }
    case 'recovered': {
      const { torn, unsigned, unfinished } = record;
      const parts = [
        torn && `${torn.bytes} stray bytes were moved aside`,
        unsigned && `${unsigned.count} records from ${unsigned.from} on were not signed yet`,
        unfinished.length > 0 && `the outcome of ${unfinished.join(', ')} is unknown`,
      ].filter(Boolean);
      return {
        what: 'recovered',
        result: 'unknown',
        description: `Continued after a crash: ${parts.join('; ') || 'nothing was lost'}`,
      };
    }
    default:
      return undefined;
  }
}
