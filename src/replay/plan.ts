import { TOOLS } from '../tools/index.js';
import { type RecordedArg, recordedArgs, type ToolField } from './recorded-call.js';
import { stepSentence } from './step-text.js';
import { type CallStep, isCallStep, type Outcome, type Target, type Trace } from './trace.js';

/** The outcome of an act, recorded or current. */
export interface StepOutcome extends Pick<Outcome, 'status' | 'changed' | 'delivered' | 'postcondition' | 'error'> {
  target?: Pick<Target, 'role' | 'name' | 'window'>;
  method?: string;
  ms?: number;
}

/** One step of a log: to be repeated, or not. */
export type PlannedStep = PlannedStepBase & (ReplayableStep | { do: 'leave out' | 'cannot'; why: string });

interface PlannedStepBase {
  /** Its number in the trace, as on pages and in scripts of the same log. */
  number: number;
  tool: string;
  description: string;
  then: StepOutcome;
}

interface ReplayableStep {
  do: 'again';
  args: Record<string, unknown>;
  /** How the arguments differ from the recorded ones. */
  notes: string[];
}

export interface PlanOptions {
  /** The arguments of a tool; undefined for an unknown tool. */
  fieldsOf: (tool: string) => readonly ToolField[] | undefined;
  /** Numbers of the first and the last step. */
  from?: number;
  to?: number;
}

/**
 * Settle time for steps that changed something in the recording: the machine may be busier now, so "nothing changed"
 * must not be reported earlier.
 */
const SETTLE_MS = 5_000;

/** The steps of a trace that matter for a replay, each with its call and its recorded outcome. Pure. */
export function planReplay(trace: Trace, { fieldsOf, from = 1, to = Infinity }: PlanOptions): PlannedStep[] {
  return trace.steps
    .filter(isCallStep)
    .filter((step) => step.number >= from && step.number <= to && isReplayRelevant(step))
    .map((step) => planStep(step, fieldsOf(step.tool)));
}

function planStep(step: CallStep, fields: readonly ToolField[] | undefined): PlannedStep {
  const { number, tool } = step;
  const about: PlannedStepBase = { number, tool, description: stepSentence(step), then: recordedOutcome(step) };
  const why = notReplayableReason(step, fields !== undefined);
  // An act that did something and cannot be repeated leaves a gap; one that did nothing does not.
  const gap = step.kind === 'act' && step.outcome?.delivered !== 'no';
  if (why !== undefined || !fields) return { ...about, do: gap ? 'cannot' : 'leave out', why: why ?? '' };
  const { args, notes } = recordedArgs(step, fields);
  const lost = args.filter((arg): arg is RecordedArg & { lost: string } => 'lost' in arg);
  if (lost.length > 0) {
    return { ...about, do: 'cannot', why: lost.map((arg) => `its argument ${arg.name} ${arg.lost}`).join(', ') };
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

/** Reads that synchronise a session: a replay waits and checks where the recording did. */
const synchronises = (name: string): boolean =>
  TOOLS.some((tool) => tool.name === name && tool.traits.synchronises === true);

/** Whether a step is part of a replay: acts are, reads are not, except successful waits and assertions. */
export function isReplayRelevant({ kind, tool, result }: CallStep): boolean {
  return kind !== 'read' || (synchronises(tool) && result === 'ok');
}

/** Why a step cannot be repeated; undefined if it can. */
export function notReplayableReason(step: CallStep, isTool: boolean): string | undefined {
  const { kind, outcome, args, decision } = step;
  if (kind === 'refused')
    return `it was refused (${outcome?.error ?? 'refused'}${decision ? `, rule ${decision.rule}` : ''})`;
  if (kind === 'question') return 'it asked for approval and was never started';
  if (step.unsigned) return 'its record in the log is not signed';
  if (kind === 'act' && !outcome) return 'it is unknown whether it was done';
  if (kind === 'act' && outcome?.delivered === 'no')
    return `it had no effect in the recording either (${outcome.error ?? outcome.status ?? 'failed'})`;
  if (!isTool) return 'this tool does not exist';
  return args === undefined ? 'the log does not contain its arguments' : undefined;
}
