import type { DriverEvent } from '../../drivers/contract/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Candidate } from '../observe/candidate.js';
import type { Condition, ConditionResult } from './condition.js';
import { evaluate, PollContext, refuseUnknownRefs, Baseline } from './evaluate.js';
import { PollScheduler } from './poll-scheduler.js';
import type { CallView } from '../visibility/call-view.js';

export interface WaitOptions {
  /** Ref or title of a window: limits the search to it and its dialogs and menus. */
  within?: string;
  /** 0: evaluate once. */
  timeoutMs: number;
  /** Poll interval without events. */
  pollMs?: number;
  /** The state to compare with; by default the state at the first poll. */
  start?: Baseline;
}

/** The result of a wait. */
export interface WaitOutcome extends Omit<ConditionResult, 'againInMs' | 'nearest'> {
  elapsedMs: number;
  polls: number;
  /** Elements that are similar to the missing one. */
  nearest?: Candidate[];
}

/** Events report nearly every change. Additional polls make sure; the longer a poll takes, the rarer they are. */
const POLL_MS = 1_000;
const POLL_SHARE = 400;
const LONGEST_POLL_MS = 5_000;
const POLL_WITHOUT_EVENTS_MS = 250;
/** Trees lag behind events and painting, sometimes without an event of their own. After this time they are up to date. */
const SETTLED_MS = 300;
/** Time limit of a single poll. */
const ONE_POLL_MS = 5_000;
const NEAREST_MS = 700;
/** Time that a call needs after its wait, to compose a useful error. */
export const WAIT_GRACE_MS = 1_500;

/** Time limit of a whole wait. */
export function waitLimitMs(timeoutMs: number): number {
  return (timeoutMs === 0 ? ONE_POLL_MS : timeoutMs) + WAIT_GRACE_MS;
}

/** Evaluates at once, then after each event, until the condition holds or the time is up. */
export async function waitFor(
  desktop: CallView,
  condition: Condition,
  { within, timeoutMs, pollMs, start = new Baseline('wait') }: WaitOptions,
  { deadline }: { deadline: Deadline },
): Promise<WaitOutcome> {
  refuseUnknownRefs(desktop, condition, within);
  const began = performance.now();
  const mine = Math.min(timeoutMs === 0 ? ONE_POLL_MS : timeoutMs, deadline.remaining() - WAIT_GRACE_MS);
  const until = deadline.atMost(Math.max(0, mine));
  const wanted = pollMs === undefined ? usualPoll(desktop) : () => pollMs;
  const pollAfter = (tookMs: number): number => Math.max(wanted(tookMs), leastPollMs(desktop.openWaits.count));
  const signs = new PollScheduler(desktop, concernsOf(condition), deadline.signal);
  let polls = 0;
  let last: ConditionResult = {
    answer: 'unknown',
    reason: 'The first read did not end in time.',
    seen: { condition: condition.key },
  };
  desktop.openWaits.count += 1;
  try {
    for (let moved = false; ;) {
      signs.clear();
      const startedAt = performance.now();
      const result = await pollOnce(desktop, condition, within, start, { until, deadline });
      if (!result) break;
      last = result;
      polls++;
      const ended = performance.now();
      if (result.answer === 'satisfied' || timeoutMs === 0) break;
      // If an app did not answer, the time was spent waiting, which costs nothing.
      const poll = pollAfter(result.answer === 'unknown' ? 0 : ended - startedAt);
      const again = Math.min(moved ? Math.min(SETTLED_MS, poll) : poll, result.againInMs ?? Infinity);
      const atLatest = Math.min(ended + again, until.endsAt);
      moved = await signs.next({ began: startedAt, ended, atLatest });
      if (until.over) break;
    }
  } finally {
    desktop.openWaits.count -= 1;
    signs.end();
  }
  if (deadline.signal?.aborted) throw new DesktopError('cancelled', 'The wait was cancelled.');
  return outcome(last, { elapsedMs: Math.round(performance.now() - began), polls }, deadline);
}

/** The shortest interval that callers may choose. Each open wait adds to it: all of them read from the same apps. */
const LEAST_POLL_MS = 20;

const leastPollMs = (openWaits: number): number => LEAST_POLL_MS * Math.max(1, openWaits);

/** Evaluates once, now. For an act's `verify`: once before it, with a `Baseline`, and again after it. */
export async function evaluateNow(
  desktop: CallView,
  condition: Condition,
  within: string | undefined,
  { deadline }: { deadline: Deadline },
  start = new Baseline('wait'),
): Promise<WaitOutcome> {
  refuseUnknownRefs(desktop, condition, within);
  const began = performance.now();
  const { nearest, ...result } = await evaluate(condition, new PollContext(desktop, within, { deadline }, start));
  const counts = { elapsedMs: Math.round(performance.now() - began), polls: 1 };
  // Before an act, similar elements are of no use.
  return outcome(start.of === 'act' ? result : { ...result, nearest }, counts, deadline);
}

async function outcome(
  { againInMs: _, nearest, ...result }: ConditionResult,
  counts: Pick<WaitOutcome, 'elapsedMs' | 'polls'>,
  deadline: Deadline,
): Promise<WaitOutcome> {
  if (result.answer === 'satisfied' || !nearest) return { ...result, ...counts };
  return { ...result, ...counts, nearest: await nearest({ deadline: deadline.atMost(NEAREST_MS) }) };
}

/**
 * A poll that is running when the time is up is aborted and ignored: that a slow app did not answer in the last few
 * milliseconds is not a result.
 */
async function pollOnce(
  desktop: CallView,
  condition: Condition,
  within: string | undefined,
  start: Baseline,
  { until, deadline }: { until: Deadline; deadline: Deadline },
): Promise<ConditionResult | undefined> {
  const cut = new AbortController();
  const signal = deadline.signal ? AbortSignal.any([deadline.signal, cut.signal]) : cut.signal;
  const call = { deadline: Deadline.in(Math.min(ONE_POLL_MS, deadline.remaining()), signal) };
  try {
    return await until.race(evaluate(condition, new PollContext(desktop, within, call, start)), 'The poll');
  } catch (error) {
    if (until.over) return undefined;
    throw error;
  } finally {
    cut.abort();
  }
}

/** The pause before the next poll without events, depending on how long the last poll took. */
function usualPoll(desktop: CallView): (tookMs: number) => number {
  if (desktop.driver.describe().capabilities.events.can !== 'yes') return () => POLL_WITHOUT_EVENTS_MS;
  return (tookMs) => Math.min(LONGEST_POLL_MS, Math.max(POLL_MS, POLL_SHARE * tookMs));
}

function concernsOf({ ofWindows }: Condition): (event: DriverEvent) => boolean {
  return ofWindows ? ({ type }) => type === 'window' || type === 'lost' : () => true;
}
