import { debug } from '../../../shared/index.js';
import type { AppLink } from '../atspi/app-connection.js';
import type { CachedWindow } from './cached-window.js';

/**
 * So often until a look finds all of it remembered: what is of no use, because something always happens in between (a
 * caret that blinks), is not done for ever.
 */
const MAX_REFRESHES = 6;
/** A timer may come a moment too soon for a notice to be over. */
const TIMER_MARGIN_MS = 5;
/** After that all of it is read once more: a tree may lag behind by more than its toolkit usually does. */
const LAST_REFRESH_MS = 1_000;

/**
 * While a notice is in force, what it touches is read anew by every look, and once more by the first look after that.
 * That last read needs nobody to wait for it: it is done when the app has come to rest, so that the next look finds
 * all of it remembered. Only windows that somebody looks at are read, and an app that does not rest is left alone.
 */
export class BackgroundRefresh {
  private readonly timers = new Map<AppLink, { timer: NodeJS.Timeout; last: boolean }>();
  private closed = false;

  constructor(
    private readonly windows: () => Iterable<[string, CachedWindow]>,
    private readonly read: (id: string, window: CachedWindow) => Promise<void>,
  ) {}

  /** Something happened in this app, or is still in force. */
  onActivity(link: AppLink): void {
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

  private schedule(link: AppLink, ms: number, last: boolean): void {
    if (this.closed) return;
    const rested = (): void => {
      this.timers.delete(link);
      if (last) link.memory.recheckExpired();
      else this.schedule(link, LAST_REFRESH_MS, true);
      void this.refreshWindows(link);
    };
    this.timers.set(link, { timer: setTimeout(rested, ms).unref(), last });
  }

  private async refreshWindows(link: AppLink): Promise<void> {
    for (const [id, window] of [...this.windows()]) {
      if (this.closed || window.link !== link || window.refreshes >= MAX_REFRESHES) continue;
      window.refreshes += 1;
      try {
        await this.read(id, window);
      } catch (error) {
        // The app hangs or has ended: whoever looks next is told.
        debug('warm', () => `${id} was not read again: ${String(error)}`);
        return;
      }
    }
  }
}
