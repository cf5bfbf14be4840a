import type { DriverEvent } from '../../drivers/contract/index.js';
import type { Deadline } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { EventLog, DesktopEvent } from '../desktop/event-log.js';

/** No events for this long: the act has had its effect. */
const QUIET_MS = 50;
/** A snapshot is worthwhile this long after the app painted, not earlier: toolkits send the event first, then paint. */
const LULL_MS = 20;
/** Timers fire up to this much too late, so the rest of a wait uses `setImmediate`. */
const TIMER_MS = 1.5;

/**
 * Listens to the events after an act. If there are none, it waits until the end: an app may need time to react.
 */
export class ActivityMonitor {
  /** Number of events so far. */
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

  /** Whether any event arrives by then. */
  async begins(by: number, deadline: Deadline): Promise<boolean> {
    const end = Math.min(by, deadline.endsAt);
    while (this.eventCount === 0 && performance.now() < end && !deadline.signal?.aborted)
      await this.sleep(end - performance.now(), deadline.signal);
    return this.eventCount > 0;
  }

  /** Resolves at the first idle period after an event that no earlier wait has covered, or at the end. */
  async waitForIdle(endsAt: number, deadline: Deadline): Promise<void> {
    await this.pause(() => QUIET_MS, endsAt, deadline);
    this.heard = 0;
  }

  /** Resolves at a shorter pause after painting, or when idle. It does not replace `waitForIdle`. */
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
      // An event that can end the wait wakes us. One that only extends the wait does not.
      if (this.heard === 0 || !this.drew) this.wake = done;
    });
  }
}

/** Windows that open or close may belong to any app. Other events count only in the app of the act. */
function concerns(event: DriverEvent, pid: number | undefined): boolean {
  if (event.type === 'window') return event.change !== 'moved' || event.pid === pid;
  return pid === undefined || event.pid === undefined || event.pid === pid;
}

/** An app that uses more than this share of a processor is at work. Our own reads cost it far less. */
const WORKING_SHARE = 0.4;

/** Whether the app of an act computes. */
export class AppWork {
  private last: { at: number; activity: ReturnType<NonNullable<CallView['activityOf']>> };

  constructor(
    private readonly desktop: Pick<CallView, 'activityOf'>,
    private readonly pid: number | undefined,
  ) {
    this.last = this.sample();
  }

  /** Since the last call, or since it was created. */
  isWorking(): boolean {
    const [was, now] = [this.last, this.sample()];
    this.last = now;
    if (!was.activity || !now.activity) return false;
    // On a busy machine a process that computes may get little time, but it always wants to run.
    const share = (now.activity.cpuMs - was.activity.cpuMs) / (now.at - was.at);
    return share > WORKING_SHARE || now.activity.running;
  }

  private sample(): AppWork['last'] {
    return {
      at: performance.now(),
      activity: this.pid === undefined ? undefined : this.desktop.activityOf?.(this.pid),
    };
  }
}

const MOST = 20;

/** Records events until `end` is called, at most the last `MOST`. */
export function recordEvents(log: EventLog): { events: DesktopEvent[]; end: () => void } {
  const events: DesktopEvent[] = [];
  const end = log.listen((event) => {
    events.push(event);
    if (events.length > MOST) events.shift();
  });
  return { events, end };
}
