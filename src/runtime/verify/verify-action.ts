import type { Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { failedAct, hungAfter, lostTarget } from '../act/action-errors.js';
import type { ActResult, ActionReport } from '../act/action.js';
import type { Desktop } from '../desktop/desktop.js';
import type { Happening } from '../desktop/event-log.js';
import type { Reader } from '../observe/reader.js';
import { type Facts, resultOf, withListsGone } from './action-result.js';
import type { Proved } from './batch-changes.js';
import { caretBefore } from './focus-changes.js';
import { notMet, type Verify, verifyFailed } from './post-condition.js';
import { mustBeAsWished, readBackOf } from './read-back.js';
import { hearing, Settling } from './settle.js';
import { doubtFrom, type Effect, type Outcome, outcomeOf, type Scenery } from './ui-changes.js';

export interface Proving {
  reader: Reader;
  deadline: Deadline;
  settleMs: number;
  /** How long what must hold afterwards may take. */
  verifyMs: number;
  /** Hears what it saw, once it is done. */
  onProved?: (proved: Proved) => void;
}

export interface Begun extends Pick<Facts, 'aim' | 'before' | 'actor' | 'began'> {
  /** Of the veil, before anything was looked at. */
  veil: number;
}

/** So long what came with what was verified may go on; some apps never rest. */
const LATER_MS = 100;

/** Does it once, waits until its effect is there, and compares. */
export async function actAndProve(
  desktop: Desktop,
  act: () => Promise<ActionReport>,
  { reader, deadline, settleMs, verifyMs, onProved }: Proving,
  { verify, veil, ...begun }: Begun & { verify: Verify | undefined },
): Promise<ActResult> {
  const { aim, before, actor } = begun;
  const settling = new Settling(desktop, aim.window?.pid);
  const heard = hearing(desktop.log);
  const news = (): Happening[] => heard.events.filter((one) => desktop.sight?.hears(one) ?? true);
  try {
    const caret = aim.keys ? await caretBefore(desktop, before, aim.target, deadline) : undefined;
    const deed = await act().catch((error: unknown) => {
      throw failedAct(error, aim, actor.delivered);
    });
    const acted = performance.now();
    const { target, lands } = aim;
    const { keys, clicks, entered } = deed;
    const effect: Effect = {
      ...(target && { target, ...(deed.focuses && { focuses: target.element.ref }) }),
      ...(keys && { keys }),
      ...(clicks && { clicks, ...(lands?.target && { met: lands.target }) }),
      ...(entered && { entered }),
    };
    let heardBy = 0;
    const look = async (): Promise<Outcome> => {
      heardBy = settling.signs;
      const seen = await lookAfter(desktop, before, veil, effect, deadline);
      const moved = seen.changed === 'no' ? await caret?.() : undefined;
      return moved ? { ...seen, changed: 'yes', caret: moved } : seen;
    };
    const endsAt = acted + (deed.onlyReads ? 0 : settleMs);
    const looked = await settledOutcome(settling, look, endsAt, deadline, deed.confirmed);
    const settledMs = performance.now() - acted;
    let outcome = withNews(looked, news());
    desktop.menus.note(outcome.opened, aim);
    const hung = verify || deed.confirmed ? undefined : hungAfter(aim, outcome, actor.delivered);
    if (hung) throw hung;
    await mustBeAsWished(desktop, aim, deed, outcome, deadline);
    // Whoever says what must hold afterwards has thought of what may go away.
    const lost = async (): ReturnType<typeof lostTarget> =>
      verify ? undefined : lostTarget(desktop, aim, deed, deadline);
    const { same, late, doubt = deed.doubt } = await readBackOf(reader, aim, deed, { before, outcome }, deadline, lost);
    if (late) outcome = withNews(await look(), news());
    const readBack = same && 'same';
    const lists =
      readBack === 'same'
        ? await withListsGone(before.windows, outcome.after.windows, () => windowsOf(desktop, deadline), deadline)
        : undefined;
    const facts: Facts = {
      ...begun,
      deed,
      outcome,
      readBack,
      settledMs,
      events: news(),
      ...lists,
      ...(doubt !== undefined && { doubt }),
    };
    const prove = (last: Outcome): void =>
      onProved?.({
        desktop,
        veil,
        before,
        outcome: last,
        ...(effect.focuses !== undefined && { focuses: effect.focuses }),
      });
    if (!verify) {
      prove(outcome);
      const result = resultOf(desktop, facts);
      // That nothing at all came of it is told anyway; and what took its time may have gone by now.
      const gone = outcome.closed.some(({ id }) => id === aim.window?.id);
      if (deed.unmet === undefined || outcome.changed === 'no' || gone) return result;
      throw notMet(result, deed.unmet);
    }
    const verdict = await verify.after(verifyMs, deadline);
    // It may have come true by something that came after the first look.
    const later = settling.signs !== heardBy;
    if (later) await settling.quiet(performance.now() + Math.min(settleMs, LATER_MS), deadline);
    const again = later || outcome.changed !== 'yes' ? withNews(await look(), news()) : outcome;
    // What was seen once is not taken back, unless it may not be told.
    const last = outcome.changed === 'yes' && again.changed !== 'yes' && !again.veiled ? outcome : again;
    prove(last);
    const result = resultOf(desktop, { ...facts, outcome: last, verdict });
    if (verdict.answer === 'unsatisfied') throw verifyFailed(result, verify.condition, verdict);
    return result;
  } finally {
    settling.end();
    heard.end();
  }
}

const windowsOf = async (desktop: Desktop, deadline: Deadline): Promise<WindowInfo[]> =>
  (await desktop.listWindows(deadline)).windows;

async function lookAfter(
  desktop: Desktop,
  before: Scenery,
  veil: number,
  effect: Effect,
  deadline: Deadline,
): Promise<Outcome> {
  const nothing = (doubt: string): Outcome => {
    const { id } = before.snapshot;
    const diff = { from: id, to: id, changes: [], added: 0, gone: 0, changed: 0, same: 0 };
    return { changed: 'unknown', doubt, diff, after: before, opened: [], closed: [] };
  };
  try {
    const outcome = await outcomeOf(desktop, before, effect, deadline);
    // A window that turned into a hidden one while it was read: what was seen of it may not be told.
    const { windows } = await desktop.listWindows(deadline);
    const overtaken = wordsOf(windows) !== wordsOf(outcome.after.windows);
    if (desktop.veil.state === veil) return { ...outcome, ...(overtaken && { overtaken }) };
    return { ...nothing('a window of it is hidden by policy now'), veiled: true };
  } catch (error) {
    return nothing(doubtFrom(error));
  }
}

/** Which windows there are and what they are called, in whatever order. */
const wordsOf = (windows: readonly WindowInfo[]): string =>
  JSON.stringify(windows.map(({ ref, title, visible }) => [ref, title, visible].join(' ')).sort());

/** A notification is an effect that no window shows. */
function withNews(outcome: Outcome, events: readonly Happening[]): Outcome {
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
  settling: Settling,
  look: () => Promise<Outcome>,
  endsAt: number,
  deadline: Deadline,
  sure = false,
): Promise<Outcome> {
  if (sure && !(await settling.begins(Math.min(endsAt, performance.now() + SOON_MS), deadline))) return look();
  const paused = await settling.lull(endsAt, deadline);
  const mark = settling.signs;
  let early = paused === 'drawn' && performance.now() < endsAt && !deadline.over ? await look() : undefined;
  for (let patient = true; ;) {
    await settling.quiet(endsAt, deadline);
    const holds = early && early.changed !== 'no' && !early.overtaken && settling.signs === mark ? early : undefined;
    const outcome = holds ?? (await look());
    early = undefined;
    const there = (sure || outcome.changed === 'yes') && !outcome.pending && !(outcome.overtaken && patient);
    if (there || performance.now() >= endsAt || deadline.over) return outcome;
    patient &&= !outcome.overtaken;
  }
}
