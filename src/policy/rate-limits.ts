import type { CallClass, CallEffects } from './decision.js';
import { launches } from './facts.js';
import type { Limits } from './file/settings.js';

const MINUTE_MS = 60_000;

/** Monotonic milliseconds. */
type Clock = () => number;

/** The limit that was reached and when the next call is possible. A limit of 0 has no such time. */
interface ReachedLimit {
  limit: keyof Limits;
  perMinute: number;
  retryAfterMs?: number;
}

/**
 * The limits that a call counts against. A launch is also an act; a call that takes pixels is a capture, whatever its
 * class.
 */
export function limitsFor(call: Pick<CallEffects, 'does'> & { class: CallClass; pixels?: boolean }): (keyof Limits)[] {
  return [
    ...(call.class === 'capture' || call.pixels ? (['capturesPerMinute'] as const) : []),
    ...(call.class === 'act' || call.class === 'raw' ? (['actsPerMinute'] as const) : []),
    ...(launches(call) ? (['launchesPerMinute'] as const) : []),
  ];
}

/** Counts the calls of the last minute on one desktop. */
export class SlidingMinute {
  private readonly times: Record<keyof Limits, number[]> = {
    capturesPerMinute: [],
    actsPerMinute: [],
    launchesPerMinute: [],
  };

  constructor(
    private readonly limits: Limits,
    private readonly now: Clock,
  ) {}

  /** Counts a call against all of these limits. If one is reached, counts nothing and returns that one. */
  take(kinds: readonly (keyof Limits)[], limits = this.limits): ReachedLimit | undefined {
    const now = this.now();
    for (const limit of kinds) {
      const times = this.recent(limit, now);
      const perMinute = limits[limit];
      if (times.length < perMinute) continue;
      const oldest = times[times.length - perMinute];
      return { limit, perMinute, ...(oldest !== undefined && { retryAfterMs: oldest + MINUTE_MS - now }) };
    }
    for (const limit of kinds) this.times[limit].push(now);
    return undefined;
  }

  private recent(limit: keyof Limits, now: number): number[] {
    const times = this.times[limit];
    const from = times.findIndex((time) => time > now - MINUTE_MS);
    times.splice(0, from < 0 ? times.length : from);
    return times;
  }
}
