import { DesktopError, type ErrorChanges, type ErrorOptions } from '../../shared/index.js';
import type { Target } from '../locate/target.js';

/** Ends the act. The message already reports what was delivered, and no stage adds to it or retries. */
export class FinalActError extends DesktopError {
  /** A driver adds the delivery to an error of a check that runs in the middle of an act. */
  override with(changes: ErrorChanges): FinalActError {
    const { code, message, ...options } = super.with(changes).toJSON();
    return new FinalActError(code, message, { ...options, cause: changes.cause ?? this.cause });
  }
}

interface OutdatedOptions extends Pick<ErrorOptions, 'hint'> {
  /** Controls that a press would have activated and that policy has not evaluated. */
  controls?: readonly Target[];
}

/**
 * The plan no longer fits what is on the screen, and nothing was delivered. The act starts again with a new plan; the
 * caller gets this error only if there is no time left for that.
 */
export class PlanOutdatedError extends DesktopError {
  readonly controls: readonly Target[];

  constructor(message: string, { hint, controls = [] }: OutdatedOptions) {
    super('target_changed', message, { retry: 'safe', ...(hint !== undefined && { hint }) });
    this.controls = controls;
  }
}

/** Nothing was delivered, because the user is asked about another act. The act waits for the answer and starts again. */
export class HeldError extends DesktopError {
  constructor(options: ErrorOptions = {}) {
    super('not_ready', 'The user is asked about another act, and this one could interfere with the answer.', {
      ...{ retry: 'after', retryAfter: 'the user has answered' },
      hint: 'Wait until the user has answered.',
      ...options,
    });
  }

  override with(changes: ErrorChanges): HeldError {
    const { code: _, message: __, ...options } = super.with(changes).toJSON();
    return new HeldError({ ...options, cause: changes.cause ?? this.cause });
  }
}
