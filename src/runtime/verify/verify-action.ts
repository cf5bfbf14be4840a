import { Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { withDelivery, hungAfterAct, targetLostError } from './action-errors.js';
import type { RenderableActResult, ActionReport } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import type { Reader } from '../act/reader.js';
import { type Facts, resultOf, waitForListsClosed } from './action-result.js';
import type { VerifiedStep } from './batch-changes.js';
import { caretBefore } from './focus-changes.js';
import { postConditionError, type PostCondition, verifyFailed } from './post-condition.js';
import { assertRequestedState, readBackValue } from './read-back.js';
import { hitElsewhere, hitUnknown } from './hit-elsewhere.js';
import { AppWork, recordEvents, ActivityMonitor } from './settle.js';
import { VisibleWitness } from './visible-changes.js';
import {
  uncertaintyReason,
  type ExpectedEffect,
  type ObservedChanges,
  observeChanges,
  type UiState,
} from './ui-changes.js';

export interface VerifyContext {
  reader: Reader;
  deadline: Deadline;
  settleMs: number;
  /** How long the post-condition may take to hold. */
  verifyMs: number;
  /** Lets other callers act from now on. Returns a function that says whether one of them has. */
  release?: () => () => boolean;
  /** Receives the observations once the act is done. */
  onVerified?: (step: VerifiedStep) => void;
}

interface Begun extends Pick<Facts, 'plan' | 'before' | 'actor' | 'began'> {
  caller: string;
  /** Revision of the hidden windows before the first read. */
  hiddenRevision: number;
}

/** How long to wait for idle after the post-condition holds. Some apps are never idle. */
const LATER_MS = 100;
const HIDDEN_SINCE = 'a window of it is hidden by policy now';
const SHARED = 'another caller acted before the condition was decided, so its answer may be an effect of that act';

/** Acts once, waits for the effect and compares. */
export async function actAndVerify(
  desktop: CallView,
  act: () => Promise<ActionReport>,
  { reader, deadline, settleMs, verifyMs, release, onVerified }: VerifyContext,
  { verify, hiddenRevision: hiddenWindows, caller, ...begun }: Begun & { verify: PostCondition | undefined },
): Promise<RenderableActResult> {
  const { plan, before, actor } = begun;
  const activity = new ActivityMonitor(desktop, plan.window?.pid);
  const heard = recordEvents(desktop.events);
  const news = (): DesktopEvent[] => heard.events.filter((one) => desktop.hears(one));
  const actEnded = desktop.drawings.actBegins();
  let witness: VisibleWitness | undefined;
  try {
    const looksFor = plan.window ?? plan.keys ?? plan.at ?? plan.lands;
    const [caret, seenBefore] = await Promise.all([
      caretBefore(desktop, before, plan, deadline),
      looksFor && VisibleWitness.begin(desktop, before, plan, caller, deadline),
    ]);
    witness = seenBefore;
    const work = new AppWork(desktop, plan.window?.pid);
    const report = await act().catch((error: unknown) => {
      throw withDelivery(error, plan, actor.delivered);
    });
    const acted = performance.now();
    const { target, lands } = plan;
    const { keys, clicks, entered } = report;
    const effect: ExpectedEffect = {
      ...(target && { target, ...(report.focuses && { focuses: target.element.ref }) }),
      ...(keys && { keys }),
      ...(clicks && { clicks, ...(lands?.target && { met: lands.target }) }),
      ...(entered && { entered }),
    };
    let eventsAtRead = 0;
    let readBy = deadline;
    // The answer "no change" needs an app that still answers. A cached tree of an app that hangs is no evidence.
    const observe = async (answered = true): Promise<ObservedChanges> => {
      eventsAtRead = activity.eventCount;
      const seen = await changesAfterAct(desktop, before, hiddenWindows, effect, readBy, answered);
      const moved = seen.changed === 'no' ? await caret?.(readBy) : undefined;
      return moved ? { ...seen, changed: 'yes', caret: moved } : seen;
    };
    const endsAt = acted + (report.onlyReads ? 0 : settleMs);
    let first = await settledOutcome(activity, observe, endsAt, deadline, report.confirmed);
    const expectsChange = !report.onlyReads && !report.confirmed && report.unobservable === undefined;
    if (expectsChange && first.changed === 'no')
      first = await lateOutcome(first, { activity, observe, endsAt, deadline, work, witness });
    const settledMs = performance.now() - acted;
    let outcome = withNotifications(first, news());
    /** What no tree shows. Nothing of it is reported once policy has hidden a window. */
    const withVisible = async (last: ObservedChanges): Promise<ObservedChanges> => {
      if (!witness || !expectsChange || last.changed !== 'no') return last;
      const act = { plan, report, outcome: last, pointerWas: actor.arbiter.pointerWas };
      const { changed, seen, reason } = await witness.changes(act, readBy);
      if (desktop.hiddenWindows.revision !== hiddenWindows)
        return { ...last, changed: 'unknown', reason: HIDDEN_SINCE };
      return { ...last, changed, ...(seen.length > 0 && { beyondTree: seen }), ...(reason && { reason }) };
    };
    desktop.menus.note(outcome.opened, plan);
    const hung = verify || report.confirmed ? undefined : hungAfterAct(plan, outcome, actor.delivered);
    if (hung) throw hung;
    const elsewhere = hitElsewhere(desktop, plan, report, before, outcome);
    if (elsewhere) throw elsewhere;
    await assertRequestedState(desktop, plan, report, outcome, deadline);
    // A caller that gives a post-condition expects that the target may disappear.
    const lost = async (): ReturnType<typeof targetLostError> =>
      verify ? undefined : targetLostError(desktop, plan, report, deadline);
    const {
      same,
      late,
      reason = report.reason ?? hitUnknown(plan, report, before, outcome),
    } = await readBackValue(reader, plan, report, { before, outcome }, deadline, lost);
    if (late) outcome = withNotifications(await observe(), news());
    outcome = await withVisible(outcome);
    const readBack = same && 'same';
    const lists =
      readBack === 'same'
        ? await waitForListsClosed(before.windows, outcome.after.windows, () => windowsOf(desktop, deadline), deadline)
        : undefined;
    const facts: Facts = {
      ...begun,
      report,
      outcome,
      readBack,
      settledMs,
      events: news(),
      ...lists,
      ...(reason !== undefined && { reason }),
    };
    const reportVerified = (last: ObservedChanges): void =>
      onVerified?.({
        desktop,
        hiddenRevision: hiddenWindows,
        before,
        outcome: last,
        ...(effect.focuses !== undefined && { focuses: effect.focuses }),
      });
    if (!verify) {
      reportVerified(outcome);
      const result = resultOf(desktop, facts);
      // An act without any effect is reported as `no change`. A window that was slow to close may be gone by now.
      const gone = outcome.closed.some(({ id }) => id === plan.window?.id);
      if (report.unmet === undefined || outcome.changed === 'no' || gone) return result;
      throw postConditionError(result, report.unmet);
    }
    let verdict = await verify.after(0, deadline);
    let othersActed = (): boolean => false;
    if (verdict.answer !== 'satisfied') {
      // Waiting is reading: it must not hold up other callers.
      othersActed = release?.() ?? othersActed;
      readBy = Deadline.in(deadline.remaining() + verifyMs, deadline.signal);
      verdict = await verify.after(verifyMs, readBy);
    }
    const shared = othersActed() && { othersActed: true as const, reason: SHARED };
    // The condition may have become true by a change after the first snapshot.
    const later = activity.eventCount !== eventsAtRead;
    if (later) await activity.waitForIdle(performance.now() + Math.min(settleMs, LATER_MS), readBy);
    // After an act of another caller, changes seen now may be the effect of that act.
    const readAgain = !othersActed() && (later || outcome.changed !== 'yes');
    const again = readAgain ? await withVisible(withNotifications(await observe(), news())) : outcome;
    // A change that was observed once stays reported, unless policy hides it now.
    const last = outcome.changed === 'yes' && again.changed !== 'yes' && !again.redacted ? outcome : again;
    reportVerified(last);
    const result = resultOf(desktop, { ...facts, ...shared, outcome: last, verdict });
    if (verdict.answer === 'unsatisfied') throw verifyFailed(result, verify.condition, verdict);
    return result;
  } finally {
    activity.end();
    heard.end();
    witness?.end();
    actEnded();
  }
}

const windowsOf = async (desktop: CallView, deadline: Deadline): Promise<WindowInfo[]> =>
  (await desktop.listWindows(deadline)).windows;

async function changesAfterAct(
  desktop: CallView,
  before: UiState,
  hiddenWindows: number,
  effect: ExpectedEffect,
  deadline: Deadline,
  answered: boolean,
): Promise<ObservedChanges> {
  const nothing = (reason: string): ObservedChanges => {
    const { id } = before.snapshot;
    const diff = { from: id, to: id, changes: [], added: 0, gone: 0, changed: 0, same: 0 };
    return { changed: 'unknown', reason, diff, after: before, opened: [], closed: [] };
  };
  try {
    const outcome = await observeChanges(desktop, before, effect, deadline, answered);
    // Policy may have hidden a window during the read. Then the observations must not be reported.
    const { windows } = await desktop.listWindows(deadline);
    const overtaken = wordsOf(windows) !== wordsOf(outcome.after.windows);
    if (desktop.hiddenWindows.revision === hiddenWindows) return { ...outcome, ...(overtaken && { overtaken }) };
    return { ...nothing(HIDDEN_SINCE), redacted: true };
  } catch (error) {
    return nothing(uncertaintyReason(error));
  }
}

/** The windows and their titles, independent of order. */
const wordsOf = (windows: readonly WindowInfo[]): string =>
  JSON.stringify(windows.map(({ ref, title, visible }) => [ref, title, visible].join(' ')).sort());

/** A notification is an effect that no window shows. */
function withNotifications(outcome: ObservedChanges, events: readonly DesktopEvent[]): ObservedChanges {
  if (outcome.changed !== 'no' || !events.some(({ what }) => what === 'notification')) return outcome;
  return { ...outcome, changed: 'yes' };
}

/** After a confirmation by a third party (such as the window manager), the app starts to react within this time. */
const SOON_MS = 100;

/**
 * Waits for the effect of an act. A change ends the wait. "No change" is reported only after the full time: apps may
 * react late.
 *
 * The first snapshot starts in the first pause after painting, while we still wait for idle. It is used if no event
 * arrives from its start until idle. If not, another snapshot is taken, only once: an app that changes all the time
 * would be read all the time.
 *
 * If windows changed during a snapshot, it is taken once more after the next idle period: a dialog may close before
 * the window behind it gets its new title.
 *
 * The final snapshot must be `answered` by the app itself. Earlier ones may come from the driver's cache.
 *
 * `sure`: the window manager, for example, has confirmed the act. Then we wait only for idle, not for a change.
 */
export async function settledOutcome(
  activity: ActivityMonitor,
  observe: (answered: boolean) => Promise<ObservedChanges>,
  endsAt: number,
  deadline: Deadline,
  sure = false,
): Promise<ObservedChanges> {
  if (sure && !(await activity.begins(Math.min(endsAt, performance.now() + SOON_MS), deadline))) return observe(true);
  const paused = await activity.waitForPaintPause(endsAt, deadline);
  const mark = activity.eventCount;
  let early = paused === 'drawn' && performance.now() < endsAt && !deadline.over ? await observe(false) : undefined;
  for (let patient = true; ;) {
    await activity.waitForIdle(endsAt, deadline);
    const holds =
      early && early.changed !== 'no' && !early.overtaken && activity.eventCount === mark ? early : undefined;
    const isLast = performance.now() >= endsAt || deadline.over;
    const outcome = holds ?? (await observe(isLast));
    early = undefined;
    const there = (sure || outcome.changed === 'yes') && !outcome.pending && !(outcome.overtaken && patient);
    if (there || isLast) return outcome;
    patient &&= !outcome.overtaken;
  }
}

/** An app that is still busy may show the effect of an act this long after the usual wait. */
const LATE_MS = 1_500;
const LATE_STEP_MS = 150;
const STILL_WORKING = 'its app is still working, so an effect may follow';

/**
 * "No change" of an app that computes or draws may come too early: looks again until there is a change, until the app
 * rests, or for `LATE_MS`. An app that rests costs no time.
 */
async function lateOutcome(
  first: ObservedChanges,
  {
    activity,
    observe,
    endsAt,
    deadline,
    work,
    witness,
  }: {
    activity: ActivityMonitor;
    observe: (answered: boolean) => Promise<ObservedChanges>;
    endsAt: number;
    deadline: Deadline;
    work: AppWork;
    witness: VisibleWitness | undefined;
  },
): Promise<ObservedChanges> {
  let outcome = first;
  let isWorking = work.isWorking();
  for (let end = performance.now(); isWorking || witness?.isDrawing === true; isWorking = work.isWorking()) {
    end += LATE_STEP_MS;
    if (end > endsAt + LATE_MS || deadline.over) break;
    outcome = await settledOutcome(activity, observe, end, deadline);
    if (outcome.changed !== 'no') return outcome;
  }
  return isWorking ? { ...outcome, changed: 'unknown', reason: STILL_WORKING } : outcome;
}
