import { debug } from '../../../shared/index.js';

/**
 * A queue between a source that cannot wait and a reader that may be slow. When it is full, everything in it gives
 * way to one item that says so, and it goes on.
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

  /** What is in it is still read; nothing more comes. */
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

/**
 * Runs a piece of work when asked: at once when it has been quiet, else when the gap since the last run is over.
 * Many asks become one run; an ask during a run leads to one more.
 */
export class Pace {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private again = false;
  private last = -Infinity;
  private stopped = false;

  constructor(
    private readonly gapMs: number,
    private readonly work: () => Promise<void>,
  ) {}

  ask(): void {
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

  /** One run now, or the end of the one that is under way. */
  run(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.running ??= this.work()
      .catch((error: unknown) => {
        // Nothing to repair here: when the source is gone, its owner hears that from the source itself.
        debug('x', () => `listing failed: ${String(error)}`);
      })
      .finally(() => {
        this.running = undefined;
        this.last = performance.now();
        if (this.again) {
          this.again = false;
          this.ask();
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
 * Events on their way to a reader who may be slow. Of each kind only the last one waits, so that there is never more
 * than one of each, and a rare one is not lost among many.
 */
export class PendingEvents<T> implements AsyncIterable<T> {
  private waiting = new Map<string, T>();
  private ended = false;
  private wake?: () => void;

  push(kind: string, event: T): void {
    if (this.ended) return;
    this.waiting.delete(kind); // Order is that of the last of each kind.
    this.waiting.set(kind, event);
    this.wake?.();
  }

  /** What waits is still read; nothing more comes. */
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
