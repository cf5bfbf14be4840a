import type { Box } from '../../tree/index.js';
import { touches } from './atspi/extents.js';

const KEPT_MS = 2_000;
const MOST_KEPT = 200;

interface Drawing {
  pid: number;
  box: Box;
  at: number;
}

/** Where apps drew lately, for those whose tree tells of it later. */
export class Drawings {
  private drawings: Drawing[] = [];

  note(pid: number, box: Box, at = performance.now()): void {
    this.drawings = this.drawings.filter((one) => at - one.at < KEPT_MS).slice(-MOST_KEPT);
    this.drawings.push({ pid, box, at });
  }

  /** How long ago this app last drew there. */
  since(pid: number, area: Box, now = performance.now()): number {
    const last = this.drawings.findLast((one) => one.pid === pid && touches(one.box, area));
    return last ? now - last.at : Infinity;
  }
}
