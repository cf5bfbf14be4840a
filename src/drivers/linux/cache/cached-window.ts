import { sameBox, type Point } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import type { AppLink } from '../atspi/app-connection.js';
import { touches } from '../atspi/accessible.js';
import type { WalkOptions } from '../atspi/walk.js';
import type { WindowTree } from '../read/window-tree.js';
import type { XWindow } from '../x11/index.js';

/** A window that can not be watched is never taken for unchanged for longer than this. */
export const UNWATCHED_MS = 250;
/** How soon what is remembered is compared with the app again, as long as that was not done. */
export const FIRST_CHECK_MS = 15_000;
/** Kinds of reads of one window whose last answer is kept. */
const MAX_ANSWERS = 4;

/** What is known of who would tell of a change. */
export interface Watching {
  /** Everything that this window draws is told, at least while it is not covered. */
  attends(window: string): boolean;
  /** Covered windows tell what they draw, too. */
  readonly seesCovered: boolean;
}

export interface CachedAnswer {
  answer: ReadAnswer;
  options: WalkOptions;
  /** Of the app's memory. */
  version: number;
  /** All that the answer depends on besides the app's tree, in words. */
  windowState: string;
}

/** A window that was read through its app's memory, and how it was seen last. */
export class CachedWindow {
  readonly link: AppLink;
  /** Path of the app's own object for it. */
  readonly top: string;
  /** When what is remembered of it was last forgotten as a whole. */
  private invalidatedAt: number;
  private unwatched: boolean;
  private window: XWindow;
  private seenAt: number;
  /** From what its app reports to the screen. */
  shift: Point;
  readonly answers = new Map<string, CachedAnswer>();
  /** What was asked for by the last look, and how often it was read without one since that was of use. */
  lastOptions?: WalkOptions;
  refreshes = 0;
  checkedAt = -Infinity;
  /** How long after a check none is needed. */
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
    this.answers.delete(kind);
    this.answers.set(kind, answer);
    const oldest = this.answers.keys().next();
    if (this.answers.size > MAX_ANSWERS && !oldest.done) this.answers.delete(oldest.value);
  }

  /** As the window system sees it now: what follows from that for what is remembered. */
  reconcile(window: XWindow, unwatched: boolean, now: number): void {
    const { memory: cache, toolkit } = this.link;
    const before = this.window;
    // What happened in a time of doubt was not told.
    if (unwatched ? now - this.invalidatedAt > UNWATCHED_MS : this.unwatched) {
      cache.invalidateWindow(this.top);
      this.invalidatedAt = now;
    }
    this.unwatched = unwatched;
    if (!sameShape(before, window)) cache.notice({ type: 'laid out', path: this.top }, now);
    else if (!sameBox(before.client, window.client) && toolkit.coordinates === 'screen') this.move(window, now);
    if (before.title !== window.title) cache.notice({ type: 'title', path: this.top }, now);
    this.window = window;
    this.seenAt = now;
  }

  /** The app itself hears of the move some time before or after we do. */
  private move({ client }: XWindow, now: number): void {
    const { memory: cache, toolkit } = this.link;
    // LibreOffice's places are put right by comparing them with each other: all from the same moment, or none.
    if (toolkit.name === 'libreoffice') return cache.notice({ type: 'laid out', path: this.top }, now);
    const by = { x: client.x - this.window.client.x, y: client.y - this.window.client.y };
    cache.shiftBounds(this.top, by, this.seenAt - toolkit.lagMs);
  }
}

/** Whether something could change in this window without anybody telling. `windows` from front to back. */
export function isUnwatched(
  window: XWindow,
  windows: readonly XWindow[],
  watching: Watching,
  toolkit: AppLink['toolkit'],
): boolean {
  if (window.placeless || window.minimised || !window.visible || !watching.attends(window.id)) return true;
  // GTK 4 does not draw while it is covered.
  if (watching.seesCovered && toolkit.name !== 'gtk4') return false;
  const above = windows.slice(0, windows.indexOf(window));
  return above.some((other) => other.visible && !other.minimised && touches(other.bounds, window.bounds));
}

/** Where it is does not matter here. */
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
