import { debug } from '../../../shared/index.js';
import type { AppConnection } from '../atspi/app-connection.js';
import type { CachedWindow } from './cached-window.js';

/**
 * Limit of refreshes until a snapshot is answered from the cache. Refreshing is useless if something always changes in
 * between (a blinking caret), so it does not continue forever.
 */
const MAX_REFRESHES = 6;
/** A timer may fire slightly before an invalidation expires. */
const TIMER_MARGIN_MS = 5;
/** After this time the windows are read once more: a tree may lag longer than its toolkit usually does. */
const LAST_REFRESH_MS = 1_000;

/**
 * While an invalidation is active, every snapshot reads the affected objects again, and so does the first snapshot
 * after it. This last read runs in the background when the app is idle, so that the next snapshot is answered from the
 * cache. Only windows that were requested before are refreshed, and not while their app is active.
 */
export class BackgroundRefresh {
  private readonly timers = new Map<AppConnection, { timer: NodeJS.Timeout; last: boolean }>();
  private closed = false;

  constructor(
    private readonly windows: () => Iterable<[string, CachedWindow]>,
    private readonly read: (id: string, window: CachedWindow) => Promise<void>,
  ) {}

  /** Call this when something happened in this app, or when invalidations are still active. */
  onActivity(link: AppConnection): void {
    const waiting = this.timers.get(link);
    if (waiting && !waiting.last) return void waiting.timer.refresh();
    clearTimeout(waiting?.timer);
    this.schedule(link, link.toolkit.lagMs + TIMER_MARGIN_MS, false);
  }

  close(): void {
    this.closed = true;
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private schedule(link: AppConnection, ms: number, last: boolean): void {
    if (this.closed) return;
    const rested = (): void => {
      this.timers.delete(link);
      if (last) link.cache.recheckExpired();
      else this.schedule(link, LAST_REFRESH_MS, true);
      void this.refreshWindows(link);
    };
    this.timers.set(link, { timer: setTimeout(rested, ms).unref(), last });
  }

  private async refreshWindows(link: AppConnection): Promise<void> {
    for (const [id, window] of [...this.windows()]) {
      if (this.closed || window.link !== link || window.refreshes >= MAX_REFRESHES) continue;
      window.refreshes += 1;
      try {
        await this.read(id, window);
      } catch (error) {
        // The app hangs or has ended. The next read reports it.
        debug('cache', () => `${id} was not refreshed: ${String(error)}`);
        return;
      }
    }
  }
}
