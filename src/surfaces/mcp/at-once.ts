import { DesktopError } from '../../shared/index.js';

export const MOST_AT_ONCE = 16;

/** What one client has under way. It is bounded, since others share the desktop with it and have to find room there. */
export class AtOnce {
  private running = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MOST_AT_ONCE) {
      throw new DesktopError('rate_limited', `${MOST_AT_ONCE} calls of this client are under way already.`, {
        retry: 'after',
        retryAfter: 'one of them has ended',
      });
    }
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
