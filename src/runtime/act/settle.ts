import type { DriverEvent } from '../../drivers/contract/index.js';
import type { Deadline } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';

/** So long without a sign of life means that the act has had its effect. */
const QUIET_MS = 50;
/** So long without one, and it is worth a look already: a toolkit draws a sixtieth of a second after it has changed. */
const LULL_MS = 20;

/**
 * Hears what follows an act. An app that shows nothing at all is waited for to the end: it may think before it moves.
 */
export class Settling {
  /** All that was heard so far. */
  signs = 0;
  private heard = 0;
  private last = 0;
  private wake?: () => void;
  private readonly stop: () => void;

  constructor(desktop: Desktop, pid: number | undefined) {
    this.stop = desktop.onEvent((event) => {
      if (!concerns(event, pid)) return;
      this.signs += 1;
      this.heard += 1;
      this.last = performance.now();
      this.wake?.();
    });
  }

  /** Resolves at the first quiet after something happened that was not waited for yet, else at the end. */
  async quiet(endsAt: number, deadline: Deadline): Promise<void> {
    await this.pause(QUIET_MS, endsAt, deadline);
    this.heard = 0;
  }

  /** The same for a shorter pause, which does not end the waiting for quiet. */
  lull(endsAt: number, deadline: Deadline): Promise<void> {
    return this.pause(LULL_MS, endsAt, deadline);
  }

  private async pause(ms: number, endsAt: number, deadline: Deadline): Promise<void> {
    const end = Math.min(endsAt, deadline.endsAt);
    for (;;) {
      const now = performance.now();
      const until = this.heard > 0 ? Math.min(end, this.last + ms) : end;
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
        signal?.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
      // Before the first sign one waits for it; after that each sign only moves the end.
      if (this.heard === 0) this.wake = done;
    });
  }
}

/** Windows that open or close may belong to anyone; the rest counts only in the app that was acted on. */
function concerns(event: DriverEvent, pid: number | undefined): boolean {
  if (event.type === 'window') return event.change !== 'moved' || event.pid === pid;
  return pid === undefined || event.pid === undefined || event.pid === pid;
}
