import { BoundedMap } from '../../../shared/index.js';
import { sameBox, type Point } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import type { AppConnection } from '../atspi/app-connection.js';
import { touches } from '../atspi/accessible.js';
import type { WalkOptions } from '../atspi/walk.js';
import type { WindowTree } from '../read/window-tree.js';
import type { XWindow } from '../x11/windows/window.js';

/** The cached content of a window that cannot be watched expires after this time. */
export const UNWATCHED_MS = 250;
/** Interval until the first comparison of the cache with the app. */
export const FIRST_CHECK_MS = 15_000;
/** Number of different reads of one window whose last answer is cached. */
const MAX_ANSWERS = 4;

/** Which changes of windows are reported to us. */
export interface ChangeSource {
  /** Whether all redraws of this window are reported, at least while it is not covered. */
  attends(window: string): boolean;
  /** Whether redraws of covered windows are reported too. */
  readonly seesCovered: boolean;
}

export interface CachedAnswer {
  answer: ReadAnswer;
  options: WalkOptions;
  /** Version of the app's cache. */
  version: number;
  /** Everything else that the answer depends on, as text. */
  windowState: string;
}

/** A window that was read through its app's cache, and its last known state. */
export class CachedWindow {
  readonly link: AppConnection;
  /** Path of the app's top-level object for it. */
  readonly top: string;
  /** When the whole window was last invalidated. */
  private invalidatedAt: number;
  private unwatched: boolean;
  private window: XWindow;
  private seenAt: number;
  /** Offset from the app's coordinates to the screen. */
  shift: Point;
  readonly answers = new BoundedMap<string, CachedAnswer>(MAX_ANSWERS);
  /** Options of the last snapshot, and how many background refreshes ran since a cached answer was last used. */
  lastOptions?: WalkOptions;
  refreshes = 0;
  checkedAt = -Infinity;
  /** No check is needed for this long after a check. */
  checkIntervalMs = FIRST_CHECK_MS;

  constructor({ window, calls, topLevel, place }: WindowTree, unwatched: boolean, now: number) {
    this.link = calls.app;
    this.top = topLevel.address[1];
    this.window = window;
    this.shift = place.shift;
    this.invalidatedAt = now;
    this.seenAt = now;
    this.unwatched = unwatched;
  }

  isFor({ calls, topLevel }: WindowTree): boolean {
    return this.link === calls.app && this.top === topLevel.address[1];
  }

  store(kind: string, answer: CachedAnswer): void {
    this.answers.set(kind, answer);
  }

  /** Compares the window with its last known state and invalidates what has changed. */
  reconcile(window: XWindow, unwatched: boolean, now: number): void {
    const { cache: cache, toolkit } = this.link;
    const before = this.window;
    // Changes during an unwatched period were not reported.
    if (unwatched ? now - this.invalidatedAt > UNWATCHED_MS : this.unwatched) {
      cache.invalidateWindow(this.top);
      this.invalidatedAt = now;
    }
    this.unwatched = unwatched;
    if (!sameShape(before, window)) cache.invalidate({ type: 'layout', path: this.top }, now);
    else if (!sameBox(before.client, window.client) && toolkit.coordinates === 'screen') this.move(window, now);
    if (before.title !== window.title) cache.invalidate({ type: 'title', path: this.top }, now);
    this.window = window;
    this.seenAt = now;
  }

  /** The app is notified of the move shortly before or after us. */
  private move({ client }: XWindow, now: number): void {
    const { cache: cache, toolkit } = this.link;
    // LibreOffice's bounds are corrected by comparing them with each other, so all of them must come from the same
    // moment.
    if (toolkit.name === 'libreoffice') return cache.invalidate({ type: 'layout', path: this.top }, now);
    const by = { x: client.x - this.window.client.x, y: client.y - this.window.client.y };
    cache.shiftBounds(this.top, by, this.seenAt - toolkit.lagMs);
  }
}

/** Whether the window could change without a report to us. `windows` are ordered from front to back. */
export function isUnwatched(
  window: XWindow,
  windows: readonly XWindow[],
  watching: ChangeSource,
  toolkit: AppConnection['toolkit'],
): boolean {
  if (window.placeless || window.minimised || !window.visible || !watching.attends(window.id)) return true;
  // GTK 4 does not draw while it is covered.
  if (watching.seesCovered && toolkit.name !== 'gtk4') return false;
  const inFront = windows.slice(0, windows.indexOf(window));
  return inFront.some((other) => other.visible && !other.minimised && touches(other.bounds, window.bounds));
}

/** Position is ignored here. */
function sameShape(a: XWindow, b: XWindow): boolean {
  return (
    a.client.width === b.client.width &&
    a.client.height === b.client.height &&
    a.visible === b.visible &&
    a.minimised === b.minimised &&
    a.maximised === b.maximised &&
    a.fullscreen === b.fullscreen
  );
}
