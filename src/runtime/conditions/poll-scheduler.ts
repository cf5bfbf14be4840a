import { sleepUntilWoken } from '../../shared/index.js';
import type { DriverEvent } from '../../drivers/contract/index.js';
import type { CallView } from '../visibility/call-view.js';

/** The shortest time between two polls, for each open wait: all of them read from the same apps. */
const BREATH_MS = 5;
/** Polling slows down the apps. During many events, a poll is followed by this many times its duration without one. */
const SHARE = 2;
/** A few polls in a row need no rest: one user action causes a handful of events, and the last one matters. */
const BURST_MS = 150;
/** Pixels change all the time (videos, carets), mostly without meaning. */
const PIXELS_BREATH_MS = 50;
const PIXELS_SHARE = 4;

interface Rest {
  /** When the previous poll began and ended. */
  began: number;
  ended: number;
  /** Time of the next poll if no event arrives. */
  atLatest: number;
}

/** Decides from the events during a wait when to poll again. */
export class PollScheduler {
  private words = false;
  private pixels = false;
  /** The rest that is still due for the polls so far, and since when. */
  private restDue = 0;
  private rested = 0;
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  constructor(
    private readonly desktop: CallView,
    concerns: (event: DriverEvent) => boolean,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.stop = desktop.onEvent((event) => {
      if (!concerns(event)) return;
      if (event.type === 'damage') this.pixels = true;
      else this.words = true;
      this.wake?.();
    });
  }

  /** Events from here on cause another poll, also events during a poll. */
  clear(): void {
    this.words = false;
    this.pixels = false;
  }

  /** Waits until the next poll is due; true if an event caused it. The first event after a rest causes a poll at once. */
  async next(rest: Rest): Promise<boolean> {
    const { began, ended } = rest;
    this.restDue = Math.max(0, this.restDue - (began - this.rested)) + SHARE * (ended - began);
    this.rested = ended;
    for (;;) {
      const left = this.due(rest) - performance.now();
      if (left <= 0 || this.signal?.aborted) return this.words || this.pixels;
      await this.sleep(left);
    }
  }

  end(): void {
    this.stop();
  }

  private due({ began, ended, atLatest }: Rest): number {
    const words = this.words
      ? ended + Math.max(BREATH_MS * this.desktop.openWaits.count, this.restDue - BURST_MS)
      : Infinity;
    const pixels = this.pixels ? ended + Math.max(PIXELS_BREATH_MS, PIXELS_SHARE * (ended - began)) : Infinity;
    return Math.min(atLatest, words, pixels);
  }

  private async sleep(ms: number): Promise<void> {
    await sleepUntilWoken(Math.ceil(ms), (wake) => (this.wake = wake), { signal: this.signal });
    this.wake = undefined;
  }
}
