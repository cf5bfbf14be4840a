import { DesktopError } from '../../shared/index.js';
import type { PlannedStep } from '../plan.js';
import type { LogVerification } from '../trace.js';
import { type CallTool, type ReplayStep, type ReplayedStep, replayStep } from './replay-step.js';

const isReplayable = (step: PlannedStep): step is ReplayStep => step.do === 'again';

interface ReplayChecks {
  verification: LogVerification;
  /** Replay even if the log does not verify. */
  allowUnverified?: boolean;
  /** Replay even if some steps cannot be repeated. */
  allowGaps?: boolean;
}

/** Throws if the plan must not be replayed. */
export function checkReplay(plan: readonly PlannedStep[], checks: ReplayChecks): void {
  if (plan.length === 0) throw noSteps();
  // Anyone who can write a file could otherwise have acts performed here in the name of a session.
  if (!checks.verification.ok && !checks.allowUnverified) throw notVerified(checks.verification.verdict);
  // Without a step in the middle, the steps after it would act on something else.
  const gaps = plan.filter((step): step is PlannedStep & { do: 'cannot' } => step.do === 'cannot');
  if (gaps.length > 0 && !checks.allowGaps) throw hasGaps(gaps);
  if (!plan.some(isReplayable)) throw noSteps();
}

export function noSteps(): DesktopError {
  return new DesktopError('bad_arguments', 'This part of the log contains no act to replay.', {
    hint: 'See what the log contains: deskproof export LOG --to html --out trace.html',
  });
}

function notVerified(verdict: string): DesktopError {
  return new DesktopError('bad_arguments', `Nothing was done: the log does not verify (${verdict}).`, {
    hint: 'Inspect it with --dry-run first. To replay it anyway, use --unverified.',
  });
}

function hasGaps([first, ...others]: readonly (PlannedStep & { do: 'cannot' })[]): DesktopError {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return new DesktopError(
    'bad_arguments',
    `Nothing was done: step ${first!.number}${more} cannot be repeated: ${first!.why}.`,
    { hint: 'Skip it with --from, --to or --keep-going, or fill in what is missing: deskproof export --to ts' },
  );
}

interface ReplayRun {
  call: CallTool;
  signal: AbortSignal;
  /** Continue after a step that differs. A refused step always ends the replay. */
  keepGoing?: boolean;
  onSkipped?: (step: PlannedStep) => void;
  onWait?: (step: ReplayStep, ms: number) => void;
  onReplayed?: (replayed: ReplayedStep) => void;
}

/** Performs the steps of a plan in order, until one is refused or differs. */
export async function replayPlan(plan: readonly PlannedStep[], run: ReplayRun): Promise<ReplayedStep[]> {
  const done: ReplayedStep[] = [];
  for (const step of plan) {
    if (!isReplayable(step)) {
      run.onSkipped?.(step);
      continue;
    }
    const onWait = (ms: number): void => run.onWait?.(step, ms);
    const replayed = await replayStep(step, { call: run.call, signal: run.signal, onWait });
    done.push(replayed);
    run.onReplayed?.(replayed);
    if (replayed.result === 'refused' || (replayed.result === 'differs' && !run.keepGoing)) break;
  }
  return done;
}

interface ReplayResult {
  result: ReplayedStep['result'];
  /** The first step that was not the same. */
  first?: ReplayedStep;
  refused?: ReplayedStep;
}

export function replayResult(done: readonly ReplayedStep[]): ReplayResult {
  const first = done.find(({ result }) => result !== 'same');
  const refused = done.find(({ result }) => result === 'refused');
  return {
    result: refused ? 'refused' : first ? 'differs' : 'same',
    ...(first && { first }),
    ...(refused && { refused }),
  };
}

/** A planned step with its result, for JSON. */
export function stepReport(step: PlannedStep, done: readonly ReplayedStep[]): Record<string, unknown> {
  const { number, tool, description, then } = step;
  const about = { number, tool, description, then };
  if (!isReplayable(step)) return { ...about, result: step.do, why: step.why };
  const replayed = done.find((one) => one.step === step);
  const given = { args: step.args, ...(step.notes.length > 0 && { notes: step.notes }) };
  if (!replayed) return { ...about, ...given, result: 'not done' };
  const { result, now, differences, better, error } = replayed;
  return { ...about, ...given, result, now, differences, better, ...(error && { error: error.toJSON() }) };
}
