import type { Box } from '../../../tree/index.js';

/** A sign that something of what is remembered may be wrong. */
export type Notice =
  /** An event of this object. `children`: of what is in it. */
  | { type: 'event'; path: string; children: boolean }
  /** Pixels changed, in the coordinates that the toolkit reports. */
  | { type: 'drawn'; box: Box }
  /** Everything below this object may lie elsewhere, be shown or hidden. */
  | { type: 'laid out'; path: string }
  /** The window below this object was moved; places told since `since` may be from before or from after. */
  | { type: 'moved'; path: string; since: number }
  /** The window has another title. */
  | { type: 'title'; path: string }
  /** Anything may have happened in the window below this object. */
  | { type: 'window'; path: string }
  | { type: 'all' };

interface Heard {
  notice: Notice;
  at: number;
}

/** More than this many at once: nothing is trusted. */
const MOST = 256;

/**
 * Trees lag behind what is announced and drawn: Chromium lays out and tells bounds some 100 ms after its pixels
 * changed, without an event; other toolkits announce before they have finished. So a notice stays in force as long as
 * the toolkit may lag: until then every look reads anew what it touches, and the first look after that does so once
 * more.
 */
export class Notices {
  private readonly heard = new Map<string, Heard>();
  /** Told for the last time. */
  private readonly over = new Map<string, Notice>();

  constructor(private readonly lagMs: number) {}

  get empty(): boolean {
    return this.heard.size === 0;
  }

  add(notice: Notice, at: number): void {
    const key = keyOf(notice);
    if (this.heard.size >= MOST && !this.heard.has(key)) {
      this.heard.clear();
      this.heard.set('all', { notice: { type: 'all' }, at });
      return;
    }
    this.heard.set(key, { notice, at });
  }

  /** Those that hold now; what was in force long enough is told for the last time. */
  take(now: number): Notice[] {
    const taken: Notice[] = [];
    for (const [key, { notice, at }] of this.heard) {
      taken.push(notice);
      if (now - at < this.lagMs) continue;
      this.heard.delete(key);
      if (at === -Infinity) continue;
      if (this.over.size < MOST) this.over.set(key, notice);
      else this.over.set('all', { type: 'all' });
    }
    return taken;
  }

  /** What was told for the last time is told once more: something may have been later still. */
  onceMore(): void {
    for (const [key, notice] of this.over) if (!this.heard.has(key)) this.heard.set(key, { notice, at: -Infinity });
    this.over.clear();
  }

  /** All of them, each as often as it is asked. */
  *now(): Generator<Notice> {
    for (const { notice } of this.heard.values()) yield notice;
  }

  clear(): void {
    this.heard.clear();
    this.over.clear();
  }
}

function keyOf(notice: Notice): string {
  switch (notice.type) {
    case 'drawn': {
      const { x, y, width, height } = notice.box;
      return `${x} ${y} ${width} ${height}`;
    }
    case 'event':
      return `${notice.children ? 'children' : 'event'} ${notice.path}`;
    case 'laid out':
    case 'moved':
    case 'title':
    case 'window':
      return `${notice.type} ${notice.path}`;
    case 'all':
      return 'all';
  }
}
