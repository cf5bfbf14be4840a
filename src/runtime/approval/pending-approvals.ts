import { READING_MS } from '../../shared/index.js';
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../policy/index.js';

/** `library`: the program that opened a private desktop answers for it. */
export type Channel = 'terminal' | 'inspector' | 'mcp' | 'library';
/** How a question ended. `allowed` is not the end: the act it was asked for uses it, or it becomes void. */
export type Closing =
  | { state: 'allowed'; scope: Scope; channel: Channel; answeredAt: number }
  | { state: 'denied'; channel: Channel; reason?: string }
  | { state: 'expired' | 'withdrawn' }
  | { state: 'void'; why: string };

/** What a person is asked, with everything that the answer is bound to in `subjectHash`. */
export interface Subject {
  session: string;
  subjectHash: string;
  /** For people: facts that the operating system vouches for and our own words; then text from the screen. */
  shown: object;
  /** The widest answer that may be given. */
  widest: Scope;
  /** Where it may be answered. */
  channels: readonly Channel[];
  seconds: number;
}

export interface PendingApproval extends Subject {
  readonly id: string;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export interface UserAnswer {
  channel: Channel;
  /** How long whoever answers had it before them, if they say so; less than since it was asked. */
  tookMs?: number;
  /** No scope is a no. */
  scope?: Scope;
  reason?: string;
}

/** What became of an answer: only `counted` closed the question. */
export type Taken = 'counted' | 'already closed' | 'unknown question' | 'too fast' | 'not here' | 'too wide';

const WIDTH: Readonly<Record<Scope, number>> = { once: 0, session: 1, app: 2 };
const MOST_TOO_FAST = 3;
/** Closed ones whose id is still known, so that a late answer hears the truth. */
const CLOSED_KEPT = 200;

interface Clock {
  now(): number;
  /** Calls back after so long; the answer takes it back. */
  after(ms: number, wake: () => void): () => void;
}

interface Entry {
  question: PendingApproval;
  close(closing: Closing): void;
  /** Channels that answered too fast to be a person: for this question they are shut. */
  shut: Set<Channel>;
}

/** The questions that wait for a person. Each exists once and is closed by the first valid answer. */
export class PendingApprovals {
  private readonly open = new Map<string, Entry>();
  private readonly closed = new Map<string, PendingApproval>();
  private readonly tooFast = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: Clock = systemClock) {}

  get all(): PendingApproval[] {
    return [...this.open.values()].map(({ question }) => question);
  }

  /** An open one, or one that was closed not long ago. */
  known(id: string): PendingApproval | undefined {
    return this.open.get(id)?.question ?? this.closed.get(id);
  }

  /** Told whenever a question opens or closes; the answer ends it. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when it is closed, in whatever way. `signal`: whoever asked has gone. */
  ask(request: Subject, signal?: AbortSignal): { question: PendingApproval; closed: Promise<Closing> } {
    const askedAt = this.clock.now();
    const id = randomBytes(16).toString('hex');
    const question = { ...request, id, askedAt, expiresAt: askedAt + request.seconds * 1000 };
    const closed = new Promise<Closing>((resolve) => {
      const withdraw = (): void => this.close(id, { state: 'withdrawn' });
      const cancel = this.clock.after(request.seconds * 1000, () => this.close(id, { state: 'expired' }));
      const close = (closing: Closing): void => {
        cancel();
        signal?.removeEventListener('abort', withdraw);
        resolve(closing);
      };
      this.open.set(id, { question, close, shut: new Set() });
      signal?.addEventListener('abort', withdraw, { once: true });
      if (signal?.aborted) withdraw();
    });
    this.tell();
    return { question, closed };
  }

  answer(id: string, { channel, scope, reason, tookMs = Infinity }: UserAnswer): Taken {
    const entry = this.open.get(id);
    if (!entry) return this.closed.has(id) ? 'already closed' : 'unknown question';
    const { question, shut } = entry;
    const now = this.clock.now();
    if (now >= question.expiresAt) {
      this.close(id, { state: 'expired' });
      return 'already closed';
    }
    if (!question.channels.includes(channel) || shut.has(channel) || this.isShut(question.session, channel))
      return 'not here';
    if (channel === 'mcp' && Math.min(now - question.askedAt, tookMs) < READING_MS) {
      shut.add(channel);
      this.count(question.session);
      return 'too fast';
    }
    if (scope === undefined) {
      this.close(id, { state: 'denied', channel, ...(reason !== undefined && { reason }) });
      return 'counted';
    }
    if (WIDTH[scope] > WIDTH[question.widest]) return 'too wide';
    this.close(id, { state: 'allowed', scope, channel, answeredAt: now });
    return 'counted';
  }

  /** What was asked no longer holds: policy, window, session or stop. */
  void(why: string, which: (question: PendingApproval) => boolean = () => true): void {
    for (const { question } of [...this.open.values()])
      if (which(question)) this.close(question.id, { state: 'void', why });
  }

  /** Whether a session's programs answered for people so often that they are not asked any more. */
  isShut(session: string, channel: Channel): boolean {
    return channel === 'mcp' && (this.tooFast.get(session) ?? 0) >= MOST_TOO_FAST;
  }

  endSession(session: string): void {
    this.tooFast.delete(session);
    this.void('the session has ended', (question) => question.session === session);
  }

  private count(session: string): void {
    this.tooFast.set(session, (this.tooFast.get(session) ?? 0) + 1);
  }

  /** The first one wins: what is closed is not in the map any more. */
  private close(id: string, closing: Closing): void {
    const entry = this.open.get(id);
    if (!entry) return;
    this.open.delete(id);
    this.closed.set(id, entry.question);
    for (const oldest of this.closed.keys()) {
      if (this.closed.size <= CLOSED_KEPT) break;
      this.closed.delete(oldest);
    }
    entry.close(closing);
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};
