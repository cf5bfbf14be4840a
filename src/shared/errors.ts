/** Every way a call can fail. The set is closed: surfaces, docs and exit codes are derived from it. */
export const ERROR_CODES = [
  'element_not_found',
  'stale_ref',
  'command_failed',
  'timeout',
  'ambiguous_target',
  'target_changed',
  'not_ready',
  'pattern_unsupported',
  'app_hung',
  'process_gone',
  'policy_denied',
  'approval_denied',
  'approval_timeout',
  'approval_required',
  'rate_limited',
  'verify_failed',
  'bad_arguments',
  'selector_syntax',
  'not_supported',
  'driver_unavailable',
  'permission_missing',
  'audit_unavailable',
  'cancelled',
] as const;

/** One of them. */
export type ErrorCode = (typeof ERROR_CODES)[number];
/** Whether an act reached the app. `unknown`: look before it is done again. */
export type Delivered = 'no' | 'yes' | 'unknown';
/** Whether the same call may be made again: at once, never, or after something else. */
export type Retry = 'safe' | 'no' | 'after';

export interface ErrorOptions {
  /** What to do next, one sentence of ours; never screen text. */
  hint?: string;
  /** Defaults to `safe` for what was not delivered. */
  retry?: Retry;
  /** What to wait for when `retry` is `after`: "after closing w5". */
  retryAfter?: string;
  delivered?: Delivered;
  details?: Record<string, unknown>;
  cause?: unknown;
}

export interface ErrorJson {
  code: ErrorCode;
  message: string;
  hint?: string;
  retry: Retry;
  retryAfter?: string;
  delivered: Delivered;
  details?: Record<string, unknown>;
}

/** Something that a caller may have meant. Its name comes from an app: data. */
export interface ErrorCandidate {
  /** `e12`: can be used as a target at once. */
  ref: string;
  role: string;
  name?: string;
  /** Ref of the window it is in. */
  window?: string;
  /** Finds this one alone. */
  selector?: string;
  /** Why it is named, in our words. */
  note?: string;
}

/** The one error of the house. Native words (D-Bus, X, COM) stay in `details` and `cause`. */
export class DesktopError extends Error {
  readonly code: ErrorCode;
  readonly hint?: string;
  readonly retry: Retry;
  readonly retryAfter?: string;
  readonly delivered: Delivered;
  readonly details?: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DesktopError';
    this.code = code;
    this.delivered = options.delivered ?? 'no';
    this.retry = options.retry ?? (this.delivered === 'no' ? 'safe' : 'no');
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.details !== undefined) this.details = options.details;
  }

  /** What was found instead of one match: all that fit, or the nearest where none did. */
  get candidates(): ErrorCandidate[] | undefined {
    const { candidates, nearest } = this.details ?? {};
    const given = [candidates, nearest].find((list) => Array.isArray(list) && list.length > 0);
    return given as ErrorCandidate[] | undefined;
  }

  toJSON(): ErrorJson {
    const { code, message, hint, retry, retryAfter, delivered, details } = this;
    return { code, message, hint, retry, retryAfter, delivered, details };
  }

  static fromJSON(json: ErrorJson): DesktopError {
    return new DesktopError(json.code, json.message, json);
  }
}

const REFUSED: ReadonlySet<ErrorCode> = new Set([
  'policy_denied',
  'approval_denied',
  'approval_timeout',
  'approval_required',
  'rate_limited',
]);
const WRONG_USAGE: ReadonlySet<ErrorCode> = new Set(['bad_arguments', 'selector_syntax']);

/** 1 failed, 2 wrong usage, 3 refused by policy or person. */
export function exitCodeOf(code: ErrorCode): 1 | 2 | 3 {
  if (REFUSED.has(code)) return 3;
  return WRONG_USAGE.has(code) ? 2 : 1;
}
