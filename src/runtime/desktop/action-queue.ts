import { DesktopError, type Deadline } from '../../shared/index.js';

/** Runs the acts on one desktop one after another: two at once would type into each other. Reads run in parallel. */
export class ActionQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Runs `work` after all earlier work. If the caller gives up while waiting, `work` never runs. */
  async run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    const before = this.last;
    let done!: () => void;
    this.last = new Promise<void>((resolve) => (done = resolve));
    this.waiting += 1;
    try {
      await this.comes(before, deadline);
      return await work();
    } finally {
      this.waiting -= 1;
      // Later callers also wait for the work before ours, even if we gave up waiting for it.
      void before.then(done);
    }
  }

  private async comes(before: Promise<unknown>, deadline: Deadline): Promise<void> {
    try {
      await deadline.race(before, 'Waiting for its turn');
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code !== 'timeout') throw error;
      const others = this.waiting - 1;
      if (others === 0) throw error;
      const what = others === 1 ? 'Another act was' : `${others} other acts were`;
      throw new DesktopError('timeout', `${what} under way or waiting the whole time.`, {
        hint: 'wait until they are done, then try again.',
        cause: error,
      });
    }
  }
}
