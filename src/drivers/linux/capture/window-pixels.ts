import type { Attributes, CompositeExtension, DamageExtension, Geometry, Tree, XEvent } from 'x11';
import { debug } from '../../../shared/index.js';
import { type Box, intersect } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import { askRedraw } from './redraw.js';

/** A child of the root: a window manager's frame, or a window that no manager framed. */
interface Top {
  /** With its border, as its pixels are kept; unknown until the server has told it. */
  size?: { width: number; height: number };
  border: number;
  mapped: boolean;
  /** Counts how often its pixels were begun anew. */
  birth: number;
  /** Where its pixels may still be those of other windows, counted from its outer corner. */
  unsure: Box[];
  damage: number;
  /** Something was told of it that did not count; what is drawn next must be told again. */
  missed: boolean;
  /** How often something was told as drawn. */
  drawings: number;
}

const ALL: Box = { x: 0, y: 0, width: 65_535, height: 65_535 };
const INPUT_OUTPUT = 1;
const VIEWABLE = 2;

/**
 * Lets the server keep the pixels of each top window apart, and knows which of them the window itself has drawn.
 *
 * The server begins a window's pixels (when it is redirected, shown or resized) with a copy of what is on the screen
 * there, other windows included. They are the window's own only where something was drawn since. And the server tells
 * two things as drawn: what was, and what merely came into view. The second happens only together with a change of
 * some top window, which is told first; so nothing counts from such a change until the server has answered a question
 * that was asked after it.
 */
export class OwnPixels {
  private readonly tops = new Map<number, Top>();
  private readonly byDamage = new Map<number, Top>();
  private readonly waiting = new Set<() => void>();
  private settled = true;
  private asking = false;
  private changedAgain = false;

  constructor(
    private readonly client: X11Client,
    private readonly damage: DamageExtension,
    private readonly composite: CompositeExtension,
  ) {}

  /** Whoever calls this hears all changes of the root's children already and passes them to `heard`. */
  async begin(): Promise<void> {
    const { client } = this;
    // Nobody may move a window between the look at them and the moment from which their pixels are kept apart.
    client.send((x) => x.GrabServer());
    try {
      const { children } = await client.request<Tree>((x, reply) => x.QueryTree(client.root, reply));
      const boxes = await Promise.all(children.map((xid) => this.meet(xid)));
      client.send(() => this.composite.RedirectSubwindows(client.root, this.composite.Redirect.Automatic));
      children.forEach((xid, at) => {
        const box = boxes[at];
        if (!box) return;
        const above = boxes.slice(at + 1).filter((other) => other !== undefined);
        // What could be seen of it was copied from the screen: that is its own.
        this.tops.get(xid)!.unsure = coveredParts(box, above);
      });
      this.change();
      await client.sync();
    } finally {
      client.send((x) => x.UngrabServer());
    }
  }

  /** Every event of the connection, in its order. True when it concerns nobody else. */
  heard(event: XEvent): boolean {
    if (event.name === 'DamageNotify') return this.drawn(event);
    const { root } = this.client;
    const xid = event.wid1 ?? event.wid ?? 0;
    switch (event.name) {
      case 'CreateNotify':
        if (event.parent === root) this.add(xid, event);
        return false; // Not in view yet: nothing came into view by it.
      case 'ReparentNotify':
        if (event.parent === root) this.add(xid);
        else this.remove(xid);
        break;
      case 'DestroyNotify':
        this.remove(xid);
        break;
      case 'MapNotify':
      case 'UnmapNotify':
        this.bear(xid, { mapped: event.name === 'MapNotify' });
        break;
      case 'ConfigureNotify':
        this.configured(xid, event);
        break;
      case 'CirculateNotify':
        break;
      default:
        return false;
    }
    this.change();
    return false;
  }

  /** Changes with every new beginning of its pixels; undefined when there is no such window in view. */
  birthOf(xid: number): number | undefined {
    const top = this.tops.get(xid);
    return top?.mapped ? top.birth : undefined;
  }

  /** Parts of `part` that may hold pixels of other windows; counted from the window's outer corner. */
  unsureIn(xid: number, part: Box): Box[] {
    return within(this.tops.get(xid)?.unsure ?? [ALL], part);
  }

  /** Grows while it is being drawn. Once all of it is its own, that is not told any more. */
  drawingsOf(xid: number): number {
    return this.tops.get(xid)?.drawings ?? 0;
  }

  /** Resolves when all that the server did so far is known here. */
  async sync(): Promise<void> {
    await this.client.sync();
    while (!this.settled) await this.next();
  }

  /** Resolves when something was drawn or changed, or after `ms`. */
  next(ms = 1000): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }

  private async meet(xid: number): Promise<Box | undefined> {
    const { client } = this;
    const [attributes, geometry] = await Promise.all([
      client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
      client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
    ]);
    if (!attributes || !geometry || attributes.klass !== INPUT_OUTPUT) return undefined;
    const { xPos: x, yPos: y } = geometry;
    const top = this.add(xid, geometry);
    top.mapped = attributes.mapState === VIEWABLE;
    return top.mapped ? { x, y, ...top.size! } : undefined;
  }

  private add(xid: number, size?: { width?: number; height?: number; borderWidth?: number }): Top {
    const known = this.tops.get(xid);
    if (known) return known;
    const damage = this.client.raw.AllocID();
    // Before it is shown, so that nothing it draws is missed. One without pixels (InputOnly) is refused by the server.
    this.client.send(() => this.damage.Create(damage, xid, this.damage.ReportLevel.DeltaRectangles));
    const border = size?.borderWidth ?? 0;
    const outer = sizeOf(size);
    const top: Top = {
      ...(outer && { size: outer }),
      ...{ border, mapped: false, birth: 0, unsure: [ALL], damage, missed: false, drawings: 0 },
    };
    this.tops.set(xid, top);
    this.byDamage.set(damage, top);
    return top;
  }

  private remove(xid: number): void {
    const top = this.tops.get(xid);
    if (!top) return;
    this.tops.delete(xid);
    this.byDamage.delete(top.damage);
    this.client.send((x) => {
      this.damage.Destroy(top.damage);
      x.ReleaseID(top.damage);
    });
  }

  private configured(xid: number, event: XEvent): void {
    const top = this.tops.get(xid);
    const size = sizeOf(event);
    if (!top || !size) return;
    const same = top.size?.width === size.width && top.size.height === size.height;
    top.size = size;
    top.border = event.borderWidth ?? 0;
    if (!same) this.bear(xid, {});
  }

  private bear(xid: number, { mapped }: { mapped?: boolean }): void {
    const top = this.tops.get(xid);
    if (!top) return;
    if (mapped !== undefined) top.mapped = mapped;
    top.birth += 1;
    top.unsure = [top.size ? { x: 0, y: 0, ...top.size } : ALL];
    this.tellAgain(top);
  }

  /** True when the event was one that we asked for. */
  private drawn(event: XEvent): boolean {
    const top = this.byDamage.get(event.damage ?? 0);
    if (!top) return false;
    const { area } = event;
    top.drawings += 1;
    if (!this.settled) top.missed = true;
    else if (area && top.unsure.length > 0) {
      const { border } = top;
      top.unsure = without(top.unsure, { x: area.x + border, y: area.y + border, width: area.w, height: area.h });
    }
    this.wake();
    return true;
  }

  /** What is told as drawn may only have come into view, until the server has answered. */
  private change(): void {
    this.settled = false;
    if (this.asking) this.changedAgain = true;
    else this.ask();
  }

  private ask(): void {
    this.asking = true;
    this.changedAgain = false;
    // Not a promise: what comes right behind the answer is heard before a promise goes on.
    this.client.send((x) =>
      x.GetInputFocus(() => {
        this.asking = false;
        if (this.changedAgain) this.ask();
        else this.settle();
        return true;
      }),
    );
  }

  private settle(): void {
    this.settled = true;
    for (const [xid, top] of this.tops) if (top.missed && top.mapped && top.unsure.length > 0) this.redraw(xid, top);
    this.wake();
  }

  /** What it drew just now did not count: it is asked to draw it once more, while its program is there to do so. */
  private redraw(xid: number, top: Top): void {
    this.tellAgain(top);
    askRedraw(this.client, xid, top.unsure, 'tell').catch((error: unknown) => {
      debug('x', () => `no redraw: ${String(error)}`); // Whoever wants its picture asks again.
    });
  }

  /** The server tells each part once until it is told to begin again. */
  private tellAgain(top: Top): void {
    top.missed = false;
    this.client.send(() => this.damage.Subtract(top.damage, 0, 0));
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }
}

function sizeOf(given: { width?: number; height?: number; borderWidth?: number } | undefined): Top['size'] {
  if (given?.width === undefined || given.height === undefined) return undefined;
  const both = 2 * (given.borderWidth ?? 0);
  return { width: given.width + both, height: given.height + both };
}

/** By their boxes: a shaped window covers less than that, never more. */
function coveredParts(box: Box, above: readonly Box[]): Box[] {
  const covers = above.map((cover) => ({ ...cover, x: cover.x - box.x, y: cover.y - box.y }));
  return within(covers, { x: 0, y: 0, width: box.width, height: box.height });
}

/** More pieces than this are joined: a little too much is unsure then, which costs a redraw and never a wrong pixel. */
const MOST = 128;

/** What is left of `boxes` without `cut`, in boxes that do not overlap if those did not. */
export function without(boxes: readonly Box[], cut: Box): Box[] {
  const left = boxes.flatMap((box) => around(box, cut));
  return left.length > MOST ? [bounding(left)] : left;
}

/** The parts of `boxes` that lie in `area`. */
export function within(boxes: readonly Box[], area: Box): Box[] {
  return boxes.map((box) => intersect(box, area)).filter((box) => box !== undefined);
}

function around(box: Box, cut: Box): Box[] {
  const hole = intersect(box, cut);
  if (!hole) return [box];
  const right = box.x + box.width - (hole.x + hole.width);
  const below = box.y + box.height - (hole.y + hole.height);
  const pieces: Box[] = [
    { x: box.x, y: box.y, width: box.width, height: hole.y - box.y },
    { x: box.x, y: hole.y, width: hole.x - box.x, height: hole.height },
    { x: hole.x + hole.width, y: hole.y, width: right, height: hole.height },
    { x: box.x, y: hole.y + hole.height, width: box.width, height: below },
  ];
  return pieces.filter(({ width, height }) => width > 0 && height > 0);
}

function bounding(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
