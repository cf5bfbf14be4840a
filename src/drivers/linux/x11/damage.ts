import type { DamageExtension, XEvent } from 'x11';
import type { Box } from '../../../tree/index.js';
import type { X11Client } from './client.js';

/** Nothing is told more often. */
const TICK_MS = 16;
/** Except at the beginning: the first part at once, and soon after it the others of the same frame. */
const FIRST_MS = [0, 3];

export interface DamageListener {
  /** At once, each part as the server tells it. */
  drawing(xid: number, box: Box): void;
  /** At once after a rest, else once a tick, in a few boxes: all that was drawn until the moment of telling. */
  drawn(xid: number, boxes: readonly Box[]): void;
}

/**
 * Which parts of which windows were drawn, gathered per tick. The server tells each part once until it is told to
 * begin again; the boxes are handed out only after the server has done so. Otherwise something drawn between the two
 * would be cleared without ever being told.
 */
export class DamageWatch {
  private readonly damages = new Map<number, number>();
  private boxes = new Map<number, DamageBoxes>();
  private timer?: NodeJS.Timeout;
  private flushing = false;
  private flushedAt = -Infinity;
  /** How often since the last rest. */
  private flushes = 0;

  constructor(
    private readonly client: Pick<X11Client, 'tell' | 'sync'>,
    private readonly extension: DamageExtension,
    private readonly listener: DamageListener,
  ) {}

  watch(xid: number): void {
    if (this.damages.has(xid)) return;
    this.client.tell((x) => {
      const damage = x.AllocID();
      this.damages.set(xid, damage);
      this.extension.Create(damage, xid, this.extension.ReportLevel.DeltaRectangles);
    });
  }

  /** Toolkits keep closed popups and show them again, so a window that left the listing may still exist. */
  forget(xid: number): void {
    const damage = this.damages.get(xid);
    if (damage === undefined) return;
    this.damages.delete(xid);
    this.boxes.delete(xid);
    this.client.tell((x) => {
      this.extension.Destroy(damage);
      x.ReleaseID(damage);
    });
  }

  seen(event: XEvent): void {
    const box = damagedBox(event);
    const { drawable: xid } = event;
    if (xid === undefined || !box || !this.damages.has(xid)) return;
    let boxes = this.boxes.get(xid);
    if (!boxes) this.boxes.set(xid, (boxes = new DamageBoxes()));
    boxes.add(box);
    this.listener.drawing(xid, box);
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.boxes.clear();
    this.damages.clear();
  }

  private schedule(): void {
    if (this.timer || this.flushing) return;
    const since = performance.now() - this.flushedAt;
    if (since > TICK_MS) this.flushes = 0;
    const wait = Math.max(0, (FIRST_MS[this.flushes] ?? TICK_MS) - since);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, wait);
  }

  private async flush(): Promise<void> {
    this.flushing = true;
    this.flushedAt = performance.now();
    this.flushes += 1;
    const taken = this.boxes;
    this.boxes = new Map();
    for (const xid of taken.keys()) {
      const damage = this.damages.get(xid);
      if (damage !== undefined) this.client.tell(() => this.extension.Subtract(damage, 0, 0));
    }
    try {
      await this.client.sync();
    } catch {
      return; // the server is gone: the connection's owner says so, and nobody can draw any more
    } finally {
      this.flushing = false;
    }
    for (const [xid, boxes] of taken) if (this.damages.has(xid)) this.listener.drawn(xid, boxes.list());
    if (this.boxes.size > 0) this.schedule();
  }
}

/** The event's area counts from the window's corner, its geometry from the screen's. */
export function damagedBox({ area, geometry }: XEvent): Box | undefined {
  if (!area || !geometry || area.w === 0 || area.h === 0) return undefined;
  return { x: geometry.x + area.x, y: geometry.y + area.y, width: area.w, height: area.h };
}

/** More boxes than this of one window in one tick are joined. */
const MOST = 8;

/**
 * A few boxes that cover all that was drawn. Two far corners stay two: one box around both would be the whole window.
 */
export class DamageBoxes {
  private boxes: Box[] = [];

  add(box: Box): void {
    const near = this.boxes.findIndex((other) => waste(other, box) <= 0);
    if (near >= 0) this.replace(near, union(this.boxes[near]!, box));
    else this.boxes.push(box);
    if (this.boxes.length > MOST) this.joinNearest();
  }

  list(): readonly Box[] {
    return this.boxes;
  }

  /** A box that has grown may now cover others. */
  private replace(index: number, box: Box): void {
    this.boxes.splice(index, 1);
    this.boxes = this.boxes.filter((other) => !covers(box, other));
    this.boxes.push(box);
  }

  private joinNearest(): void {
    let best = { a: 0, b: 1, waste: Infinity };
    for (let a = 0; a < this.boxes.length; a++) {
      for (let b = a + 1; b < this.boxes.length; b++) {
        const lost = waste(this.boxes[a]!, this.boxes[b]!);
        if (lost < best.waste) best = { a, b, waste: lost };
      }
    }
    const joined = union(this.boxes[best.a]!, this.boxes[best.b]!);
    this.boxes.splice(best.b, 1);
    this.replace(best.a, joined);
  }
}

/** What a box around both covers beyond the two; below zero where they overlap much. */
function waste(a: Box, b: Box): number {
  return area(union(a, b)) - area(a) - area(b);
}

function area({ width, height }: Box): number {
  return width * height;
}

function covers(a: Box, b: Box): boolean {
  return a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
}

export function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
