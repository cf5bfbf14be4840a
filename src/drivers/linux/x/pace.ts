import { debug } from '../../../shared/index.js';

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
