import { DesktopError, type Deadline } from '../../shared/index.js';

/** The turn of one act. */
export interface Turn {
  /**
   * Asks the user without the turn: other acts run meanwhile, as far as they may (`approval/open-questions.ts`). After
   * that the act gets its turn back before all acts that wait. `again` limits that wait.
   */
  ask<T>(session: string, question: () => Promise<T>, again: () => Deadline): Promise<T>;
  /** Gives the turn to others until no act asks the user any more, or none of this session. */
  waitForAnswers(deadline: Deadline, session?: string): Promise<void>;
  /**
   * Gives the turn to other callers during a wait that reads and does nothing. If the deadline ends first, it returns
   * without the turn: the act must not go on.
   */
  yieldDuring(wait: () => Promise<void>, deadline: Deadline): Promise<void>;
  /** Gives the turn to other callers for good. Returns a function that says whether one of them has acted since. */
  release(): () => boolean;
}

/** One act in the queue. */
interface Entry {
  lane: string | symbol;
  holds: boolean;
}

interface Waiter {
  entry: Entry;
  grant: () => void;
}

/**
 * Runs the acts on one desktop one after another: two at once would type into each other. Reads run in parallel.
 *
 * Callers are served in rotation, so that one with many acts does not hold up the others. The acts of one caller (one
 * lane) run in the order of their calls, and each of them ends before the next begins. An act that only waits, for its
 * target or its post-condition, gives the turn to other lanes.
 */
export class ActionQueue {
  private busy = false;
  /** Acts that had a turn and get it back before all others. */
  private readonly returning: Waiter[] = [];
  /** Acts that wait for their turn. The first lane is served next. */
  private readonly lanes = new Map<Entry['lane'], Waiter[]>();
  /** The act of a lane that has begun and not ended. While it asks the user, or waits for answers, it is not here. */
  private readonly current = new Map<Entry['lane'], Entry>();
  /** The sessions of the acts that ask the user. An act stays here until it has its turn back. */
  private readonly asking = new Map<symbol, string>();
  private readonly onAnswer = new Set<() => void>();
  private inside = 0;
  private turns = 0;

  /**
   * Runs `work` after all earlier work of the same lane. If the caller gives up while waiting, `work` never runs. Without
   * a lane, the work is not ordered with any other.
   */
  async run<T>(deadline: Deadline, work: (turn: Turn) => Promise<T>, lane?: string): Promise<T> {
    const entry: Entry = { lane: lane ?? Symbol('lane'), holds: false };
    const stepAside = (): void => {
      this.endCurrent(entry);
      this.leave(entry);
    };
    let counted = true;
    const uncount = (): void => {
      if (counted) this.inside -= 1;
      counted = false;
    };
    this.inside += 1;
    try {
      await this.take(entry, deadline, 'new');
      return await work({
        ask: async (session, question, again) => {
          const key = Symbol(session);
          this.asking.set(key, session);
          stepAside();
          try {
            const answer = await question();
            await this.take(entry, again(), 'returning');
            return answer;
          } finally {
            this.asking.delete(key);
            for (const wake of [...this.onAnswer]) wake();
          }
        },
        waitForAnswers: async (within, session) => {
          within.throwIfOver('Waiting for an answer of the user');
          while (this.isAsking(session)) {
            stepAside();
            await this.nextAnswer(within);
            await this.take(entry, within, 'returning');
          }
        },
        yieldDuring: async (wait, within) => {
          this.leave(entry);
          await wait();
          if (within.over && !within.signal?.aborted) return;
          await this.take(entry, within, 'current').catch((error: unknown) => {
            if (!within.over || within.signal?.aborted) throw error;
          });
        },
        release: () => {
          const { turns } = this;
          uncount();
          this.leave(entry);
          return () => this.turns > turns;
        },
      });
    } finally {
      uncount();
      stepAside();
    }
  }

  private isAsking(session: string | undefined): boolean {
    return session === undefined ? this.asking.size > 0 : [...this.asking.values()].includes(session);
  }

  private async nextAnswer(deadline: Deadline): Promise<void> {
    let wake!: () => void;
    const change = new Promise<void>((resolve) => this.onAnswer.add((wake = resolve)));
    try {
      await deadline.race(change, 'Waiting for an answer of the user');
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code !== 'timeout') throw error;
      throw heldError(error);
    } finally {
      this.onAnswer.delete(wake);
    }
  }

  /** `current`: an act that waited for its target. It is served in rotation, before later acts of its lane. */
  private async take(entry: Entry, deadline: Deadline, as: 'new' | 'current' | 'returning'): Promise<void> {
    let grant!: () => void;
    const turn = new Promise<void>((resolve) => (grant = resolve));
    const waiter = { entry, grant };
    const list = as === 'returning' ? this.returning : this.laneOf(entry);
    if (as === 'current') list.unshift(waiter);
    else list.push(waiter);
    this.serve();
    try {
      await deadline.race(turn, 'Waiting for its turn');
    } catch (error) {
      if (list.includes(waiter)) list.splice(list.indexOf(waiter), 1);
      if (this.lanes.get(entry.lane)?.length === 0) this.lanes.delete(entry.lane);
      this.leave(entry);
      throw this.waitedError(error);
    }
  }

  private laneOf({ lane }: Entry): Waiter[] {
    const list = this.lanes.get(lane) ?? [];
    this.lanes.set(lane, list);
    return list;
  }

  /** Gives the turn to the next act, if it is free. */
  private serve(): void {
    if (this.busy) return;
    const next = this.returning.shift() ?? this.nextInRotation();
    if (!next) return;
    const { entry, grant } = next;
    this.busy = true;
    this.turns += 1;
    entry.holds = true;
    if (!this.current.has(entry.lane)) this.current.set(entry.lane, entry);
    grant();
  }

  private nextInRotation(): Waiter | undefined {
    for (const [lane, list] of this.lanes) {
      const current = this.current.get(lane);
      const at = current ? list.findIndex(({ entry }) => entry === current) : 0;
      if (at < 0) continue;
      const [next] = list.splice(at, 1);
      // The lane goes to the end of the rotation.
      this.lanes.delete(lane);
      if (list.length > 0) this.lanes.set(lane, list);
      return next;
    }
    return undefined;
  }

  private leave(entry: Entry): void {
    if (entry.holds) this.busy = false;
    entry.holds = false;
    this.serve();
  }

  private endCurrent(entry: Entry): void {
    if (this.current.get(entry.lane) === entry) this.current.delete(entry.lane);
  }

  private waitedError(error: unknown): unknown {
    const others = this.inside - 1;
    if (!(error instanceof DesktopError) || error.code !== 'timeout' || others === 0) return error;
    const what = others === 1 ? 'Another act was' : `${others} other acts were`;
    return new DesktopError('timeout', `${what} under way or waiting the whole time.`, {
      hint: 'wait until they are done, then try again.',
      cause: error,
    });
  }
}

function heldError(cause: unknown): DesktopError {
  return new DesktopError('timeout', 'The user was asked about another act the whole time.', {
    ...{ retry: 'after', retryAfter: 'the user has answered' },
    hint: 'Until then, acts go on only by pattern (method "pattern"), and not in terminals, browsers and the app in question.',
    cause,
  });
}
