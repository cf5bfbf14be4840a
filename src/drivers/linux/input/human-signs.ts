import type { HumanKind } from '../../contract/index.js';

/** One direction in which a device moves. */
export interface Axis {
  /** The device says where it is, not how far it went. */
  absolute: boolean;
  min: number;
  max: number;
  value: number;
}

/** A desk that is bumped moves the mouse by less. */
const MOTION_PX = 4;
const MOTION_PAUSE_MS = 1000;
const MOTION_EVERY_MS = 50;
const DOUBLE_ESCAPE_MS = 500;

/** What a person's devices report, and what it means. Times are in milliseconds, of any clock. */
export class HumanSigns {
  private way = 0;
  private movedAt = -Infinity;
  private toldAt = -Infinity;
  private escapeAt = -Infinity;
  private readonly down = new Set<number>();

  constructor(private readonly tell: (kind: HumanKind) => void) {}

  /** `axes` are those of the device, `values` what it reports; `screen` is how far the pointer can go each way. */
  motion(
    axes: readonly (Axis | undefined)[],
    values: readonly (number | undefined)[],
    screen: number[],
    now: number,
  ): void {
    const [x, y] = [0, 1].map((index) => distance(axes[index], values[index], screen[index] ?? 0));
    if (now - this.movedAt > MOTION_PAUSE_MS) this.way = 0;
    this.movedAt = now;
    this.way += Math.hypot(x!, y!);
    if (this.way < MOTION_PX || now - this.toldAt < MOTION_EVERY_MS) return;
    this.way = 0;
    this.toldAt = now;
    this.tell('motion');
  }

  button(): void {
    this.tell('button');
  }

  /** Escape twice is a wish to stop; Escape held down is not. */
  keyDown(keycode: number, escape: boolean, now: number): void {
    const repeated = this.down.has(keycode);
    this.down.add(keycode);
    this.tell('key');
    if (repeated) return;
    if (!escape) this.escapeAt = -Infinity;
    else if (now - this.escapeAt <= DOUBLE_ESCAPE_MS) {
      this.escapeAt = -Infinity;
      this.tell('stop');
    } else this.escapeAt = now;
  }

  keyUp(keycode: number): void {
    this.down.delete(keycode);
    this.tell('key');
  }
}

/** In pixels. An absolute device counts in steps of its own unless it says that it has no limits. */
function distance(axis: Axis | undefined, value: number | undefined, screen: number): number {
  if (value === undefined) return 0;
  if (!axis?.absolute) return value;
  const way = value - axis.value;
  axis.value = value;
  return axis.max > axis.min ? (way / (axis.max - axis.min)) * screen : way;
}
