import { sleepUntilWoken } from '../../shared/index.js';
import type { DriverEvent } from '../../drivers/contract/index.js';
import type { CallView } from '../visibility/call-view.js';

/** The shortest time between two looks. */
const BREATH_MS = 5;
/** A look takes its own time from everybody: in a storm it is followed by so many times its length without one. */
const SHARE = 2;
/** A few looks in a row need no rest: what a person does comes as a handful of events, and the last one counts. */
const BURST_MS = 150;
/** Pixels change all the time (videos, carets) and mostly mean nothing. */
const PIXELS_BREATH_MS = 50;
const PIXELS_SHARE = 4;

interface Rest {
  /** When the last look began and ended. */
  began: number;
  ended: number;
  /** Without any sign the next look comes then. */
  atLatest: number;
}

/** What happens on the desktop during a wait, as reasons to look again. */
export class PollScheduler {
  private words = false;
  private pixels = false;
  /** Rest that is owed for the looks so far, and since when. */
  private restDue = 0;
  private rested = 0;
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  constructor(
    desktop: CallView,
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

  /** What comes from here on asks for another look, also while one is under way. */
  clear(): void {
    this.words = false;
    this.pixels = false;
  }

  /** Until the next look is due; true when something happened. The first sign after a rest is answered at once. */
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
    const words = this.words ? ended + Math.max(BREATH_MS, this.restDue - BURST_MS) : Infinity;
    const pixels = this.pixels ? ended + Math.max(PIXELS_BREATH_MS, PIXELS_SHARE * (ended - began)) : Infinity;
    return Math.min(atLatest, words, pixels);
  }

  private async sleep(ms: number): Promise<void> {
    await sleepUntilWoken(Math.ceil(ms), (wake) => (this.wake = wake), { signal: this.signal });
    this.wake = undefined;
  }
}
