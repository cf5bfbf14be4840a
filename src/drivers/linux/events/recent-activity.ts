import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../../shared/index.js';
import type { Box, Node } from '../../../tree/index.js';
import { idOf, parseElementId, touches } from '../atspi/accessible.js';
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
const MAX_ELEMENTS = 1_000;

/** When each app last reported a focus change, and what each element reported last. */
export class RecentFocus {
  /** How many focus changes any app has reported. */
  changes = 0;
  private readonly lastFocusAt = new Map<string, number>();
  /** By element. A positive number: it got the focus, later ones higher. Negative: it lost the focus. */
  private readonly elements = new Map<string, number>();
  private count = 0;
  /** By app: the value in `elements` of the last element that got the focus. */
  private readonly lastGain = new Map<string, number>();

  signal(incoming: Pick<Incoming, 'sender' | 'path' | 'member' | 'body'>): void {
    const { sender, path, member } = incoming;
    if (member !== 'StateChanged' || sender === undefined) return;
    const [state, on] = incoming.body();
    if (state !== 'focused') return;
    if (path !== undefined) {
      if (this.elements.size >= MAX_ELEMENTS) this.elements.clear();
      this.count += 1;
      this.elements.set(idOf([sender, path]), on === 1 ? this.count : -this.count);
    }
    if (on !== 1) return;
    this.changes += 1;
    this.lastFocusAt.set(sender, performance.now());
    this.lastGain.set(sender, this.count);
  }

  /**
   * When the element reported that it got the focus, as a number that grows; 0 if it reported nothing, negative if it
   * reported last that it lost the focus.
   */
  readonly since = (element: string): number => this.elements.get(element) ?? 0;

  /**
   * Without the focus, if the element reported last that it lost it and another one of its app has got it afterwards. Its
   * state may still say that it has it.
   */
  withoutLost(node: Node): Node {
    const [since, id] = [this.since(node.id), node.states.focused ? parseElementId(node.id) : undefined];
    if (!id || since >= 0 || (this.lastGain.get(id.address[0]) ?? 0) < -since) return node;
    const { focused: _, ...states } = node.states;
    return { ...node, states };
  }

  /** Resolves when this app has reported a focus after `since`, or at the deadline. */
  async waitForFocus(sender: string, since: number, deadline: Deadline): Promise<void> {
    while ((this.lastFocusAt.get(sender) ?? -Infinity) < since && !deadline.over) {
      await pause(Math.min(POLL_MS, deadline.remaining()));
    }
  }
}
