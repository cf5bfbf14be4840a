import type { AskedQuestion, CallAnswer, HostClient, RequestOptions } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { type ApprovalAnswer, type ApprovalQuestion, questionFor, spoken } from './approval.js';

export interface LinkOptions {
  /** Whose grants and questions its calls are: one `openDesktop` is one session. */
  session: string;
  timeoutMs: number;
  approve?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** Makes of a failure what people read. */
  explain: (error: DesktopError, context: FailedCall) => Promise<DesktopError>;
}

/** What is known of a call that failed. */
export interface FailedCall {
  /** As it was written: `locator('button:Save').click()`. */
  said: string;
  /** Where to look for what went wrong. */
  window?: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A limit for the call as a whole, instead of the tool's own. */
  timeoutMs?: number;
}

/** The connection of one opened desktop: every call of the library goes through here to the host, as any other does. */
export class Link {
  private readonly over = new AbortController();
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

  /** Text and JSON of one tool call. Failures are as the host tells them; `tell` makes them readable. */
  async call(tool: string, args: object, { signal, timeoutMs }: CallOptions = {}): Promise<Required<CallAnswer>> {
    await this.settled();
    const { approve } = this.options;
    const onItem = (item: unknown): void => {
      const { question } = item as { question?: AskedQuestion };
      if (question && approve) void this.answer(question, approve);
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
    const signal = options.signal ? AbortSignal.any([options.signal, this.over.signal]) : this.over.signal;
    return this.host.request<T>(what, params, { ...options, signal }).catch((error: unknown) => {
      throw this.closed ?? error;
    });
  }

  /** Whatever is begun after it waits for it: what listens must hear what comes next. */
  await(work: Promise<unknown>): void {
    const quiet = work.catch(() => undefined); // Whoever made it tells what is wrong with it.
    this.pending.add(quiet);
    void quiet.finally(() => this.pending.delete(quiet));
  }

  /** The failure with all that helps to understand it. */
  tell(error: unknown, context: FailedCall): Promise<DesktopError> {
    if (!(error instanceof DesktopError)) throw error;
    return this.options.explain(error, context);
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  close(): void {
    this.closed ??= new DesktopError('cancelled', 'The desktop was closed.', {
      retry: 'no',
      hint: 'Open another one: openDesktop()',
    });
    this.over.abort();
    this.host.close();
  }

  private async settled(): Promise<void> {
    if (this.pending.size > 0) await Promise.all(this.pending);
  }

  private async answer(question: AskedQuestion, approve: NonNullable<LinkOptions['approve']>): Promise<void> {
    let said: ReturnType<typeof spoken> = {};
    try {
      said = spoken(await approve(questionFor(question)), question.widest);
    } catch {
      // Whoever should decide could not: that is no yes. The act fails with `approval_denied`.
    }
    // It may have been answered elsewhere, or have ended: then nothing is left to say.
    await this.request('answer', { id: question.id, channel: 'library', ...said }).catch(() => undefined);
  }
}

/** Keeps this process alive until what it answers is called: what is waited for may do nothing in it meanwhile. */
export function hold(): () => void {
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
}

/** Keeps it alive for as long as somebody waits. */
export function holding<T>(waited: Promise<T>): Promise<T> {
  return waited.finally(hold());
}
