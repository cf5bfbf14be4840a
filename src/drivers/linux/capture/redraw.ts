import { setTimeout as pause } from 'node:timers/promises';
import type { Attributes, Geometry, Tree } from 'x11';
import type { Deadline } from '../../../shared/index.js';
import { type Box, intersect } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import type { XWindow } from '../x11/windows/window.js';
import type { OwnPixels } from './window-pixels.js';

/** A top window with more inside than this is not asked further; toolkits use one or two, old programs some dozens. */
const MOST_WINDOWS = 500;
const DEEPEST = 12;
const EXPOSE = 12;
const EXPOSURES = 0x8000;
const VIEWABLE = 2;
const INPUT_OUTPUT = 1;

interface Inner {
  xid: number;
  /** Counted from the top window's outer corner. */
  box: Box;
}

/**
 * `tell`: its program is told that a part of it must be drawn. `clear`: the server also fills in the background that
 * the window has, if it has one; a person who looks at it may see that.
 */
export type Asking = 'tell' | 'clear';

/** Lets the windows in `top` that lie in one of `parts` be drawn anew there, as if it had just come into view. */
export async function askRedraw(
  client: X11Client,
  top: number,
  parts: readonly Box[],
  asking: Asking,
  mayAsk: (xid: number) => boolean = () => true,
): Promise<void> {
  const geometry = await client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(top, reply));
  if (!geometry) return;
  const { width, height, borderWidth: border } = geometry;
  let level: Inner[] = [{ xid: top, box: { x: border, y: border, width, height } }];
  let seen = 0;
  for (let depth = 0; depth < DEEPEST && level.length > 0 && seen < MOST_WINDOWS; depth += 1) {
    for (const { xid, box } of level) {
      if (!mayAsk(xid)) continue;
      const shown = parts.map((part) => intersect(part, box)).filter((part) => part !== undefined);
      for (const part of shown) ask(client, xid, { ...part, x: part.x - box.x, y: part.y - box.y }, asking);
    }
    seen += level.length;
    const inner = await Promise.all(level.map((one) => childrenOf(client, one, parts)));
    level = inner.flat();
  }
  await client.sync();
}

function ask(client: X11Client, xid: number, { x: left, y: top, width, height }: Box, asking: Asking): void {
  if (asking === 'clear') return client.send((x) => x.ClearArea(xid, left, top, width, height, 1));
  const event = Buffer.alloc(32);
  event[0] = EXPOSE;
  event.writeUInt32LE(xid, 4);
  for (const [at, value] of [left, top, width, height].entries()) event.writeUInt16LE(value, 8 + at * 2);
  client.send((x) => x.SendEvent(xid, 0, EXPOSURES, event));
}

async function childrenOf(client: X11Client, { xid, box }: Inner, parts: readonly Box[]): Promise<Inner[]> {
  const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(xid, reply));
  const children = await Promise.all(
    (tree?.children ?? []).slice(0, MOST_WINDOWS).map((child) => place(client, child)),
  );
  return children
    .filter((child) => child !== undefined)
    .map(({ xid: child, box: own }) => ({ xid: child, box: { ...own, x: box.x + own.x, y: box.y + own.y } }))
    .filter((child) => parts.some((part) => intersect(part, child.box)));
}

async function place(client: X11Client, xid: number): Promise<Inner | undefined> {
  const [attributes, geometry] = await Promise.all([
    client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
  ]);
  if (attributes?.klass !== INPUT_OUTPUT || attributes.mapState !== VIEWABLE || !geometry) return undefined;
  const { xPos, yPos, width, height, borderWidth } = geometry;
  return { xid, box: { x: xPos + borderWidth, y: yPos + borderWidth, width, height } };
}

/** A program that draws all of itself does so within this; the others need their background from the server. */
const TOLD_MS = 200;
/** How long a program gets to draw what it was asked for. */
const REDRAW_MS = 1500;
/** Nothing drawn for so long: it has finished. */
const QUIET_MS = 40;

/**
 * Whether all of `part` is the window's own: at once, or after it was drawn again. The window manager is asked to draw
 * its frame, then, if that is not enough, the program its content. A stopped program is not asked: all that would
 * come is the bare background, and that would be a guess.
 */
export async function becomeSure(
  client: X11Client,
  own: OwnPixels,
  top: number,
  part: Box,
  { window, deadline }: { window: XWindow; deadline: Deadline },
): Promise<boolean> {
  const unsure = (): Box[] => own.unsureIn(top, part);
  if (unsure().length === 0) return true;
  const programOf = (xid: number): number => (xid & ~client.setup.resource_mask) >>> 0;
  const isApps = (xid: number): boolean => programOf(xid) === programOf(window.xid);
  const until = async (patience: Deadline): Promise<boolean> => {
    while (unsure().length > 0 && !patience.over) await own.next(patience.remaining());
    return unsure().length === 0;
  };
  await askRedraw(client, top, unsure(), 'clear', (xid) => !isApps(xid));
  if (!window.stopped) await askRedraw(client, top, unsure(), 'tell', isApps);
  if (!(await until(deadline.atMost(TOLD_MS)))) {
    if (window.stopped) return false;
    await askRedraw(client, top, unsure(), 'clear', isApps);
    if (!(await until(deadline.atMost(REDRAW_MS)))) return false;
  }
  await quiet(own, top, deadline.atMost(REDRAW_MS));
  return true;
}

/** A background that the server filled in counts as drawn; what belongs on it comes a moment later. */
async function quiet(own: OwnPixels, top: number, patience: Deadline): Promise<void> {
  let before: number;
  do {
    before = own.drawingsOf(top);
    await pause(QUIET_MS);
  } while (own.drawingsOf(top) !== before && !patience.over);
}
