import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import { touches } from '../atspi/accessible.js';
import type { Incoming } from '../dbus/message.js';

const KEPT_MS = 2_000;
const MAX_KEPT = 200;

interface Drawing {
  pid: number;
  box: Box;
  at: number;
}

/** Where apps drew recently, for apps whose tree is updated after their pixels. */
export class RecentDrawings {
  private drawings: Drawing[] = [];

  record(pid: number, box: Box, at = performance.now()): void {
    this.drawings = this.drawings.filter((one) => at - one.at < KEPT_MS).slice(-MAX_KEPT);
    this.drawings.push({ pid, box, at });
  }

  /** Milliseconds since this app last drew there. */
  msSinceDrawing(pid: number, area: Box, now = performance.now()): number {
    const last = this.drawings.findLast((one) => one.pid === pid && touches(one.box, area));
    return last ? now - last.at : Infinity;
  }

  /** Resolves when the app has not drawn there for `drawsAheadMs`, and half as long after `from` at the earliest. */
  async waitUntilQuiet({ pid, area, from, drawsAheadMs, settle }: QuietArea, end: Deadline): Promise<void> {
    while (!end.over) {
      await settle();
      const minimum = drawsAheadMs / 2 - (performance.now() - from);
      const wait = Math.max(minimum, drawsAheadMs - this.msSinceDrawing(pid, area));
      if (wait <= 0) return;
      await pause(Math.min(wait, end.remaining()));
    }
  }
}

interface QuietArea {
  pid: number;
  area: Box;
  from: number;
  /** How much later than its pixels the app updates its tree. */
  drawsAheadMs: number;
  /** Resolves when all reported drawings are recorded. */
  settle: () => Promise<void>;
}

const POLL_MS = 10;

/** When each app last reported a focus change. */
export class RecentFocus {
  /** How many focus changes any app has reported. */
  changes = 0;
  private readonly lastFocusAt = new Map<string, number>();
  private readonly lastFocused = new Map<string, string | undefined>();

  signal(incoming: Pick<Incoming, 'sender' | 'path' | 'member' | 'body'>): void {
    if (incoming.member !== 'StateChanged' || incoming.sender === undefined) return;
    const [state, on] = incoming.body();
    if (state !== 'focused' || on !== 1) return;
    this.changes += 1;
    this.lastFocusAt.set(incoming.sender, performance.now());
    this.lastFocused.set(incoming.sender, incoming.path);
  }

  /** Whether the app of this element has reported the focus for it last. `id` is its address on the bus. */
  isLast(id: string): boolean {
    const slash = id.indexOf('/');
    return slash > 0 && this.lastFocused.get(id.slice(0, slash)) === id.slice(slash);
  }

  /** Resolves when this app has reported a focus after `since`, or at the deadline. */
  async waitForFocus(sender: string, since: number, deadline: Deadline): Promise<void> {
    while ((this.lastFocusAt.get(sender) ?? -Infinity) < since && !deadline.over) {
      await pause(Math.min(POLL_MS, deadline.remaining()));
    }
  }
}
