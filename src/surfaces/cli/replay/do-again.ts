import { setTimeout as pause } from 'node:timers/promises';
import type { HostClient } from '../../../host/index.js';
import { DesktopError, exitCodeOf, type ErrorCode } from '../../../shared/index.js';
import { compareEnds, endedNow, type Difference, type Ended, type PlannedStep } from '../../../trace/index.js';
import { askHost } from '../call-tool.js';
import type { Context } from '../context.js';

/** A step that was done again, or was to be. */
export interface Redone {
  step: PlannedStep & { do: 'again' };
  result: 'same' | 'differs' | 'refused';
  now: Ended;
  differences: Difference[];
  better: Difference[];
  error?: DesktopError;
}

/** These say nothing of the app: the replay itself cannot go on. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  ...(['cancelled', 'driver_unavailable', 'permission_missing', 'audit_unavailable'] as const),
]);
const LONGEST_PAUSE_MS = 60_000;

export async function doAgain(
  context: Context,
  host: HostClient,
  step: Redone['step'],
  caller: string,
): Promise<Redone> {
  const titles =
    step.then.target?.window === undefined ? new Map<string, string>() : await titlesOf(context, host, caller);
  const began = performance.now();
  const answer = await answerOf(context, host, step, caller);
  const ms = Math.round(performance.now() - began);
  const now = { ms, ...endedNow(answer, (ref) => titles.get(ref)) };
  const error = answer instanceof DesktopError ? answer : undefined;
  if (error && exitCodeOf(error.code) === 3) {
    return { step, result: 'refused', now, differences: [], better: [], error };
  }
  const compared = compareEnds(step.then, now);
  return {
    step,
    now,
    ...compared,
    result: compared.differences.length > 0 ? 'differs' : 'same',
    ...(error && { error }),
  };
}

/** A session that took an hour is done again in a minute: where that is too fast for the policy, it is waited. */
async function answerOf(
  context: Context,
  host: HostClient,
  { tool, args }: Redone['step'],
  caller: string,
): Promise<Record<string, unknown> | DesktopError> {
  for (;;) {
    try {
      return (await askHost(context, host, { tool, args, want: 'json', caller })).json ?? {};
    } catch (error) {
      if (!(error instanceof DesktopError) || OURS.has(error.code)) throw error;
      const wait = error.code === 'rate_limited' ? error.details?.retryAfterMs : undefined;
      if (typeof wait !== 'number' || wait > LONGEST_PAUSE_MS) return error;
      await pause(wait, undefined, { signal: context.signal });
    }
  }
}

/** Titles as they are before the act: it may change them, and answers name windows by their number. */
async function titlesOf(context: Context, host: HostClient, caller: string): Promise<Map<string, string>> {
  try {
    const { json } = await askHost(context, host, {
      tool: 'ui_list_windows',
      args: { hidden: true },
      want: 'json',
      caller,
    });
    const windows = (json?.windows ?? []) as { ref: string; title: string }[];
    return new Map(windows.map(({ ref, title }) => [ref, title]));
  } catch (error) {
    if (!(error instanceof DesktopError) || OURS.has(error.code)) throw error;
    // Without titles the windows are not compared; whatever is wrong here the act itself will tell.
    return new Map();
  }
}
