import { setTimeout as pause } from 'node:timers/promises';
import type { HostClient } from '../../../host/index.js';
import { DesktopError, exitCodeOf } from '../../../shared/index.js';
import { compareEnds, endedNow, type Difference, type Ended, type PlannedStep } from '../../../replay/index.js';
import { askHost } from '../call-tool.js';
import type { Context } from '../context.js';
import { isOurs, lookAhead, type Look } from './preview-step.js';

/** A step that was done again, or was to be. */
export interface Redone {
  step: PlannedStep & { do: 'again' };
  result: 'same' | 'differs' | 'refused';
  now: Ended;
  differences: Difference[];
  better: Difference[];
  error?: DesktopError;
}

export interface Redoing {
  caller: string;
  /** It is too fast for the policy: nothing happens for so many milliseconds. */
  waits: (ms: number) => void;
}

/** The status of a step that was stopped before it. */
export const NOT_DONE = 'not done';
const LONGEST_PAUSE_MS = 60_000;

/** One step through the door, held against the log: first what it would be done to, then what came of it. */
export async function doAgain(
  context: Context,
  host: HostClient,
  step: Redone['step'],
  redoing: Redoing,
): Promise<Redone> {
  const { caller } = redoing;
  const timed = (since: number): number => Math.round(performance.now() - since);
  const began = performance.now();
  const look: Look = (tool, args) => askHost(context, host, { tool, args, want: 'json', caller });
  const { differences, target, titles } = await lookAhead(look, step, context.signal);
  if (differences.length > 0) {
    const now: Ended = { status: NOT_DONE, delivered: 'no', ms: timed(began), ...(target && { target }) };
    return { step, result: 'differs', now, differences, better: [] };
  }
  const asked = performance.now();
  const answer = await answerOf(context, host, step, redoing);
  const now = { ms: timed(asked), ...endedNow(answer, (ref) => titles.get(ref)) };
  const error = answer instanceof DesktopError ? answer : undefined;
  if (error && exitCodeOf(error.code) === 3) {
    return { step, result: 'refused', now, differences: [], better: [], error };
  }
  const compared = compareEnds(step.then, now);
  const result = compared.differences.length > 0 ? 'differs' : 'same';
  return { step, now, ...compared, result, ...(error && { error }) };
}

/** A session that took an hour is done again in a minute: where that is too fast for the policy, it is waited. */
async function answerOf(
  context: Context,
  host: HostClient,
  { tool, args }: Redone['step'],
  { caller, waits }: Redoing,
): Promise<Record<string, unknown> | DesktopError> {
  for (;;) {
    try {
      return (await askHost(context, host, { tool, args, want: 'json', caller })).json ?? {};
    } catch (error) {
      if (!(error instanceof DesktopError) || isOurs(error)) throw error;
      const wait = error.code === 'rate_limited' ? error.details?.retryAfterMs : undefined;
      if (typeof wait !== 'number' || wait > LONGEST_PAUSE_MS) return error;
      waits(wait);
      await pause(wait, undefined, { signal: context.signal });
    }
  }
}
