import { Deadline, DesktopError } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';

const CHECK_MS = 2_000;
/** They quote nothing, and some of them must be heard at once. */
const PLAIN: ReadonlySet<string> = new Set(['cancelled', 'bad_arguments', 'rate_limited', 'audit_unavailable']);

/**
 * A failure as it may be told: it quotes what was seen, and a window may have turned into a hidden one since `state`. Then
 * what went wrong is said, and no word of where.
 */
export async function unveiled(desktop: Desktop, state: number, error: unknown): Promise<unknown> {
  if (!(error instanceof DesktopError) || PLAIN.has(error.code)) return error;
  let why = 'A window turned into one that the policy hides while this was tried.';
  try {
    await desktop.listWindows(Deadline.in(CHECK_MS));
    if (desktop.veil.state === state) return error;
  } catch (failure) {
    // Titles that cannot be read now may be any.
    if (!(failure instanceof DesktopError)) throw failure;
    why = 'It failed, and the titles of windows cannot be read now: no more may be told.';
  }
  const { code, delivered, retry, retryAfter, details } = error;
  return new DesktopError(code, why, {
    ...{ delivered, retry, retryAfter },
    hint: 'look again: ui_snapshot.',
    ...(typeof details?.person === 'string' && { details: { person: details.person } }),
  });
}
