import { debug } from '../../../shared/index.js';

/**
 * A queue between a source that cannot wait and a reader that may be slow. When it is full, one overflow item replaces
 * its whole content, and the queue continues.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  private items: T[] = [];
  private ended = false;
  private wake?: () => void;

  constructor(
    private readonly limit: number,
    private readonly onOverflow: () => T,
  ) {}

  push(item: T): void {
    if (this.ended) return;
    if (this.items.length >= this.limit) this.items = [this.onOverflow()];
    this.items.push(item);
    this.wake?.();
  }

  /** Items in the queue can still be read; later ones are dropped. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.items.length > 0) {
        const batch = this.items;
        this.items = [];
        yield* batch;
      }
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
  }
}

/** A source that opens in `start` and ends in `stop`, which may be called more than once. */
interface EventSource<T> {
  events: AsyncIterable<T>;
  /** Never rejects: it reports a failure as an event. */
  start: () => Promise<void>;
  stop: () => void;
}

/** The events of a source, until `signal` aborts or the reader ends. `ready` resolves when the source is open. */
export function streamEvents<T>(
  signal: AbortSignal,
  { events, start, stop }: EventSource<T>,
): AsyncIterable<T> & { readonly ready: Promise<void> } {
  signal.addEventListener('abort', stop, { once: true });
  const ready = signal.aborted ? Promise.resolve(stop()) : start();
  return {
    ready,
    async *[Symbol.asyncIterator]() {
      try {
        yield* events;
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
  };
}

/**
 * Throttles a piece of work. It runs at once if the last run was long enough ago, otherwise at the end of the interval.
 * Many requests become one run; a request during a run causes one more.
 */
export class Throttle {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private again = false;
  private last = -Infinity;
  private stopped = false;

  constructor(
    private readonly gapMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  request(): void {
    if (this.stopped || this.timer) return;
    if (this.running) {
      this.again = true;
      return;
    }
    const wait = Math.max(0, this.last + this.gapMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, wait);
  }

  /** Runs now, or waits for the current run. */
  run(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.running ??= this.work()
      .catch((error: unknown) => {
        // There is nothing to recover here. If the source is gone, the source itself notifies its owner.
        debug('x', () => `listing failed: ${String(error)}`);
      })
      .finally(() => {
        this.running = undefined;
        this.last = performance.now();
        if (this.again) {
          this.again = false;
          this.request();
        }
      });
    return this.running;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}

/**
 * Events for a reader that may be slow. Only the last event of each kind is kept, so that a rare event is not lost
 * among many frequent ones.
 */
export class LatestEvents<T> implements AsyncIterable<T> {
  private waiting = new Map<string, T>();
  private ended = false;
  private wake?: () => void;

  push(kind: string, event: T): void {
    if (this.ended) return;
    this.waiting.delete(kind); // Events are ordered by the last one of each kind.
    this.waiting.set(kind, event);
    this.wake?.();
  }

  /** Pending events can still be read; later ones are dropped. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const batch = this.waiting;
      this.waiting = new Map();
      yield* batch.values();
      if (this.waiting.size > 0) continue;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
      this.wake = undefined;
    }
  }
}
