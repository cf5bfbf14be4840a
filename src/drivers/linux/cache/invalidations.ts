import type { Box } from '../../../tree/index.js';

/** A sign that cached replies may be wrong. */
export type Invalidation =
  /** An event of this object. `children`: its children have changed. */
  | { type: 'event'; path: string; children: boolean }
  /** Pixels have changed. `box` is in the coordinates that the toolkit reports. */
  | { type: 'redraw'; box: Box }
  /** All descendants may have moved, appeared or disappeared. */
  | { type: 'layout'; path: string }
  /** The window of this object was moved. Bounds read since `since` may be from before or after the move. */
  | { type: 'moved'; path: string; since: number }
  /** The window has a new title. */
  | { type: 'title'; path: string }
  /** Anything may have changed in the window of this object. */
  | { type: 'window'; path: string }
  | { type: 'all' };

interface PendingInvalidation {
  invalidation: Invalidation;
  at: number;
}

/** With more pending invalidations than this, everything is dropped. */
const MAX_PENDING = 256;

/**
 * Trees lag behind events and redraws: Chromium updates its layout and bounds about 100 ms after its pixels changed,
 * without an event, and other toolkits send events before they have finished. So an invalidation stays active for as
 * long as the toolkit may lag: until then every snapshot reads the affected objects again, and the first snapshot after
 * that does so once more.
 */
export class Invalidations {
  private readonly pending = new Map<string, PendingInvalidation>();
  /** Invalidations that were applied for the last time. */
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

  /** The active invalidations. Those that have outlived the lag are returned for the last time. */
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

  /** Activates expired invalidations once more, because the tree may have lagged even longer. */
  restoreExpired(): void {
    for (const [key, invalidation] of this.expired)
      if (!this.pending.has(key)) this.pending.set(key, { invalidation, at: -Infinity });
    this.expired.clear();
  }

  /** All pending invalidations. They stay pending. */
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
    case 'redraw': {
      const { x, y, width, height } = invalidation.box;
      return `${x} ${y} ${width} ${height}`;
    }
    case 'event':
      return `${invalidation.children ? 'children' : 'event'} ${invalidation.path}`;
    case 'layout':
    case 'moved':
    case 'title':
    case 'window':
      return `${invalidation.type} ${invalidation.path}`;
    case 'all':
      return 'all';
  }
}
