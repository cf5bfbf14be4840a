import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, type ErrorCode } from '../../../shared/index.js';
import { timeoutIn } from '../check-options.js';
import type { Link } from '../link.js';
import type { Timeout } from '../options.js';
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

interface Retry extends Timeout {
  /** As it was written, for errors. */
  said: string;
  /** What was wrong the last time. */
  why?: () => string;
}

const AGAIN_MS = 150;

/** Again and again until it is so. What is not there, or there more than once, may be there alone the next time. */
export async function retried(
  link: Link,
  { said, timeoutMs = link.timeoutMs, why }: Retry,
  check: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  try {
    for (;;) {
      const found = await check().catch(notYet);
      if (found === true) return;
      const left = Math.round(end - performance.now());
      if (left <= 0) throw neverSo(said, timeoutMs, found === false ? (why?.() ?? '') : found);
      await new Promise((resolve) => setTimeout(resolve, Math.min(AGAIN_MS, left)));
    }
  } catch (error) {
    throw await link.tell(error, { said });
  }
}

const NOT_YET: readonly ErrorCode[] = ['element_not_found', 'ambiguous_target', 'verify_failed'];

function notYet(error: unknown): DesktopError {
  if (error instanceof DesktopError && NOT_YET.includes(error.code)) return error;
  throw error;
}

/** What was expected did not become so, whatever was in the way; unless nobody can say of which of several. */
export function neverSo(said: string, timeoutMs: number, why: string | DesktopError): DesktopError {
  const reason = typeof why === 'string' ? why : reasonIn(why.message);
  const message = `${said} does not hold after ${timeoutMs} ms${/^[a-z]/.test(reason) ? ':' : '.'} ${reason}`.trim();
  if (typeof why === 'string') return new DesktopError('verify_failed', message);
  const { code, hint } = why;
  const details = why.details && { ...why.details, ...eachOnce(why.details) };
  if (code === 'ambiguous_target') return new DesktopError(code, message, { hint, details, cause: why });
  return new DesktopError('verify_failed', message, { details, cause: why });
}

/** A condition of several parts about the same element names for each of them what may be meant. */
function eachOnce(details: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(details).filter(([key]) => key === 'candidates' || key === 'nearest');
  return Object.fromEntries(
    lists.map(([key, list]) => [key, [...new Map((list as { ref: string }[]).map((one) => [one.ref, one])).values()]]),
  );
}

/** Without the condition that was made here of what somebody wrote. */
function reasonIn(message: string): string {
  return /^\{.*? (?:does not hold|is not known)(?: now| after \d+ ms)?: (.*)$/s.exec(message)?.[1] ?? message;
}
