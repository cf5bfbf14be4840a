import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError } from '../../shared/index.js';
import { timeoutIn } from './check-options.js';
import type { Link } from './link.js';
import type { Place } from './place.js';

/** What a call is about, and how long it may wait for it. */
export interface Wanted {
  place: Place;
  /** Selector of what must be there. */
  target?: string;
  timeoutMs?: number;
  /** As it was written, for errors. */
  said: string;
}

/** Between two tries of something that is said to be there and is not found. */
const BREATH_MS = 100;

/**
 * Does it as soon as what it needs is there. Only what was not found is waited for and tried again: then nothing was
 * done yet. Everything else is told at once, with what was on the screen.
 */
export async function patiently<T>(
  link: Link,
  { place, target, timeoutMs = link.timeoutMs, said }: Wanted,
  work: (window: string | undefined, leftMs: number) => Promise<T>,
): Promise<T> {
  // The tools judge what is left of it.
  timeoutIn(said, { timeoutMs });
  const end = performance.now() + timeoutMs;
  const left = (): number => Math.max(0, Math.round(end - performance.now()));
  for (;;) {
    let window: string | undefined;
    try {
      window = await place.window(link);
      return await work(window, left());
    } catch (error) {
      const again = isMissing(error) && left() > 0 && (await comes(link, place, { target, window, timeoutMs: left() }));
      if (!again) throw await link.tell(error, { said: `${said}, after ${timeoutMs - left()} ms`, window });
    }
    await pause(Math.min(BREATH_MS, left()));
  }
}

export function isMissing(error: unknown): boolean {
  // What was closed by its ref does not come again.
  return error instanceof DesktopError && error.code === 'element_not_found' && error.retry === 'safe';
}

interface Awaited {
  target: string | undefined;
  /** Where the target was looked for; undefined as long as there is no such window. */
  window: string | undefined;
  timeoutMs: number;
}

/** Whether it came in time. */
async function comes(link: Link, place: Place, { target, window, timeoutMs }: Awaited): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  const wait = (until: object, within?: string): Promise<unknown> =>
    link.call('ui_wait', { until, window: within, timeoutMs: Math.max(0, Math.round(end - performance.now())) });
  try {
    if (place.comes) await wait(place.comes);
    if (target !== undefined && (window !== undefined || place.isEverywhere)) await wait({ exists: target }, window);
    return true;
  } catch (error) {
    // What was missing first is what has to be told.
    if (error instanceof DesktopError) return false;
    throw error;
  }
}
