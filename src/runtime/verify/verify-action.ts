import type { Deadline } from '../../shared/index.js';
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
import { recordEvents, ActivityMonitor } from './settle.js';
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
  /** How long what must hold afterwards may take. */
  verifyMs: number;
  /** Hears what it saw, once it is done. */
  onProved?: (proved: VerifiedStep) => void;
}

export interface Begun extends Pick<Facts, 'aim' | 'before' | 'actor' | 'began'> {
  /** Of the veil, before anything was looked at. */
  veil: number;
}

/** So long what came with what was verified may go on; some apps never rest. */
const LATER_MS = 100;

/** Does it once, waits until its effect is there, and compares. */
export async function actAndVerify(
  desktop: CallView,
  act: () => Promise<ActionReport>,
  { reader, deadline, settleMs, verifyMs, onProved }: VerifyContext,
  { verify, veil: hiddenWindows, ...begun }: Begun & { verify: PostCondition | undefined },
): Promise<RenderableActResult> {
  const { aim: plan, before, actor } = begun;
  const activity = new ActivityMonitor(desktop, plan.window?.pid);
  const heard = recordEvents(desktop.events);
  const news = (): DesktopEvent[] => heard.events.filter((one) => desktop.hears(one));
  try {
    const caret = plan.keys ? await caretBefore(desktop, before, plan.target, deadline) : undefined;
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
    let heardBy = 0;
    const look = async (): Promise<ObservedChanges> => {
      heardBy = activity.eventCount;
      const seen = await lookAfter(desktop, before, hiddenWindows, effect, deadline);
      const moved = seen.changed === 'no' ? await caret?.() : undefined;
      return moved ? { ...seen, changed: 'yes', caret: moved } : seen;
    };
    const endsAt = acted + (report.onlyReads ? 0 : settleMs);
    const looked = await settledOutcome(activity, look, endsAt, deadline, report.confirmed);
    const settledMs = performance.now() - acted;
    let outcome = withNews(looked, news());
    desktop.menus.note(outcome.opened, plan);
    const hung = verify || report.confirmed ? undefined : hungAfterAct(plan, outcome, actor.delivered);
    if (hung) throw hung;
    await assertRequestedState(desktop, plan, report, outcome, deadline);
    // Whoever says what must hold afterwards has thought of what may go away.
    const lost = async (): ReturnType<typeof targetLostError> =>
      verify ? undefined : targetLostError(desktop, plan, report, deadline);
    const {
      same,
      late,
      reason = report.reason,
    } = await readBackValue(reader, plan, report, { before, outcome }, deadline, lost);
    if (late) outcome = withNews(await look(), news());
    const readBack = same && 'same';
    const lists =
      readBack === 'same'
        ? await waitForListsClosed(before.windows, outcome.after.windows, () => windowsOf(desktop, deadline), deadline)
        : undefined;
    const facts: Facts = {
      ...begun,
      deed: report,
      outcome,
      readBack,
      settledMs,
      events: news(),
      ...lists,
      ...(reason !== undefined && { reason }),
    };
    const prove = (last: ObservedChanges): void =>
      onProved?.({
        desktop,
        veil: hiddenWindows,
        before,
        outcome: last,
        ...(effect.focuses !== undefined && { focuses: effect.focuses }),
      });
    if (!verify) {
      prove(outcome);
      const result = resultOf(desktop, facts);
      // That nothing at all came of it is told anyway; and what took its time may have gone by now.
      const gone = outcome.closed.some(({ id }) => id === plan.window?.id);
      if (report.unmet === undefined || outcome.changed === 'no' || gone) return result;
      throw postConditionError(result, report.unmet);
    }
    const verdict = await verify.after(verifyMs, deadline);
    // It may have come true by something that came after the first look.
    const later = activity.eventCount !== heardBy;
    if (later) await activity.waitForIdle(performance.now() + Math.min(settleMs, LATER_MS), deadline);
    const again = later || outcome.changed !== 'yes' ? withNews(await look(), news()) : outcome;
    // What was seen once is not taken back, unless it may not be told.
    const last = outcome.changed === 'yes' && again.changed !== 'yes' && !again.veiled ? outcome : again;
    prove(last);
    const result = resultOf(desktop, { ...facts, outcome: last, verdict });
    if (verdict.answer === 'unsatisfied') throw verifyFailed(result, verify.condition, verdict);
    return result;
  } finally {
    activity.end();
    heard.end();
  }
}

const windowsOf = async (desktop: CallView, deadline: Deadline): Promise<WindowInfo[]> =>
  (await desktop.listWindows(deadline)).windows;

async function lookAfter(
  desktop: CallView,
  before: UiState,
  hiddenWindows: number,
  effect: ExpectedEffect,
  deadline: Deadline,
): Promise<ObservedChanges> {
  const nothing = (reason: string): ObservedChanges => {
    const { id } = before.snapshot;
    const diff = { from: id, to: id, changes: [], added: 0, gone: 0, changed: 0, same: 0 };
    return { changed: 'unknown', reason, diff, after: before, opened: [], closed: [] };
  };
  try {
    const outcome = await observeChanges(desktop, before, effect, deadline);
    // A window that turned into a hidden one while it was read: what was seen of it may not be told.
    const { windows } = await desktop.listWindows(deadline);
    const overtaken = wordsOf(windows) !== wordsOf(outcome.after.windows);
    if (desktop.hiddenWindows.revision === hiddenWindows) return { ...outcome, ...(overtaken && { overtaken }) };
    return { ...nothing('a window of it is hidden by policy now'), veiled: true };
  } catch (error) {
    return nothing(uncertaintyReason(error));
  }
}

/** Which windows there are and what they are called, in whatever order. */
const wordsOf = (windows: readonly WindowInfo[]): string =>
  JSON.stringify(windows.map(({ ref, title, visible }) => [ref, title, visible].join(' ')).sort());

/** A notification is an effect that no window shows. */
function withNews(outcome: ObservedChanges, events: readonly DesktopEvent[]): ObservedChanges {
  if (outcome.changed !== 'no' || !events.some(({ what }) => what === 'notification')) return outcome;
  return { ...outcome, changed: 'yes' };
}

/** What an app does about something that was confirmed by others it begins by then. */
const SOON_MS = 100;

/**
 * A change ends the waiting. That nothing changed is said only when all the time was given: apps think, then move.
 *
 * The first look begins in the first lull after something was drawn, while the quiet is still waited for: it holds when nothing at all is heard
 * from its beginning to the end of the quiet, and else another one is taken. Once only: something that moves all the
 * time would be read all the time.
 *
 * A look that windows overtook is taken once more after the next quiet: a dialog that closes may be gone before the
 * window behind it has its new title.
 *
 * `sure`: it is known already that it was done, as by a window manager; then no change is waited for, only quiet.
 */
export async function settledOutcome(
  activity: ActivityMonitor,
  look: () => Promise<ObservedChanges>,
  endsAt: number,
  deadline: Deadline,
  sure = false,
): Promise<ObservedChanges> {
  if (sure && !(await activity.begins(Math.min(endsAt, performance.now() + SOON_MS), deadline))) return look();
  const paused = await activity.waitForPaintPause(endsAt, deadline);
  const mark = activity.eventCount;
  let early = paused === 'drawn' && performance.now() < endsAt && !deadline.over ? await look() : undefined;
  for (let patient = true; ;) {
    await activity.waitForIdle(endsAt, deadline);
    const holds =
      early && early.changed !== 'no' && !early.overtaken && activity.eventCount === mark ? early : undefined;
    const outcome = holds ?? (await look());
    early = undefined;
    const there = (sure || outcome.changed === 'yes') && !outcome.pending && !(outcome.overtaken && patient);
    if (there || performance.now() >= endsAt || deadline.over) return outcome;
    patient &&= !outcome.overtaken;
  }
}
