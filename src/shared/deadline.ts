import { DesktopError } from './errors.js';

/**
 * How much time a call has left, and whether its caller cancelled it. The same value is passed down every layer, so
 * that no layer invents a timeout of its own.
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

  /** The earlier of this deadline and `ms` from now, with the same signal. */
  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.endsAt, performance.now() + ms), this.signal);
  }

  throwIfOver(what: string): void {
    if (this.signal?.aborted) throw new DesktopError('cancelled', `${what} was cancelled.`);
    if (this.remaining() <= 0) throw timeoutError(what);
  }

  /** Waits for `ms`. Throws `timeout` or `cancelled` if this deadline ends first. */
  async sleep(ms: number, what: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))), what);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * The result of `work`, or `timeout`/`cancelled`, whichever comes first. This does not stop the work: it must watch
   * the deadline itself.
   */
  async race<T>(work: Promise<T>, what: string): Promise<T> {
    work.catch(() => undefined); // After a timeout no caller sees how the work ended; its rejection must not count as unhandled.
    this.throwIfOver(what);
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const end = new Promise<never>((_, reject) => {
      // Timers may fire early, but a caller that gets the timeout must find the deadline over.
      const check = (): void => {
        if (this.remaining() > 0) timer = setTimeout(check, Math.ceil(this.remaining()));
        else reject(timeoutError(what));
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

function timeoutError(what: string): DesktopError {
  return new DesktopError('timeout', `${what} did not finish in time.`, {
    hint: 'Try again. Run deskproof doctor to see what does not respond.',
  });
}

/**
 * Waits for `ms`, until `signal` aborts, or until the function that `register` receives is called. Never rejects. The
 * caller may keep that function: after the end it does nothing.
 */
export function sleepUntilWoken(
  ms: number,
  register: (wake: () => void) => void,
  { signal, unref = false }: { signal?: AbortSignal; unref?: boolean } = {},
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (unref) timer.unref();
    signal?.addEventListener('abort', end, { once: true });
    register(end);
  });
}

/** The result of `work`, or undefined if it takes longer than `ms`. The work goes on. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
