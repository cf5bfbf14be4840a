import { DesktopError, type Deadline } from '../../shared/index.js';

/** The turn of one act. */
interface Turn {
  /**
   * Asks the user without the turn: other acts run meanwhile, as far as they may (`approval/open-questions.ts`). After
   * that the act gets its turn back before all acts that wait. `again` limits that wait.
   */
  ask<T>(session: string, question: () => Promise<T>, again: () => Deadline): Promise<T>;
  /** Gives the turn to others until no act asks the user any more, or none of this session. */
  waitForAnswers(deadline: Deadline, session?: string): Promise<void>;
}

/** Runs the acts on one desktop one after another: two at once would type into each other. Reads run in parallel. */
export class ActionQueue {
  private busy = false;
  /** Acts that wait for their turn. */
  private readonly waiting: (() => void)[] = [];
  /** The sessions of the acts that ask the user. An act stays here until it has its turn back. */
  private readonly asking = new Map<symbol, string>();
  private readonly onAnswer = new Set<() => void>();
  private inside = 0;

  /** Runs `work` after all earlier work. If the caller gives up while waiting, `work` never runs. */
  async run<T>(deadline: Deadline, work: (turn: Turn) => Promise<T>): Promise<T> {
    let holds = false;
    const take = async (within: Deadline, first: boolean): Promise<void> => {
      await this.take(within, first);
      holds = true;
    };
    const leave = (): void => {
      if (holds) this.pass();
      holds = false;
    };
    this.inside += 1;
    try {
      await take(deadline, false);
      return await work({
        ask: async (session, question, again) => {
          const key = Symbol(session);
          this.asking.set(key, session);
          leave();
          try {
            const answer = await question();
            await take(again(), true);
            return answer;
          } finally {
            this.asking.delete(key);
            for (const wake of [...this.onAnswer]) wake();
          }
        },
        waitForAnswers: async (within, session) => {
          within.throwIfOver('Waiting for an answer of the user');
          while (this.isAsking(session)) {
            leave();
            await this.nextAnswer(within);
            await take(within, true);
          }
        },
      });
    } finally {
      this.inside -= 1;
      leave();
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

  private async take(deadline: Deadline, first: boolean): Promise<void> {
    let granted = !this.busy;
    let grant!: () => void;
    const turn = new Promise<void>((resolve) => {
      grant = () => {
        granted = true;
        resolve();
      };
      if (granted) resolve();
      else if (first) this.waiting.unshift(grant);
      else this.waiting.push(grant);
    });
    this.busy = true;
    try {
      await deadline.race(turn, 'Waiting for its turn');
    } catch (error) {
      if (granted) this.pass();
      else this.waiting.splice(this.waiting.indexOf(grant), 1);
      throw this.waitedError(error);
    }
  }

  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.busy = false;
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
