import type { Attributes, CompositeExtension, DamageExtension, Geometry, Tree, XEvent } from 'x11';
import { debug, sleepUntilWoken } from '../../../shared/index.js';
import { type Box, boundingBox, intersect } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import { requestRedraw } from './redraw.js';

/** A child of the root: a window manager's frame, or a window without a frame. */
interface TopWindow {
  /** With its border, as its pixels are stored; undefined until the server has reported it. */
  size?: { width: number; height: number };
  border: number;
  mapped: boolean;
  /** Counts how often the server has restarted its pixels. */
  generation: number;
  /** Where its pixels may still belong to other windows, relative to its outer corner. */
  uncertain: Box[];
  damage: number;
  /** A report about it was ignored, so the next drawing must be reported again. */
  wasIgnored: boolean;
  /** How many drawings were reported. */
  drawings: number;
}

const EVERYTHING: Box = { x: 0, y: 0, width: 65_535, height: 65_535 };
const INPUT_OUTPUT = 1;
const VIEWABLE = 2;

/**
 * Makes the server keep the pixels of each top-level window separately, and tracks which of them the window itself has
 * drawn.
 *
 * When a window is redirected, shown or resized, the server restarts its pixels with a copy of the screen at that
 * place, other windows included. They are the window's own only where something was drawn since. The server also
 * reports two things as damage: what was drawn, and what merely became visible. The second happens only together with a
 * change of some top-level window, and that change is reported first. So after such a change, damage is ignored until
 * the server has answered a request that was sent after it.
 */
export class WindowPixels {
  private readonly tops = new Map<number, TopWindow>();
  private readonly byDamage = new Map<number, TopWindow>();
  private readonly waiters = new Set<() => void>();
  private settled = true;
  private isSyncing = false;
  private changedAgain = false;

  constructor(
    private readonly client: X11Client,
    private readonly damage: DamageExtension,
    private readonly composite: CompositeExtension,
  ) {}

  /** The caller must already receive all events of the root's children, and pass them to `handleEvent`. */
  async begin(): Promise<void> {
    const { client } = this;
    // The server reports what is visible as drawn as soon as its damage is created. If another client redirects the
    // windows, that is the covered part too.
    this.settled = false;
    // No window may move between reading them and the redirection of their pixels.
    client.send((x) => x.GrabServer());
    try {
      const { children } = await client.request<Tree>((x, reply) => x.QueryTree(client.root, reply));
      const boxes = await Promise.all(children.map((xid) => this.readTop(xid)));
      client.send(() => this.composite.RedirectSubwindows(client.root, this.composite.Redirect.Automatic));
      children.forEach((xid, at) => {
        const box = boxes[at];
        if (!box) return;
        const above = boxes.slice(at + 1).filter((other) => other !== undefined);
        // The visible part was copied from the screen, so it is the window's own.
        this.tops.get(xid)!.uncertain = coveredParts(box, above);
      });
      this.ignoreDamageUntilSynced();
      await client.sync();
    } finally {
      client.send((x) => x.UngrabServer());
    }
  }

  /** Handles every event of the connection, in order. True if no other listener needs it. */
  handleEvent(event: XEvent): boolean {
    if (event.name === 'DamageNotify') return this.handleDamage(event);
    const { root } = this.client;
    const xid = event.wid1 ?? event.wid ?? 0;
    switch (event.name) {
      case 'CreateNotify':
        if (event.parent === root) this.add(xid, event);
        return false; // The window is not mapped yet, so nothing became visible.
      case 'ReparentNotify':
        if (event.parent === root) this.add(xid);
        else this.remove(xid);
        break;
      case 'DestroyNotify':
        this.remove(xid);
        break;
      case 'MapNotify':
      case 'UnmapNotify':
        this.restartPixels(xid, { mapped: event.name === 'MapNotify' });
        break;
      case 'ConfigureNotify':
        this.handleConfigure(xid, event);
        break;
      case 'CirculateNotify':
        break;
      default:
        return false;
    }
    this.ignoreDamageUntilSynced();
    return false;
  }

  /** Changes whenever the server restarts the window's pixels; undefined if no such window is mapped. */
  generationOf(xid: number): number | undefined {
    const top = this.tops.get(xid);
    return top?.mapped ? top.generation : undefined;
  }

  /** The parts of `part` that may contain pixels of other windows, relative to the window's outer corner. */
  uncertainIn(xid: number, part: Box): Box[] {
    return clipTo(this.tops.get(xid)?.uncertain ?? [EVERYTHING], part);
  }

  /** Increases while the window draws. Once all its pixels are its own, drawing is no longer reported. */
  drawingsOf(xid: number): number {
    return this.tops.get(xid)?.drawings ?? 0;
  }

  /** Resolves when everything that the server did so far is known here. */
  async sync(): Promise<void> {
    await this.client.sync();
    while (!this.settled) await this.next();
  }

  /** Resolves at the next drawing or change, or after `ms`. */
  async next(ms = 1000): Promise<void> {
    let waiter = (): void => undefined;
    await sleepUntilWoken(ms, (wake) => this.waiters.add((waiter = wake)));
    this.waiters.delete(waiter);
  }

  private async readTop(xid: number): Promise<Box | undefined> {
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

  private add(xid: number, size?: { width?: number; height?: number; borderWidth?: number }): TopWindow {
    const known = this.tops.get(xid);
    if (known) return known;
    const damage = this.client.raw.AllocID();
    // Created before the window is shown, so that none of its drawing is missed. The server rejects it for windows
    // without pixels (InputOnly).
    this.client.send(() => this.damage.Create(damage, xid, this.damage.ReportLevel.DeltaRectangles));
    const border = size?.borderWidth ?? 0;
    const outer = outerSize(size);
    const top: TopWindow = {
      ...(outer && { size: outer }),
      ...{ border, mapped: false, generation: 0, uncertain: [EVERYTHING], damage, wasIgnored: false, drawings: 0 },
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

  private handleConfigure(xid: number, event: XEvent): void {
    const top = this.tops.get(xid);
    const size = outerSize(event);
    if (!top || !size) return;
    const isSameSize = top.size?.width === size.width && top.size.height === size.height;
    top.size = size;
    top.border = event.borderWidth ?? 0;
    if (!isSameSize) this.restartPixels(xid, {});
  }

  private restartPixels(xid: number, { mapped }: { mapped?: boolean }): void {
    const top = this.tops.get(xid);
    if (!top) return;
    if (mapped !== undefined) top.mapped = mapped;
    top.generation += 1;
    top.uncertain = [top.size ? { x: 0, y: 0, ...top.size } : EVERYTHING];
    this.resetDamage(top);
  }

  /** True if the event belongs to one of our damage objects. */
  private handleDamage(event: XEvent): boolean {
    const top = this.byDamage.get(event.damage ?? 0);
    if (!top) return false;
    const { area } = event;
    top.drawings += 1;
    if (!this.settled) top.wasIgnored = true;
    else if (area && top.uncertain.length > 0) {
      const { border } = top;
      top.uncertain = subtract(top.uncertain, {
        x: area.x + border,
        y: area.y + border,
        width: area.w,
        height: area.h,
      });
    }
    this.wake();
    return true;
  }

  /** Until the server has answered, reported damage may only be something that became visible. */
  private ignoreDamageUntilSynced(): void {
    this.settled = false;
    if (this.isSyncing) this.changedAgain = true;
    else this.requestSync();
  }

  private requestSync(): void {
    this.isSyncing = true;
    this.changedAgain = false;
    // Not a promise: events right after the reply are handled before a promise continues.
    this.client.send((x) =>
      x.GetInputFocus(() => {
        this.isSyncing = false;
        if (this.changedAgain) this.requestSync();
        else this.settle();
        return true;
      }),
    );
  }

  private settle(): void {
    this.settled = true;
    for (const [xid, top] of this.tops)
      if (top.wasIgnored && top.mapped && top.uncertain.length > 0) this.redraw(xid, top);
    this.wake();
  }

  /** Its last drawing was ignored, so it is asked to redraw while its app can still do so. */
  private redraw(xid: number, top: TopWindow): void {
    this.resetDamage(top);
    requestRedraw(this.client, xid, top.uncertain, 'expose').catch((error: unknown) => {
      debug('x', () => `redraw failed: ${String(error)}`); // The next capture of the window asks again.
    });
  }

  /** Resets the damage: the server reports each part only once until then. */
  private resetDamage(top: TopWindow): void {
    top.wasIgnored = false;
    this.client.send(() => this.damage.Subtract(top.damage, 0, 0));
  }

  private wake(): void {
    for (const done of [...this.waiters]) done();
  }
}

function outerSize(given: { width?: number; height?: number; borderWidth?: number } | undefined): TopWindow['size'] {
  if (given?.width === undefined || given.height === undefined) return undefined;
  const borders = 2 * (given.borderWidth ?? 0);
  return { width: given.width + borders, height: given.height + borders };
}

/** Uses bounding boxes: a shaped window covers less than its box, never more. */
function coveredParts(box: Box, above: readonly Box[]): Box[] {
  const occluders = above.map((occluder) => ({ ...occluder, x: occluder.x - box.x, y: occluder.y - box.y }));
  return clipTo(occluders, { x: 0, y: 0, width: box.width, height: box.height });
}

/**
 * More pieces than this are joined. Then a little too much counts as uncertain, which costs a redraw but never gives a
 * wrong pixel.
 */
const MAX_PIECES = 128;

/** The rest of `boxes` without `cut`. The result does not overlap if `boxes` did not. */
export function subtract(boxes: readonly Box[], cut: Box): Box[] {
  const left = boxes.flatMap((box) => piecesAround(box, cut));
  return left.length > MAX_PIECES ? [boundingBox(left)] : left;
}

/** The parts of `boxes` inside `area`. */
export function clipTo(boxes: readonly Box[], area: Box): Box[] {
  return boxes.map((box) => intersect(box, area)).filter((box) => box !== undefined);
}

function piecesAround(box: Box, cut: Box): Box[] {
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
