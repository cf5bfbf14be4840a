import type { Box } from '../../../tree/index.js';

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
