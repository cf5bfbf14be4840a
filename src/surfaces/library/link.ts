import type { PendingQuestion, CallAnswer, HostClient, RequestOptions } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { type ApprovalAnswer, type ApprovalQuestion, toApprovalQuestion, toHostAnswer } from './approval.js';

interface LinkOptions {
  /** Owner of the grants and approval requests of its calls. Each `openDesktop` is one session. */
  session: string;
  timeoutMs: number;
  approve?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** Turns an error into one that a developer can understand. */
  explain: (error: DesktopError, context: FailedCall) => Promise<DesktopError>;
}

/** Describes a call that failed. */
export interface FailedCall {
  /** The call as source code: `locator('button:Save').click()`. */
  expression: string;
  /** The window to take a snapshot of. */
  window?: string;
}

interface CallOptions {
  signal?: AbortSignal;
  /** Limit for the whole call, instead of the tool's own. */
  timeoutMs?: number;
}

/** The host connection of one open desktop. Every call of the library goes through it. */
export class Link {
  private readonly closing = new AbortController();
  private readonly pending = new Set<Promise<unknown>>();
  private closed: DesktopError | undefined;

  constructor(
    private readonly host: HostClient,
    private readonly options: LinkOptions,
  ) {
    host.keepAlive(false);
  }

  get timeoutMs(): number {
    return this.options.timeoutMs;
  }

  get caller(): string {
    return `library:${this.options.session}`;
  }

  /**
   * Calls a tool and returns text and JSON. Errors are passed on as the host reports them; `explain` makes them
   * readable.
   */
  async call(tool: string, args: object, { signal, timeoutMs }: CallOptions = {}): Promise<Required<CallAnswer>> {
    await this.waitForPending();
    const { approve } = this.options;
    const onItem = (item: unknown): void => {
      const { question } = item as { question?: PendingQuestion };
      if (question && approve) void this.answerApproval(question, approve);
    };
    const request = {
      ...{ tool, args, want: 'both', caller: this.caller },
      ...(approve && { asks: 'library' }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    return this.request<Required<CallAnswer>>('call', request, { onItem, ...(signal && { signal }) });
  }

  request<T>(what: string, params: object = {}, options: RequestOptions = {}): Promise<T> {
    if (this.closed) return Promise.reject(this.closed);
    const signal = options.signal ? AbortSignal.any([options.signal, this.closing.signal]) : this.closing.signal;
    return this.host.request<T>(what, params, { ...options, signal }).catch((error: unknown) => {
      throw this.closed ?? error;
    });
  }

  /** Delays later calls until the work is done. Event streams use it, so that they miss no event of a later call. */
  holdCallsUntil(work: Promise<unknown>): void {
    const quiet = work.catch(() => undefined); // The caller that started the work reports its error.
    this.pending.add(quiet);
    void quiet.finally(() => this.pending.delete(quiet));
  }

  /** Returns the error with everything that helps to understand it. */
  explain(error: unknown, context: FailedCall): Promise<DesktopError> {
    if (!(error instanceof DesktopError)) throw error;
    return this.options.explain(error, context);
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  close(): void {
    this.closed ??= new DesktopError('cancelled', 'The desktop was closed.', {
      retry: 'no',
      hint: 'Call openDesktop() to open another one.',
    });
    this.closing.abort();
    this.host.close();
  }

  private async waitForPending(): Promise<void> {
    if (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async answerApproval(question: PendingQuestion, approve: NonNullable<LinkOptions['approve']>): Promise<void> {
    let expression: ReturnType<typeof toHostAnswer> = {};
    try {
      expression = toHostAnswer(await approve(toApprovalQuestion(question)), question.widest);
    } catch {
      // No answer is not an approval: the act fails with `approval_denied`.
    }
    // The request may have been answered elsewhere or have expired.
    await this.request('answer', { id: question.id, channel: 'library', ...expression }).catch(() => undefined);
  }
}

/**
 * Keeps this process alive until the returned function is called. Needed because a wait may leave nothing pending in
 * this process.
 */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
}

/** Keeps this process alive until the promise settles. */
export function keepAliveWhile<T>(waited: Promise<T>): Promise<T> {
  return waited.finally(keepProcessAlive());
}
