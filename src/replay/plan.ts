import { type RecordedArg, recordedArgs, type ToolField } from './recorded-call.js';
import { stepSentence } from './step-text.js';
import { type CallStep, isCallStep, type Outcome, type Target, type Trace } from './trace.js';

/** What is known of how an act ended, then or now. */
export interface StepOutcome extends Pick<Outcome, 'status' | 'changed' | 'delivered' | 'postcondition' | 'error'> {
  target?: Pick<Target, 'role' | 'name' | 'window'>;
  method?: string;
  ms?: number;
}

/** One step of a log that is to be done again, or is not. */
export type PlannedStep = PlannedStepBase & (ReplayableStep | { do: 'leave out' | 'cannot'; why: string });

interface PlannedStepBase {
  /** Its number in the trace, as pages and scripts of the same log have it. */
  number: number;
  tool: string;
  words: string;
  then: StepOutcome;
}

export interface ReplayableStep {
  do: 'again';
  args: Record<string, unknown>;
  /** What is not as it was recorded. */
  notes: string[];
}

export interface PlanOptions {
  /** What a tool takes; undefined where there is no such tool. */
  fieldsOf: (tool: string) => readonly ToolField[] | undefined;
  /** Numbers of the first and the last step. */
  from?: number;
  to?: number;
}

/** "Nothing changed" is an answer only after this long, where something changed then: the machine may be busier now. */
const SETTLE_MS = 5_000;

/** The steps of a trace that matter for doing it again, each with what is to be done and what came of it then. Pure. */
export function planReplay(trace: Trace, { fieldsOf, from = 1, to = Infinity }: PlanOptions): PlannedStep[] {
  return trace.steps
    .filter(isCallStep)
    .filter((step) => step.number >= from && step.number <= to && isReplayRelevant(step))
    .map((step) => planStep(step, fieldsOf(step.tool)));
}

function planStep(step: CallStep, fields: readonly ToolField[] | undefined): PlannedStep {
  const { number, tool } = step;
  const about: PlannedStepBase = { number, tool, words: stepSentence(step), then: recordedOutcome(step) };
  const why = notReplayableReason(step, fields !== undefined);
  // An act that did something then and cannot be asked for now leaves a gap; one that did nothing leaves none.
  const gap = step.kind === 'act' && step.outcome?.delivered !== 'no';
  if (why !== undefined || !fields) return { ...about, do: gap ? 'cannot' : 'leave out', why: why ?? '' };
  const { args, notes } = recordedArgs(step, fields);
  const lost = args.filter((arg): arg is RecordedArg & { lost: string } => 'lost' in arg);
  if (lost.length > 0) {
    return { ...about, do: 'cannot', why: lost.map((arg) => `its ${arg.name} ${arg.lost}`).join(', ') };
  }
  const given = Object.fromEntries(args.map((arg) => [arg.name, 'value' in arg ? arg.value : undefined]));
  const waits = about.then.changed === 'yes' && fields.some(({ name }) => name === 'settleMs');
  return { ...about, do: 'again', args: { ...(waits && { settleMs: SETTLE_MS }), ...given }, notes };
}

function recordedOutcome({ target, method, outcome, cost }: CallStep): StepOutcome {
  const { status, changed, delivered, postcondition, error } = outcome ?? {};
  const { role, name, window } = target ?? {};
  const found = { ...(role && { role }), ...(name && { name }), ...(window && { window }) };
  return {
    ...(Object.keys(found).length > 0 && { target: found }),
    ...(method !== undefined && { method }),
    ...(status !== undefined && { status }),
    ...(changed !== undefined && { changed }),
    ...(delivered !== undefined && { delivered }),
    ...(postcondition !== undefined && { postcondition }),
    ...(error !== undefined && { error }),
    ...(cost?.ms !== undefined && { ms: cost.ms }),
  };
}

/** Reads that hold a session together: one that is done again waits and checks where that one did. */
const CHECK_TOOLS = new Set(['ui_wait', 'ui_assert']);

/** Whether a step has a part in doing a session again: acts have, looks have not. */
export function isReplayRelevant({ kind, tool, result }: CallStep): boolean {
  return kind !== 'read' || (CHECK_TOOLS.has(tool) && result === 'ok');
}

/** Why a step is not done again; undefined for one that can be. */
export function notReplayableReason(step: CallStep, isTool: boolean): string | undefined {
  const { kind, outcome, args, decision } = step;
  if (kind === 'refused')
    return `it was refused (${outcome?.error ?? 'refused'}${decision ? `, rule ${decision.rule}` : ''})`;
  if (kind === 'question') return 'it was asked about and never begun';
  if (step.unsigned) return 'nobody signed what the log says of it';
  if (kind === 'act' && !outcome) return 'whether it was done then is not known';
  if (kind === 'act' && outcome?.delivered === 'no')
    return `nothing was done then either (${outcome.error ?? outcome.status ?? 'failed'})`;
  if (!isTool) return 'there is no such tool';
  return args === undefined ? 'the log does not say with which arguments' : undefined;
}
