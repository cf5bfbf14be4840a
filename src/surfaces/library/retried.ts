import { DesktopError, type ErrorCode } from '../../shared/index.js';
import type { Link } from './link.js';
import type { Timeout } from './options.js';

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
