import type { Box } from '../../../tree/index.js';

/** A sign that something of what is remembered may be wrong. */
export type Invalidation =
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

interface PendingInvalidation {
  invalidation: Invalidation;
  at: number;
}

/** More than this many at once: nothing is trusted. */
const MAX_PENDING = 256;

/**
 * Trees lag behind what is announced and drawn: Chromium lays out and tells bounds some 100 ms after its pixels
 * changed, without an event; other toolkits announce before they have finished. So a notice stays in force as long as
 * the toolkit may lag: until then every look reads anew what it touches, and the first look after that does so once
 * more.
 */
export class Invalidations {
  private readonly pending = new Map<string, PendingInvalidation>();
  /** Told for the last time. */
  private readonly expired = new Map<string, Invalidation>();

  constructor(private readonly lagMs: number) {}

  get empty(): boolean {
    return this.pending.size === 0;
  }

  add(invalidation: Invalidation, at: number): void {
    const key = keyOf(invalidation);
    if (this.pending.size >= MAX_PENDING && !this.pending.has(key)) {
      this.pending.clear();
      this.pending.set('all', { invalidation: { type: 'all' }, at });
      return;
    }
    this.pending.set(key, { invalidation, at });
  }

  /** Those that hold now; what was in force long enough is told for the last time. */
  take(now: number): Invalidation[] {
    const taken: Invalidation[] = [];
    for (const [key, { invalidation, at }] of this.pending) {
      taken.push(invalidation);
      if (now - at < this.lagMs) continue;
      this.pending.delete(key);
      if (at === -Infinity) continue;
      if (this.expired.size < MAX_PENDING) this.expired.set(key, invalidation);
      else this.expired.set('all', { type: 'all' });
    }
    return taken;
  }

  /** What was told for the last time is told once more: something may have been later still. */
  restoreExpired(): void {
    for (const [key, invalidation] of this.expired)
      if (!this.pending.has(key)) this.pending.set(key, { invalidation, at: -Infinity });
    this.expired.clear();
  }

  /** All of them, each as often as it is asked. */
  *active(): Generator<Invalidation> {
    for (const { invalidation } of this.pending.values()) yield invalidation;
  }

  clear(): void {
    this.pending.clear();
    this.expired.clear();
  }
}

function keyOf(invalidation: Invalidation): string {
  switch (invalidation.type) {
    case 'drawn': {
      const { x, y, width, height } = invalidation.box;
      return `${x} ${y} ${width} ${height}`;
    }
    case 'event':
      return `${invalidation.children ? 'children' : 'event'} ${invalidation.path}`;
    case 'laid out':
    case 'moved':
    case 'title':
    case 'window':
      return `${invalidation.type} ${invalidation.path}`;
    case 'all':
      return 'all';
  }
}
