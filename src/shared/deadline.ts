import { DesktopError } from './errors.js';

/**
 * How long a call may still take, and whether its caller has gone. One value travels down every layer, so that no
 * layer invents a time of its own.
 */
export class Deadline {
  readonly endsAt: number;
  readonly signal?: AbortSignal;

  private constructor(endsAt: number, signal?: AbortSignal) {
    this.endsAt = endsAt;
    if (signal) this.signal = signal;
  }

  static in(ms: number, signal?: AbortSignal): Deadline {
    return new Deadline(performance.now() + ms, signal);
  }

  remaining(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  get over(): boolean {
    return this.remaining() <= 0 || this.signal?.aborted === true;
  }

  /** The sooner of this deadline and `ms` from now, with the same signal. */
  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.endsAt, performance.now() + ms), this.signal);
  }

  throwIfOver(what: string): void {
    if (this.signal?.aborted) throw new DesktopError('cancelled', `${what} was cancelled.`);
    if (this.remaining() <= 0) throw late(what);
  }

  /** `work`, or `timeout`/`cancelled`, whichever comes first. The work itself is not stopped: it must watch too. */
  async race<T>(work: Promise<T>, what: string): Promise<T> {
    work.catch(() => undefined); // Whoever lost patience does not hear how it ended; nobody else may have to either.
    this.throwIfOver(what);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const end = new Promise<never>((_, reject) => {
      // Timers may be early: who hears of the end must find the deadline over.
      const check = (): void => {
        if (this.remaining() > 0) timer = setTimeout(check, Math.ceil(this.remaining()));
        else reject(late(what));
      };
      check();
      onAbort = () => reject(new DesktopError('cancelled', `${what} was cancelled.`));
      this.signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([work, end]);
    } finally {
      clearTimeout(timer);
      if (onAbort) this.signal?.removeEventListener('abort', onAbort);
    }
  }
}

function late(what: string): DesktopError {
  return new DesktopError('timeout', `${what} did not finish in time.`, {
    hint: 'Try again, or see what does not answer: deskproof doctor',
  });
}

/** Programs answer for people. One that answers a question sooner than a person can read it has not asked one. */
export const READING_MS = 700;
