import type { DamageExtension, XEvent } from 'x11';
import type { Box } from '../../../tree/index.js';
import type { X11Client } from './x11-client.js';

const TICK_MS = 16;

/**
 * Which parts of which windows were drawn, gathered per tick. The server reports a growing box for each window until
 * it is told to begin again; the boxes are handed out only after the server has done so. Otherwise something drawn
 * between the two would be cleared without ever being told.
 */
export class DamageWatch {
  private readonly damages = new Map<number, number>();
  private boxes = new Map<number, Box>();
  private timer?: NodeJS.Timeout;
  private flushing = false;

  constructor(
    private readonly client: X11Client,
    private readonly extension: DamageExtension,
    private readonly onDamage: (xid: number, box: Box) => void,
  ) {}

  watch(xid: number): void {
    if (this.damages.has(xid)) return;
    this.client.tell((x) => {
      const damage = x.AllocID();
      this.damages.set(xid, damage);
      this.extension.Create(damage, xid, this.extension.ReportLevel.BoundingBox);
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
    if (event.drawable === undefined || !box || !this.damages.has(event.drawable)) return;
    const old = this.boxes.get(event.drawable);
    this.boxes.set(event.drawable, old ? union(old, box) : box);
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.boxes.clear();
    this.damages.clear();
  }

  private schedule(): void {
    if (this.timer || this.flushing) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, TICK_MS);
  }

  private async flush(): Promise<void> {
    this.flushing = true;
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
    for (const [xid, box] of taken) if (this.damages.has(xid)) this.onDamage(xid, box);
    if (this.boxes.size > 0) this.schedule();
  }
}

/** The event's area counts from the window's corner, its geometry from the screen's. */
export function damagedBox({ area, geometry }: XEvent): Box | undefined {
  if (!area || !geometry || area.w === 0 || area.h === 0) return undefined;
  return { x: geometry.x + area.x, y: geometry.y + area.y, width: area.w, height: area.h };
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
