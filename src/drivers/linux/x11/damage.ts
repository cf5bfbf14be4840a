import type { DamageExtension, XEvent } from 'x11';
import type { Box } from '../../../tree/index.js';
import type { X11Client } from './client.js';

/** The minimum time between two reports. */
const TICK_MS = 16;
/** Except at the start: the first part is reported at once, and the other parts of the same frame soon after it. */
const FIRST_MS = [0, 3];

interface DamageListener {
  /** Called at once for each part that the server reports. */
  drawing(xid: number, box: Box): void;
  /** Called at once after a pause, otherwise once a tick, with a few boxes that cover everything drawn until then. */
  drawn(xid: number, boxes: readonly Box[]): void;
}

/**
 * Collects per tick which parts of which windows were drawn. The server reports each part once until the damage is
 * reset. The boxes are reported only after the server has processed the reset; otherwise anything drawn between the two
 * would be cleared without a report.
 */
export class DamageWatch {
  private readonly damages = new Map<number, number>();
  private boxes = new Map<number, DamageBoxes>();
  private timer?: NodeJS.Timeout;
  private flushing = false;
  private flushedAt = -Infinity;
  /** The number of flushes since the last pause. */
  private flushes = 0;

  constructor(
    private readonly client: Pick<X11Client, 'send' | 'sync'>,
    private readonly extension: DamageExtension,
    private readonly listener: DamageListener,
  ) {}

  watch(xid: number): void {
    if (this.damages.has(xid)) return;
    this.client.send((x) => {
      const damage = x.AllocID();
      this.damages.set(xid, damage);
      this.extension.Create(damage, xid, this.extension.ReportLevel.DeltaRectangles);
    });
  }

  /** Toolkits keep closed popups and show them again, so a window that left the list may still exist. */
  unwatch(xid: number): void {
    const damage = this.damages.get(xid);
    if (damage === undefined) return;
    this.damages.delete(xid);
    this.boxes.delete(xid);
    this.client.send((x) => {
      this.extension.Destroy(damage);
      x.ReleaseID(damage);
    });
  }

  handleEvent(event: XEvent): void {
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
    const flushed = this.boxes;
    this.boxes = new Map();
    for (const xid of flushed.keys()) {
      const damage = this.damages.get(xid);
      if (damage !== undefined) this.client.send(() => this.extension.Subtract(damage, 0, 0));
    }
    try {
      await this.client.sync();
    } catch {
      return; // The server is gone. The owner of the connection reports that, and no damage follows.
    } finally {
      this.flushing = false;
    }
    for (const [xid, boxes] of flushed) if (this.damages.has(xid)) this.listener.drawn(xid, boxes.list());
    if (this.boxes.size > 0) this.schedule();
  }
}

/** The event's area is relative to the window, its geometry to the screen. */
export function damagedBox({ area, geometry }: XEvent): Box | undefined {
  if (!area || !geometry || area.w === 0 || area.h === 0) return undefined;
  return { x: geometry.x + area.x, y: geometry.y + area.y, width: area.w, height: area.h };
}

/** If a window has more boxes than this in one tick, they are joined. */
const MAX_BOXES = 8;

/**
 * A few boxes that cover everything that was drawn. Two far corners stay two boxes, since one box around both would be
 * the whole window.
 */
export class DamageBoxes {
  private boxes: Box[] = [];

  add(box: Box): void {
    const near = this.boxes.findIndex((other) => wastedArea(other, box) <= 0);
    if (near >= 0) this.replace(near, union(this.boxes[near]!, box));
    else this.boxes.push(box);
    if (this.boxes.length > MAX_BOXES) this.joinNearest();
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
        const lost = wastedArea(this.boxes[a]!, this.boxes[b]!);
        if (lost < best.waste) best = { a, b, waste: lost };
      }
    }
    const joined = union(this.boxes[best.a]!, this.boxes[best.b]!);
    this.boxes.splice(best.b, 1);
    this.replace(best.a, joined);
  }
}

/** The area that a box around both covers beyond the two; negative if they overlap a lot. */
function wastedArea(a: Box, b: Box): number {
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
