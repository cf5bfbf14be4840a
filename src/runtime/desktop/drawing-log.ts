import type { DriverEvent } from '../../drivers/contract/index.js';
import { type Box, intersect, joinOverlapping } from '../../tree/index.js';

interface Drawing {
  at: number;
  box: Box;
}

/** Longer than two periods of every caret: GTK blinks every 1,200 ms. */
const KEPT_MS = 3_000;
/** Per window. */
const MAX_KEPT = 400;
/** What is drawn this long after an act may still be its effect. */
const AFTER_ACT_MS = 700;
/** An animation: this often, for this long, without a longer pause at the end. */
const RESTLESS = { times: 4, ms: 250, pauseMs: 150 };
const MAX_ACTS = 20;

/**
 * Where windows were drawn in the last seconds, and who took the clipboard. From this an act learns what changes by
 * itself: carets, spinners, animations. Windows that policy hides are not in it.
 */
export class DrawingLog {
  private readonly drawings = new Map<string, Drawing[]>();
  private readonly known = new Map<string, Box[]>();
  private readonly acts: { from: number; to: number }[] = [];
  private copies: { at: number; pid?: number }[] = [];

  note(event: DriverEvent, at = performance.now()): void {
    if (event.type === 'clipboard') {
      this.copies = [...this.copies.slice(1 - MAX_ACTS), { at, ...(event.pid !== undefined && { pid: event.pid }) }];
      return;
    }
    if (event.type === 'window' && event.change === 'closed') {
      this.drawings.delete(event.window);
      this.known.delete(event.window);
    }
    if (event.type !== 'damage') return;
    const kept = this.drawings.get(event.window) ?? [];
    kept.push({ at, box: event.box });
    const expired = kept.findIndex((one) => at - one.at < KEPT_MS);
    kept.splice(0, Math.max(expired, kept.length - MAX_KEPT));
    this.drawings.set(event.window, kept);
  }

  /** From now until the returned function is called, drawings may be effects of an act. */
  actBegins(): () => void {
    const act = { from: performance.now(), to: Infinity };
    this.acts.push(act);
    if (this.acts.length > MAX_ACTS) this.acts.shift();
    return () => void (act.to = performance.now());
  }

  /** Where this window was drawn since then. */
  since(window: string, at: number): Box[] {
    return (this.drawings.get(window) ?? []).filter((one) => one.at >= at).map(({ box }) => box);
  }

  /** Whether the window has drawn there ever since then and still does. */
  isRestless(window: string, place: Box, since: number, now = performance.now()): boolean {
    const drawn = (this.drawings.get(window) ?? []).filter(({ at, box }) => at >= since && intersect(box, place));
    const [first, last] = [drawn[0], drawn.at(-1)];
    if (!first || !last || drawn.length < RESTLESS.times) return false;
    return now - last.at <= RESTLESS.pauseMs && last.at - first.at >= RESTLESS.ms;
  }

  /** Whether an app, or this app, has taken the clipboard since then. */
  copiedSince(at: number, pid: number | undefined): boolean {
    return this.copies.some((one) => one.at >= at && pid !== undefined && one.pid === pid);
  }

  /** The places where this window draws again and again without an act: a caret, a spinner, a film. */
  habits(window: string, now = performance.now()): Box[] {
    const isFree = ({ at }: Drawing): boolean =>
      !this.acts.some(({ from, to }) => at >= from && at < to + AFTER_ACT_MS);
    const free = (this.drawings.get(window) ?? []).filter(isFree);
    const isHabit = ({ box }: Drawing): boolean => {
      const same = free.filter((other) => isSamePlace(other.box, box));
      const [first, last] = [same[0]!, same.at(-1)!];
      return same.length >= HABIT.times && last.at - first.at >= HABIT.ms && now - last.at <= HABIT.pauseMs;
    };
    // Between acts that follow each other quickly nothing can be learned, so what is known stays known while it goes on.
    const goesOn = (box: Box): boolean =>
      (this.drawings.get(window) ?? []).some((one) => now - one.at <= HABIT.pauseMs && isSamePlace(one.box, box));
    const known = (this.known.get(window) ?? []).filter(goesOn);
    const habits = joinOverlapping([...free.filter(isHabit).map(({ box }) => box), ...known]);
    this.known.set(window, habits);
    return habits;
  }
}

/** A window that opens also draws some times, but within a shorter time and then no more. */
const HABIT = { times: 3, ms: 600, pauseMs: 1_500 };

/** At least half of both together. */
function isSamePlace(a: Box, b: Box): boolean {
  const both = intersect(a, b);
  const area = ({ width, height }: Box): number => width * height;
  return both !== undefined && area(both) * 2 >= area(a) + area(b) - area(both);
}
