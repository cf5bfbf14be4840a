import type { DriverEvent } from '../../drivers/contract/index.js';
import type { Deadline } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { EventLog, DesktopEvent } from '../desktop/event-log.js';

/** So long without a sign of life means that the act has had its effect. */
const QUIET_MS = 50;
/** So long after something was drawn it is worth a look already. Before that it is not: toolkits tell, then draw. */
const LULL_MS = 20;
/** Timers end up to so much too late; the rest is waited for turn by turn. */
const TIMER_MS = 1.5;

/**
 * Hears what follows an act. An app that shows nothing at all is waited for to the end: it may think before it moves.
 */
export class ActivityMonitor {
  /** All that was heard so far. */
  eventCount = 0;
  private heard = 0;
  private last = 0;
  private drew = false;
  private wake?: () => void;
  private readonly stop: () => void;

  constructor(desktop: CallView, pid: number | undefined) {
    this.stop = desktop.onEvent((event) => {
      if (!concerns(event, pid)) return;
      this.eventCount += 1;
      this.heard += 1;
      this.last = performance.now();
      this.drew = event.type === 'damage';
      this.wake?.();
    });
  }

  /** Whether anything is heard until then. */
  async begins(by: number, deadline: Deadline): Promise<boolean> {
    const end = Math.min(by, deadline.endsAt);
    while (this.eventCount === 0 && performance.now() < end && !deadline.signal?.aborted)
      await this.sleep(end - performance.now(), deadline.signal);
    return this.eventCount > 0;
  }

  /** Resolves at the first quiet after something happened that was not waited for yet, else at the end. */
  async waitForIdle(endsAt: number, deadline: Deadline): Promise<void> {
    await this.pause(() => QUIET_MS, endsAt, deadline);
    this.heard = 0;
  }

  /** Resolves at a shorter pause after something was drawn, else with the quiet, which it does not take the place of. */
  async waitForPaintPause(endsAt: number, deadline: Deadline): Promise<'drawn' | 'quiet'> {
    await this.pause(() => (this.drew ? LULL_MS : QUIET_MS), endsAt, deadline);
    return this.drew ? 'drawn' : 'quiet';
  }

  private async pause(ms: () => number, endsAt: number, deadline: Deadline): Promise<void> {
    const end = Math.min(endsAt, deadline.endsAt);
    for (;;) {
      const now = performance.now();
      const until = this.heard > 0 ? Math.min(end, this.last + ms()) : end;
      if (now >= until || deadline.signal?.aborted) return;
      await this.sleep(until - now, deadline.signal);
    }
  }

  end(): void {
    this.stop();
  }

  private sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        clearImmediate(turn);
        signal?.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = ms > TIMER_MS ? setTimeout(done, ms - TIMER_MS) : undefined;
      const turn = timer ? undefined : setImmediate(done);
      signal?.addEventListener('abort', done, { once: true });
      // A sign that is waited for ends it; one that only moves the end further away does not.
      if (this.heard === 0 || !this.drew) this.wake = done;
    });
  }
}

/** Windows that open or close may belong to anyone; the rest counts only in the app that was acted on. */
function concerns(event: DriverEvent, pid: number | undefined): boolean {
  if (event.type === 'window') return event.change !== 'moved' || event.pid === pid;
  return pid === undefined || event.pid === undefined || event.pid === pid;
}

const MOST = 20;

/** What happens from now on, until `end`; of very much the last. */
export function recordEvents(log: EventLog): { events: DesktopEvent[]; end: () => void } {
  const events: DesktopEvent[] = [];
  const end = log.listen((event) => {
    events.push(event);
    if (events.length > MOST) events.shift();
  });
  return { events, end };
}
