import type { Driver, UserInputEvents, UserInputKind } from '../../drivers/contract/index.js';
import { debug, type Deadline } from '../../shared/index.js';

/** Without input for this long, the user counts as idle. */
export const USER_IDLE_MS = 1_500;
/** For this long after the last call the agent counts as active: models think between two calls. */
const AGENT_ACTIVE_MS = 60_000;

/** One period of user input: pauses in it are shorter than `USER_IDLE_MS`. */
export interface InputPeriod {
  readonly kinds: ReadonlySet<UserInputKind>;
  /** On the clock of `performance`. */
  readonly last: number;
}

export interface UserActivityListener {
  /** The user has taken the mouse or keyboard. */
  pause(kind: UserInputKind): void;
  /** The user is idle again. */
  resume(): void;
  /** The user wants everything to stop. */
  stop(): void;
  /** User input can no longer be detected. */
  lost(reason: string): void;
}

/** The user's own mouse and keyboard input. Watched while an agent is active, from its first act on. */
export class UserActivity {
  private period?: { kinds: Set<UserInputKind>; last: number };
  private watch?: { ready: Promise<void>; end: AbortController };
  private lostReason?: string;
  private agentTimer?: NodeJS.Timeout;
  private idleTimer?: NodeJS.Timeout;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly driver: Driver,
    private readonly listener: UserActivityListener,
    /** On the user's own desktop the user may have been active before the watch began. */
    private readonly isUserDesktop: boolean,
  ) {}

  /** Why user input cannot be detected; undefined while it can be, or before the first act. */
  get undetectedReason(): string | undefined {
    return this.lostReason;
  }

  get busy(): boolean {
    return this.period !== undefined && performance.now() - this.period.last < USER_IDLE_MS;
  }

  /** The last period of user input; a current one may still grow. */
  get lastPeriod(): InputPeriod | undefined {
    return this.period;
  }

  /** Starts watching. Resolves when user input is detected from now on, or when it is known that it cannot be. */
  async startWatching(deadline: Deadline): Promise<void> {
    if (!this.driver.userInput) return;
    this.watch ??= this.begin();
    this.noteAgentActivity();
    await deadline.race(this.watch.ready, 'Listening to mouse and keyboard');
  }

  /** A call was made: a running watch continues. */
  noteAgentActivity(): void {
    if (!this.watch) return;
    clearTimeout(this.agentTimer);
    this.agentTimer = setTimeout(() => this.end(), AGENT_ACTIVE_MS).unref();
  }

  /** Calls the listener for each user input. Returns the function that unsubscribes. */
  onInput(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** True when the user is idle; false if that cannot happen before the deadline. */
  async waitUntilIdle(deadline: Deadline): Promise<boolean> {
    while (this.period && this.busy) {
      const left = this.period.last + USER_IDLE_MS - performance.now();
      if (deadline.remaining() <= left) return false;
      await this.pause(left, deadline);
    }
    return true;
  }

  end(): void {
    clearTimeout(this.agentTimer);
    clearTimeout(this.idleTimer);
    this.watch?.end.abort();
    this.watch = undefined;
  }

  private begin(): { ready: Promise<void>; end: AbortController } {
    const end = new AbortController();
    const events = this.driver.userInput!({
      signal: end.signal,
      ...(this.isUserDesktop && { recentMs: USER_IDLE_MS }),
    });
    void this.readEvents(events, end);
    // Events that were queued at the start are handled in the next turn of the event loop.
    const ready = events.ready.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return {
      end,
      ready: ready.then(() => {
        if (this.watch?.end === end) this.lostReason = undefined;
      }),
    };
  }

  private async readEvents(events: UserInputEvents, end: AbortController): Promise<void> {
    for await (const event of events) {
      if (event.type === 'userInput') this.noteInput(event.kind, event.at);
      else this.reportLost(event.reason, end);
    }
  }

  private noteInput(kind: UserInputKind, at: number): void {
    if (kind === 'stop') return this.listener.stop();
    const last = performance.now() - Math.max(0, Date.now() - at);
    if (this.period && this.busy) {
      this.period.kinds.add(kind);
      this.period.last = last;
    } else {
      if (this.idleTimer) this.reportIdle();
      this.period = { kinds: new Set([kind]), last };
      this.listener.pause(kind);
    }
    this.idleTimer ??= this.scheduleIdleCheck();
    for (const listener of [...this.listeners]) listener();
  }

  private scheduleIdleCheck(): NodeJS.Timeout {
    const left = this.period!.last + USER_IDLE_MS - performance.now();
    return setTimeout(
      () => {
        if (this.busy) this.idleTimer = this.scheduleIdleCheck();
        else this.reportIdle();
      },
      Math.max(1, Math.ceil(left)),
    ).unref();
  }

  private reportIdle(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = undefined;
    this.listener.resume();
  }

  private reportLost(reason: string, end: AbortController): void {
    if (this.watch?.end === end) this.watch = undefined;
    debug('runtime', () => `user input is not watched: ${reason}`);
    const before = this.lostReason;
    this.lostReason = reason;
    if (before === undefined) this.listener.lost(reason);
  }

  private async pause(ms: number, deadline: Deadline): Promise<void> {
    await deadline.sleep(Math.ceil(ms), 'Waiting for the user');
  }
}
