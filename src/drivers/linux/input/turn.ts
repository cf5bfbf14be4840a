import { Deadline, DesktopError, type Delivered } from '../../../shared/index.js';

/** One act of the hands, from its beginning to its end: how long it may take, and what has gone out so far. */
export class Turn {
  readonly deadline: Deadline;
  /** `unknown` from the moment that something is sent until the server has dealt with it. */
  delivered: Delivered = 'no';
  /** For the error, should there be one. */
  details: Record<string, unknown> = {};

  constructor(
    readonly what: string,
    deadline: Deadline,
    released: AbortSignal,
  ) {
    const signal = deadline.signal ? AbortSignal.any([deadline.signal, released]) : released;
    this.deadline = Deadline.in(deadline.remaining(), signal);
  }

  check(): void {
    this.deadline.throwIfOver(this.what);
  }

  race<T>(work: Promise<T>): Promise<T> {
    return this.deadline.race(work, this.what);
  }

  async sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same failure, with the truth about what went out. */
  failure(error: unknown): unknown {
    if (!(error instanceof DesktopError) || (this.delivered === 'no' && Object.keys(this.details).length === 0)) {
      return error;
    }
    const { hint, retryAfter } = error;
    return new DesktopError(error.code, error.message, {
      ...(hint !== undefined && { hint }),
      ...(this.delivered === 'no' && { retry: error.retry, ...(retryAfter !== undefined && { retryAfter }) }),
      delivered: this.delivered,
      details: { ...error.details, ...this.details },
      cause: error,
    });
  }
}
