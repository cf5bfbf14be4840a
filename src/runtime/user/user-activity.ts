import type { Driver, UserInputEvents, UserInputKind } from '../../drivers/contract/index.js';
import { debug, type Deadline } from '../../shared/index.js';

/** So long without their input means that they have let go. */
export const QUIET_MS = 1_500;
/** So long after the last call an agent still counts as being at work: models think between two calls. */
const AT_WORK_MS = 60_000;

/** What a person did in one go: pauses in it are shorter than `QUIET_MS`. */
export interface Use {
  readonly kinds: ReadonlySet<UserInputKind>;
  /** Of the clock of `performance`. */
  readonly last: number;
}

export interface UserActivityListener {
  /** They have taken mouse or keyboard. */
  pause(kind: UserInputKind): void;
  /** They have let go. */
  resume(): void;
  /** They want everything to end. */
  stop(): void;
  /** Nobody can tell any more whether they are there. */
  lost(reason: string): void;
}

/** The person at the same mouse and keyboard. Watched while an agent is at work, from its first act on. */
export class UserActivity {
  private use?: { kinds: Set<UserInputKind>; last: number };
  private watch?: { ready: Promise<void>; end: AbortController };
  private lostWhy?: string;
  private atWork?: NodeJS.Timeout;
  private lettingGo?: NodeJS.Timeout;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly driver: Driver,
    private readonly told: UserActivityListener,
    /** At a seat of their own they may have been busy before anyone watched. */
    private readonly ownSeat: boolean,
  ) {}

  /** Why nobody watches although somebody should; undefined while all is well, or nothing was done yet. */
  get unwatched(): string | undefined {
    return this.lostWhy;
  }

  get busy(): boolean {
    return this.use !== undefined && performance.now() - this.use.last < QUIET_MS;
  }

  /** Their last use; of one that goes on, more may be added. */
  get lastUse(): Use | undefined {
    return this.use;
  }

  /** Begins to watch. Resolves when their input is noticed, or when it is known that it cannot be. */
  async watched(deadline: Deadline): Promise<void> {
    if (!this.driver.humans) return;
    this.watch ??= this.begin();
    this.noteAgentActivity();
    await deadline.race(this.watch.ready, 'Listening to mouse and keyboard');
  }

  /** A call was made: the watch, if there is one, goes on. */
  noteAgentActivity(): void {
    if (!this.watch) return;
    clearTimeout(this.atWork);
    this.atWork = setTimeout(() => this.end(), AT_WORK_MS).unref();
  }

  /** At each input of theirs; the answer ends it. */
  onUse(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** True when they have let go; false when that cannot be so before the deadline. */
  async quiet(deadline: Deadline): Promise<boolean> {
    while (this.use && this.busy) {
      const left = this.use.last + QUIET_MS - performance.now();
      if (deadline.remaining() <= left) return false;
      await this.pause(left, deadline);
    }
    return true;
  }

  end(): void {
    clearTimeout(this.atWork);
    clearTimeout(this.lettingGo);
    this.watch?.end.abort();
    this.watch = undefined;
  }

  private begin(): { ready: Promise<void>; end: AbortController } {
    const end = new AbortController();
    const events = this.driver.humans!({ signal: end.signal, ...(this.ownSeat && { recentMs: QUIET_MS }) });
    void this.hear(events, end);
    // What was told at the very beginning has been heard a moment later.
    const ready = events.ready.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return {
      end,
      ready: ready.then(() => {
        if (this.watch?.end === end) this.lostWhy = undefined;
      }),
    };
  }

  private async hear(events: UserInputEvents, end: AbortController): Promise<void> {
    for await (const event of events) {
      if (event.type === 'human') this.heard(event.kind, event.at);
      else this.lose(event.reason, end);
    }
  }

  private heard(kind: UserInputKind, at: number): void {
    if (kind === 'stop') return this.told.stop();
    const last = performance.now() - Math.max(0, Date.now() - at);
    if (this.use && this.busy) {
      this.use.kinds.add(kind);
      this.use.last = last;
    } else {
      if (this.lettingGo) this.letGo();
      this.use = { kinds: new Set([kind]), last };
      this.told.pause(kind);
    }
    this.lettingGo ??= this.letGoSoon();
    for (const listener of [...this.listeners]) listener();
  }

  private letGoSoon(): NodeJS.Timeout {
    const left = this.use!.last + QUIET_MS - performance.now();
    return setTimeout(
      () => {
        if (this.busy) this.lettingGo = this.letGoSoon();
        else this.letGo();
      },
      Math.max(1, Math.ceil(left)),
    ).unref();
  }

  private letGo(): void {
    clearTimeout(this.lettingGo);
    this.lettingGo = undefined;
    this.told.resume();
  }

  private lose(reason: string, end: AbortController): void {
    if (this.watch?.end === end) this.watch = undefined;
    debug('runtime', () => `the person is not watched: ${reason}`);
    const before = this.lostWhy;
    this.lostWhy = reason;
    if (before === undefined) this.told.lost(reason);
  }

  private async pause(ms: number, deadline: Deadline): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const sleep = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.ceil(ms))));
      await deadline.race(sleep, 'Waiting for the person');
    } finally {
      clearTimeout(timer);
    }
  }
}
