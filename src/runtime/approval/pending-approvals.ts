import { BoundedMap, isTooFast } from '../../shared/index.js';
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../policy/index.js';

/** `library`: the program that opened a private desktop answers for it. */
export type Channel = 'terminal' | 'inspector' | 'mcp' | 'library';
/** How a request was closed. `allowed` is not the end: the act uses the approval, or it becomes void. */
export type Closing =
  | { state: 'allowed'; scope: Scope; channel: Channel; answeredAt: number }
  | { state: 'denied'; channel: Channel; reason?: string }
  | { state: 'expired' | 'withdrawn' }
  | { state: 'void'; why: string };

/** A window or program that a request is about. */
export interface Place {
  id?: string;
  pid?: number | undefined;
  program?: string | undefined;
}

/** What the user is asked. `subjectHash` covers everything that the answer is bound to. */
export interface Subject {
  session: string;
  /** The connection through which the session came. A server over HTTP has many sessions behind one door. */
  door?: string;
  subjectHash: string;
  /** For the user: facts verified by the operating system and our own words first, then text from the screen. */
  shown: object;
  /** Other acts stay away from there while the request is open. */
  places?: readonly Place[];
  /** The widest scope that may be granted. */
  widest: Scope;
  /** The channels on which it may be answered. */
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
  /** How long the user had the request in view, if the channel reports it; less than the time since it was asked. */
  tookMs?: number;
  /** Absent: denied. */
  scope?: Scope;
  reason?: string;
}

/** The result of an answer: only `counted` closed the request. */
export type AnswerResult = 'counted' | 'already closed' | 'unknown question' | 'too fast' | 'not here' | 'too wide';

const WIDTH: Readonly<Record<Scope, number>> = { once: 0, session: 1, app: 2 };
const MAX_TOO_FAST = 3;
/** How many closed requests are remembered, so that a late answer gets the right result. */
const MAX_CLOSED = 200;
/** After this many requests in a row without an answer, a session has to wait; longer after each further one. */
const MAX_UNANSWERED = 2;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** How many requests of sessions that the user never answered may be open behind one door. */
const MAX_OPEN_OF_NEW_SESSIONS = 8;
const SESSION_ENDED = 'the session has ended';
/** How many sessions are remembered. It outlives a session, so that ending one does not reset the pause. */
const MAX_SESSIONS = 1_000;

interface Clock {
  now(): number;
  /** Calls `wake` after `ms`. Returns the function that cancels it. */
  after(ms: number, wake: () => void): () => void;
}

/** How many requests in a row were not answered, and when the last one was closed. */
interface Unanswered {
  count: number;
  since: number;
}

interface Entry {
  question: PendingApproval;
  close(closing: Closing): void;
  /** Channels that answered too fast for a person. They are closed for this request. */
  closedChannels: Set<Channel>;
}

/** The approval requests that wait for the user. The first valid answer closes a request. */
export class PendingApprovals {
  private readonly open = new Map<string, Entry>();
  private readonly closed = new BoundedMap<string, PendingApproval>(MAX_CLOSED);
  private readonly tooFast = new Map<string, number>();
  /** Requests in a row without an answer. */
  private readonly unanswered = new BoundedMap<string, Unanswered>(MAX_SESSIONS);
  /** The sessions of which the user has answered a request. */
  private readonly answered = new BoundedMap<string, true>(MAX_SESSIONS);
  /**
   * By door: requests in a row without an answer, of all sessions that the user never answered. A client that ends its
   * session and begins a new one after each request does not get around the pause.
   */
  private readonly ofNewSessions = new BoundedMap<string, Unanswered>(MAX_SESSIONS);
  /** The same for all sessions, and when requests were open last: from the first of them to the last. */
  private readonly ignored = { count: 0, openedAt: 0, closedAt: 0 };
  /** Sessions that the user has answered, other than by a form of the client itself. */
  private readonly answeredElsewhere = new Set<string>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly clock: Clock = systemClock) {}

  get all(): PendingApproval[] {
    return [...this.open.values()].map(({ question }) => question);
  }

  hasOpen(session: string): boolean {
    return this.all.some((question) => question.session === session);
  }

  /**
   * How long no session may ask, because requests on this desktop stay unanswered; 0 for a session that the user has
   * answered. A session is not an origin: a caller gets a new one by connecting again. So this does not depend on
   * sessions. Input of other callers waits while a request is open; after the second one it gets as much time as it lost.
   */
  desktopPauseMs(session: string): number {
    const { count, openedAt, closedAt } = this.ignored;
    if (this.answeredElsewhere.has(session) || count === 0) return 0;
    if (this.open.size > 0) return count + this.open.size < MAX_UNANSWERED ? 0 : FIRST_PAUSE_MS;
    if (count < MAX_UNANSWERED) return 0;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, closedAt - openedAt));
    return Math.max(0, closedAt + pause - this.clock.now());
  }

  /** How long this session may not ask, because the user did not answer its last requests, or those of new sessions. */
  pauseMs(session: string, door?: string): number {
    const own = this.pauseAfter(this.unanswered.get(session));
    if (door === undefined || this.answered.has(session)) return own;
    return Math.max(own, this.pauseAfter(this.ofNewSessions.get(door)));
  }

  /** Whether a new session has to wait because too many requests of other new sessions are open. */
  isCrowded(session: string, door: string | undefined): boolean {
    if (door === undefined || this.answered.has(session)) return false;
    const isNew = (one: PendingApproval): boolean => one.door === door && !this.answered.has(one.session);
    return this.all.filter(isNew).length >= MAX_OPEN_OF_NEW_SESSIONS;
  }

  /** An open request, or one that was closed recently. */
  known(id: string): PendingApproval | undefined {
    return this.open.get(id)?.question ?? this.closed.get(id);
  }

  /** Calls the listener whenever a request opens or closes. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** `closed` resolves when the request is closed, however that happens. `signal`: aborted when the caller is gone. */
  ask(request: Subject, signal?: AbortSignal): { question: PendingApproval; closed: Promise<Closing> } {
    const askedAt = this.clock.now();
    const id = randomBytes(16).toString('hex');
    if (this.open.size === 0) this.ignored.openedAt = askedAt;
    const question = { ...request, id, askedAt, expiresAt: askedAt + request.seconds * 1000 };
    const closed = new Promise<Closing>((resolve) => {
      const withdraw = (): void => this.close(id, { state: 'withdrawn' });
      const cancel = this.clock.after(request.seconds * 1000, () => this.close(id, { state: 'expired' }));
      const close = (closing: Closing): void => {
        cancel();
        signal?.removeEventListener('abort', withdraw);
        resolve(closing);
      };
      this.open.set(id, { question, close, closedChannels: new Set() });
      signal?.addEventListener('abort', withdraw, { once: true });
      if (signal?.aborted) withdraw();
    });
    this.notify();
    return { question, closed };
  }

  answer(id: string, { channel, scope, reason, tookMs = Infinity }: UserAnswer): AnswerResult {
    const entry = this.open.get(id);
    if (!entry) return this.closed.has(id) ? 'already closed' : 'unknown question';
    const { question, closedChannels: shut } = entry;
    const now = this.clock.now();
    if (now >= question.expiresAt) {
      this.close(id, { state: 'expired' });
      return 'already closed';
    }
    if (!question.channels.includes(channel) || shut.has(channel) || this.isShut(question.session, channel))
      return 'not here';
    if (channel === 'mcp' && isTooFast('mcp', Math.min(now - question.askedAt, tookMs))) {
      shut.add(channel);
      this.countTooFast(question.session);
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

  /** The facts of the request no longer hold: the policy, window or session changed, or everything was stopped. */
  void(why: string, which: (question: PendingApproval) => boolean = () => true): void {
    for (const { question } of [...this.open.values()])
      if (which(question)) this.close(question.id, { state: 'void', why });
  }

  /** Whether programs of this session answered for the user so often that the channel is no longer used. */
  isShut(session: string, channel: Channel): boolean {
    return channel === 'mcp' && (this.tooFast.get(session) ?? 0) >= MAX_TOO_FAST;
  }

  endSession(session: string): void {
    this.tooFast.delete(session);
    this.answeredElsewhere.delete(session);
    this.void(SESSION_ENDED, (question) => question.session === session);
  }

  private countTooFast(session: string): void {
    this.tooFast.set(session, (this.tooFast.get(session) ?? 0) + 1);
  }

  /**
   * A request that the caller withdraws, also by ending its session, counts too: otherwise it could ask again and again
   * for ever.
   */
  private countUnanswered({ session, door }: PendingApproval, closing: Closing): void {
    const { state } = closing;
    const isNew = !this.answered.has(session);
    if (state === 'allowed' || state === 'denied') {
      this.unanswered.delete(session);
      this.answered.set(session, true);
      if (isNew && door !== undefined) this.ofNewSessions.delete(door);
      return;
    }
    if (closing.state === 'void' && closing.why !== SESSION_ENDED) return;
    this.addTo(this.unanswered, session);
    if (isNew && door !== undefined) this.addTo(this.ofNewSessions, door);
  }

  private addTo(counts: BoundedMap<string, Unanswered>, key: string): void {
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, since: this.clock.now() });
  }

  private pauseAfter({ count, since }: Unanswered = { count: 0, since: 0 }): number {
    if (count < MAX_UNANSWERED) return 0;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - MAX_UNANSWERED));
    return Math.max(0, since + pause - this.clock.now());
  }

  /** A client that declines its own form late has held up others like one that does not answer. */
  private countIgnored({ session, askedAt }: PendingApproval, closing: Closing): void {
    const now = this.clock.now();
    this.ignored.closedAt = now;
    const isAnswer = closing.state === 'allowed' || closing.state === 'denied';
    if (isAnswer && closing.channel !== 'mcp') {
      this.ignored.count = 0;
      this.answeredElsewhere.add(session);
    } else if (closing.state !== 'allowed' && (!isAnswer || now - askedAt >= FIRST_PAUSE_MS)) this.ignored.count += 1;
  }

  /** The first answer wins: a closed request is no longer in the map. */
  private close(id: string, closing: Closing): void {
    const entry = this.open.get(id);
    if (!entry) return;
    this.open.delete(id);
    this.closed.set(id, entry.question);
    this.countUnanswered(entry.question, closing);
    this.countIgnored(entry.question, closing);
    entry.close(closing);
    this.notify();
  }

  private notify(): void {
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
