/** What an error code means to the code that handles it. Test it with `hasTrait`. */
interface ErrorTraits {
  /** Exit code of the command line: 1 failed, 2 wrong usage, 3 refused by the policy or the user. */
  exit: 1 | 2 | 3;
  /** The policy, a limit or the user refused the call. Always exit code 3. */
  refusal?: true;
  /** The call itself is wrong. Always exit code 2. */
  usage?: true;
  /** Polling again cannot help: a wait ends at once. */
  final?: true;
  /** The target may still appear or become ready: worth waiting for. */
  transient?: true;
  /** The target that the call resolved is no longer the same element. */
  targetLost?: true;
  /** The window, element or process does not exist (any more). */
  gone?: true;
  /** The app did not answer in time; its windows still exist. */
  appSilent?: true;
  /** The call ended early, so input that was sent before may have arrived. */
  cutShort?: true;
  /** Its messages must not quote screen content: errors with this code skip redaction. */
  contentFree?: true;
  /** Nothing on the screen explains the failure: a snapshot would not help. */
  offScreen?: true;
  /** The failure says nothing about the app: the caller cancelled, or Deskproof itself cannot go on. */
  ownFault?: true;
}

/** A trait that `hasTrait` can test. */
export type ErrorTrait = Exclude<keyof ErrorTraits, 'exit'>;

/**
 * Every way a call can fail, with its meaning. The set is closed: a new code is one entry here. Surfaces, docs and exit
 * codes are derived from it. Code that groups errors by meaning should use a trait and not a list of its own.
 */
const TRAITS = {
  element_not_found: { exit: 1, transient: true, gone: true },
  stale_ref: { exit: 1, targetLost: true },
  command_failed: { exit: 1 },
  timeout: { exit: 1, appSilent: true, cutShort: true },
  ambiguous_target: { exit: 1 },
  target_changed: { exit: 1, targetLost: true },
  not_ready: { exit: 1, transient: true },
  pattern_unsupported: { exit: 1 },
  app_hung: { exit: 1, appSilent: true },
  process_gone: { exit: 1, gone: true },
  policy_denied: { exit: 3, refusal: true, final: true },
  approval_denied: { exit: 3, refusal: true },
  approval_timeout: { exit: 3, refusal: true },
  approval_required: { exit: 3, refusal: true },
  rate_limited: { exit: 3, refusal: true, contentFree: true, offScreen: true },
  verify_failed: { exit: 1 },
  bad_arguments: { exit: 2, usage: true, final: true, contentFree: true, offScreen: true },
  // Not `contentFree`: it always went through redaction, although its message quotes only the selector.
  selector_syntax: { exit: 2, usage: true, final: true, offScreen: true },
  not_supported: { exit: 1, final: true },
  driver_unavailable: { exit: 1, offScreen: true, ownFault: true },
  permission_missing: { exit: 1, final: true, offScreen: true, ownFault: true },
  audit_unavailable: { exit: 1, contentFree: true, offScreen: true, ownFault: true },
  cancelled: { exit: 1, final: true, cutShort: true, contentFree: true, offScreen: true, ownFault: true },
} as const satisfies Readonly<Record<string, ErrorTraits>>;

/** What went wrong, as a word that callers can rely on. */
export type ErrorCode = keyof typeof TRAITS;
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(TRAITS) as ErrorCode[];

/** Whether an act reached the app. `unknown`: take a snapshot before repeating it. */
export type Delivered = 'no' | 'yes' | 'unknown';
/** Whether the same call may be repeated: at once, never, or after something else. */
export type Retry = 'safe' | 'no' | 'after';

export interface ErrorOptions {
  /** What to do next: a full sentence of our own, never screen text. */
  hint?: string;
  /** Default: `safe` if not delivered, else `no`. */
  retry?: Retry;
  /** What to wait for when `retry` is `after`: "after closing w5". */
  retryAfter?: string;
  delivered?: Delivered;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** What `DesktopError.with` can change. */
export interface ErrorChanges extends ErrorOptions {
  code?: ErrorCode;
  message?: string;
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

/** An element that the caller may have meant. Its name comes from an app: treat it as data. */
export interface ErrorCandidate {
  /** `e12`: can be used as a target directly. */
  ref: string;
  role: string;
  name?: string;
  /** Ref of its window. */
  window?: string;
  /** Matches only this element. */
  selector?: string;
  /** Why it is listed, in our own words. */
  note?: string;
}

/** The only error class of Deskproof. Native messages (D-Bus, X, COM) stay in `details` and `cause`. */
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

  /**
   * A copy with changes. `undefined` removes an optional value and keeps a required one. A copy that may have been
   * delivered loses `retry: 'safe'` unless `changes` names its own `retry`.
   */
  with(changes: ErrorChanges): DesktopError {
    const { hint, retryAfter, details, cause } = this;
    const delivered = changes.delivered ?? this.delivered;
    const isUnsafe = this.retry === 'safe' && delivered !== this.delivered && delivered !== 'no';
    const retry = changes.retry ?? (isUnsafe ? 'no' : this.retry);
    const options = { hint, retryAfter, details, cause, ...changes, delivered, retry };
    return new DesktopError(changes.code ?? this.code, changes.message ?? this.message, options);
  }

  /** The elements found instead of a single match: all matches, or the nearest elements if there were none. */
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

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(TRAITS, code);

// A host of another version may send a code that is not in the table.
const traitsOf = (code: string): ErrorTraits => (isKnown(code) ? TRAITS[code] : { exit: 1 });

/** Whether `error` is a DesktopError whose code has at least one of `traits`. */
export function hasTrait(error: DesktopError, ...traits: readonly ErrorTrait[]): boolean;
// Not for a DesktopError: there a false answer would narrow the type to never.
export function hasTrait(error: unknown, ...traits: readonly ErrorTrait[]): error is DesktopError;
export function hasTrait(error: unknown, ...traits: readonly ErrorTrait[]): boolean {
  if (!(error instanceof DesktopError)) return false;
  const own = traitsOf(error.code);
  return traits.some((trait) => own[trait] === true);
}

/** Exit code of the command line: 1 failed, 2 wrong usage, 3 refused by the policy or the user. */
export function exitCodeOf(code: ErrorCode): 1 | 2 | 3 {
  return traitsOf(code).exit;
}
