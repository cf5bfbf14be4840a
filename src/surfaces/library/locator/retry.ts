import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, type ErrorCode } from '../../../shared/index.js';
import { readTimeout } from '../check-options.js';
import type { Link } from '../link.js';
import type { Timeout } from '../options.js';
import type { SearchScope } from './search-scope.js';

/** What a call needs, and how long it may wait for it. */
interface RetryTarget {
  scope: SearchScope;
  /** Selector of the element that must exist. */
  target?: string;
  timeoutMs?: number;
  /** The call as source code, for errors. */
  expression: string;
}

/** Pause between two attempts when the host reports an element as present but does not find it. */
const RETRY_PAUSE_MS = 100;

/**
 * Runs a call as soon as its element exists. Only "not found" is retried, because then nothing was done yet. Any other
 * error is reported at once with a snapshot.
 */
export async function retryUntilFound<T>(
  link: Link,
  { scope, target, timeoutMs = link.timeoutMs, expression }: RetryTarget,
  work: (window: string | undefined, leftMs: number) => Promise<T>,
): Promise<T> {
  // Checked here, because the tools only get the remaining time.
  readTimeout(expression, { timeoutMs });
  const end = performance.now() + timeoutMs;
  const left = (): number => Math.max(0, Math.round(end - performance.now()));
  for (;;) {
    let window: string | undefined;
    try {
      window = await scope.window(link);
      return await work(window, left());
    } catch (error) {
      const again =
        isMissing(error) && left() > 0 && (await waitUntilPresent(link, scope, { target, window, timeoutMs: left() }));
      if (!again)
        throw await link.explain(error, { expression: `${expression}, after ${timeoutMs - left()} ms`, window });
    }
    await pause(Math.min(RETRY_PAUSE_MS, left()));
  }
}

export function isMissing(error: unknown): boolean {
  // An element that is gone by its ref does not come back.
  return error instanceof DesktopError && error.code === 'element_not_found' && error.retry === 'safe';
}

interface Missing {
  target: string | undefined;
  /** The window that was searched. Undefined while it does not exist. */
  window: string | undefined;
  timeoutMs: number;
}

/** Waits for window and element. Returns whether they came in time. */
async function waitUntilPresent(
  link: Link,
  scope: SearchScope,
  { target, window, timeoutMs }: Missing,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  const wait = (until: object, within?: string): Promise<unknown> =>
    link.call('ui_wait', { until, window: within, timeoutMs: Math.max(0, Math.round(end - performance.now())) });
  try {
    if (scope.appearsCondition) await wait(scope.appearsCondition);
    if (target !== undefined && (window !== undefined || scope.isEverywhere)) await wait({ exists: target }, window);
    return true;
  } catch (error) {
    // The caller reports the original error.
    if (error instanceof DesktopError) return false;
    throw error;
  }
}

interface AssertionOptions extends Timeout {
  /** The assertion as source code, for errors. */
  expression: string;
  /** The mismatch of the last attempt. */
  why?: () => string;
}

const CHECK_INTERVAL_MS = 150;

/** Repeats a check until it holds. An element that is missing or ambiguous may be unique at the next attempt. */
export async function retryUntilTrue(
  link: Link,
  { expression, timeoutMs = link.timeoutMs, why }: AssertionOptions,
  check: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  try {
    for (;;) {
      const found = await check().catch(rethrowUnlessRetryable);
      if (found === true) return;
      const left = Math.round(end - performance.now());
      if (left <= 0) throw assertionError(expression, timeoutMs, found === false ? (why?.() ?? '') : found);
      await pause(Math.min(CHECK_INTERVAL_MS, left));
    }
  } catch (error) {
    throw await link.explain(error, { expression });
  }
}

const RETRYABLE: readonly ErrorCode[] = ['element_not_found', 'ambiguous_target', 'verify_failed'];

function rethrowUnlessRetryable(error: unknown): DesktopError {
  if (error instanceof DesktopError && RETRYABLE.includes(error.code)) return error;
  throw error;
}

/** The error for an assertion that never held: `verify_failed`, or `ambiguous_target` if several elements matched. */
export function assertionError(expression: string, timeoutMs: number, why: string | DesktopError): DesktopError {
  const reason = typeof why === 'string' ? why : withoutCondition(why.message);
  const message =
    `${expression} does not hold after ${timeoutMs} ms${/^[a-z]/.test(reason) ? ':' : '.'} ${reason}`.trim();
  if (typeof why === 'string') return new DesktopError('verify_failed', message);
  const { code, hint } = why;
  const details = why.details && { ...why.details, ...withoutDuplicates(why.details) };
  if (code === 'ambiguous_target') return new DesktopError(code, message, { hint, details, cause: why });
  return new DesktopError('verify_failed', message, { details, cause: why });
}

/** A condition with several parts lists the same candidates once per part. */
function withoutDuplicates(details: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(details).filter(([key]) => key === 'candidates' || key === 'nearest');
  return Object.fromEntries(
    lists.map(([key, list]) => [key, [...new Map((list as { ref: string }[]).map((one) => [one.ref, one])).values()]]),
  );
}

/** Removes the generated condition from the message, because the user wrote a different expression. */
function withoutCondition(message: string): string {
  return /^\{.*? (?:does not hold|is not known)(?: now| after \d+ ms)?: (.*)$/s.exec(message)?.[1] ?? message;
}
