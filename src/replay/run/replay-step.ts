import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, exitCodeOf } from '../../shared/index.js';
import { compareOutcomes, type Difference, outcomeOf } from '../compare.js';
import type { StepOutcome } from '../plan.js';
import { type CallTool, isFatal, previewStep, type ReplayStep } from './preview-step.js';

/** The result of one replayed step. */
export interface ReplayedStep {
  step: ReplayStep;
  result: 'same' | 'differs' | 'refused';
  now: StepOutcome;
  differences: Difference[];
  better: Difference[];
  error?: DesktopError;
}

interface StepRun {
  call: CallTool;
  signal: AbortSignal;
  /** The policy's rate limit is reached: nothing happens for this many milliseconds. */
  onWait: (ms: number) => void;
}

/** Status of a step that was not performed because its target differs. */
export const NOT_DONE = 'not done';
const MAX_WAIT_MS = 60_000;

/** Performs one step and compares it with the log: first its target, then its outcome. */
export async function replayStep(step: ReplayStep, run: StepRun): Promise<ReplayedStep> {
  const elapsed = (since: number): number => Math.round(performance.now() - since);
  const started = performance.now();
  const { differences, target, titles } = await previewStep(run.call, step, run.signal);
  if (differences.length > 0) {
    const now: StepOutcome = { status: NOT_DONE, delivered: 'no', ms: elapsed(started), ...(target && { target }) };
    return { step, result: 'differs', now, differences, better: [] };
  }
  const called = performance.now();
  const answer = await performStep(step, run);
  const now = { ms: elapsed(called), ...outcomeOf(answer, (ref) => titles.get(ref)) };
  const error = answer instanceof DesktopError ? answer : undefined;
  if (error && exitCodeOf(error.code) === 3) {
    return { step, result: 'refused', now, differences: [], better: [], error };
  }
  const compared = compareOutcomes(step.then, now);
  const result = compared.differences.length > 0 ? 'differs' : 'same';
  return { step, now, ...compared, result, ...(error && { error }) };
}

/** A replay performs an hour of work in a minute, so it may reach the policy's rate limit. Then it waits. */
async function performStep(
  { tool, args }: ReplayStep,
  { call, signal, onWait }: StepRun,
): Promise<Record<string, unknown> | DesktopError> {
  for (;;) {
    try {
      return (await call(tool, args)).json ?? {};
    } catch (error) {
      if (!(error instanceof DesktopError) || isFatal(error)) throw error;
      const wait = error.code === 'rate_limited' ? error.details?.retryAfterMs : undefined;
      if (typeof wait !== 'number' || wait > MAX_WAIT_MS) return error;
      onWait(wait);
      await pause(wait, undefined, { signal });
    }
  }
}
