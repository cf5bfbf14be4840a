import type { Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import { touches } from '../atspi/accessible.js';
import type { Incoming } from '../dbus/index.js';

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

const LOOK_MS = 10;

/** When each app last told that something of it got the focus. */
export class FocusNews {
  private readonly told = new Map<string, number>();

  signal(incoming: Pick<Incoming, 'sender' | 'member' | 'body'>): void {
    if (incoming.member !== 'StateChanged' || incoming.sender === undefined) return;
    const [state, on] = incoming.body();
    if (state === 'focused' && on === 1) this.told.set(incoming.sender, performance.now());
  }

  /** Resolves when this app has told of a focus since then, or when it has had the time to. */
  async after(sender: string, since: number, deadline: Deadline): Promise<void> {
    while ((this.told.get(sender) ?? -Infinity) < since && !deadline.over) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, deadline.remaining())));
    }
  }
}
