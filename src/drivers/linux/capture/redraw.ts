import { setTimeout as pause } from 'node:timers/promises';
import type { Attributes, Geometry, Tree } from 'x11';
import type { Deadline } from '../../../shared/index.js';
import { type Box, intersect } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import type { XWindow } from '../x11/windows/window.js';
import type { WindowPixels } from './window-pixels.js';

/**
 * If a top-level window contains more windows than this, the rest is skipped. Toolkits use one or two, old programs
 * some dozens.
 */
const MAX_WINDOWS = 500;
const MAX_DEPTH = 12;
const EXPOSE = 12;
const EXPOSURE_MASK = 0x8000;
const VIEWABLE = 2;
const INPUT_OUTPUT = 1;

interface InnerWindow {
  xid: number;
  /** Relative to the top-level window's outer corner. */
  box: Box;
}

/**
 * `expose`: sends the app an Expose event for a part of the window. `clear`: the server also fills in the window's
 * background, if it has one; the user may see that.
 */
type RedrawMode = 'expose' | 'clear';

/** Makes the windows inside `top` redraw the given parts, as if those had just become visible. */
export async function requestRedraw(
  client: X11Client,
  top: number,
  parts: readonly Box[],
  mode: RedrawMode,
  mayAsk: (xid: number) => boolean = () => true,
): Promise<void> {
  const geometry = await client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(top, reply));
  if (!geometry) return;
  const { width, height, borderWidth: border } = geometry;
  let level: InnerWindow[] = [{ xid: top, box: { x: border, y: border, width, height } }];
  let count = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && count < MAX_WINDOWS; depth += 1) {
    for (const { xid, box } of level) {
      if (!mayAsk(xid)) continue;
      const shown = parts.map((part) => intersect(part, box)).filter((part) => part !== undefined);
      for (const part of shown) redrawPart(client, xid, { ...part, x: part.x - box.x, y: part.y - box.y }, mode);
    }
    count += level.length;
    const inner = await Promise.all(level.map((one) => childrenOf(client, one, parts)));
    level = inner.flat();
  }
  await client.sync();
}

function redrawPart(client: X11Client, xid: number, { x: left, y: top, width, height }: Box, mode: RedrawMode): void {
  if (mode === 'clear') return client.send((x) => x.ClearArea(xid, left, top, width, height, 1));
  const event = Buffer.alloc(32);
  event[0] = EXPOSE;
  event.writeUInt32LE(xid, 4);
  for (const [at, value] of [left, top, width, height].entries()) event.writeUInt16LE(value, 8 + at * 2);
  client.send((x) => x.SendEvent(xid, 0, EXPOSURE_MASK, event));
}

async function childrenOf(client: X11Client, { xid, box }: InnerWindow, parts: readonly Box[]): Promise<InnerWindow[]> {
  const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(xid, reply));
  const children = await Promise.all(
    (tree?.children ?? []).slice(0, MAX_WINDOWS).map((child) => readInner(client, child)),
  );
  return children
    .filter((child) => child !== undefined)
    .map(({ xid: child, box: own }) => ({ xid: child, box: { ...own, x: box.x + own.x, y: box.y + own.y } }))
    .filter((child) => parts.some((part) => intersect(part, child.box)));
}

async function readInner(client: X11Client, xid: number): Promise<InnerWindow | undefined> {
  const [attributes, geometry] = await Promise.all([
    client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
  ]);
  if (attributes?.klass !== INPUT_OUTPUT || attributes.mapState !== VIEWABLE || !geometry) return undefined;
  const { xPos, yPos, width, height, borderWidth } = geometry;
  return { xid, box: { x: xPos + borderWidth, y: yPos + borderWidth, width, height } };
}

/**
 * An app that draws all of its content does so within this time; others need the server to fill in their background.
 */
const EXPOSE_MS = 200;
/** How long an app may take to redraw. */
const REDRAW_MS = 1500;
/** After this time without drawing, the app has finished. */
const QUIET_MS = 40;

/**
 * Makes sure that all pixels of `part` are the window's own, if necessary by redrawing it. First the window manager
 * redraws the frame, then, if that is not enough, the app its content. A stopped app is not asked: only the bare
 * background would appear, and that would not be the real content.
 */
export async function ensureOwnPixels(
  client: X11Client,
  own: WindowPixels,
  top: number,
  part: Box,
  { window, deadline }: { window: XWindow; deadline: Deadline },
): Promise<boolean> {
  const uncertain = (): Box[] => own.uncertainIn(top, part);
  if (uncertain().length === 0) return true;
  const programOf = (xid: number): number => (xid & ~client.setup.resource_mask) >>> 0;
  const isOfApp = (xid: number): boolean => programOf(xid) === programOf(window.xid);
  const until = async (limit: Deadline): Promise<boolean> => {
    while (uncertain().length > 0 && !limit.over) await own.next(limit.remaining());
    return uncertain().length === 0;
  };
  await requestRedraw(client, top, uncertain(), 'clear', (xid) => !isOfApp(xid));
  if (!window.stopped) await requestRedraw(client, top, uncertain(), 'expose', isOfApp);
  if (!(await until(deadline.atMost(EXPOSE_MS)))) {
    if (window.stopped) return false;
    await requestRedraw(client, top, uncertain(), 'clear', isOfApp);
    if (!(await until(deadline.atMost(REDRAW_MS)))) return false;
  }
  await waitUntilDrawn(own, top, deadline.atMost(REDRAW_MS));
  return true;
}

/** A background that the server filled in counts as drawn, but the content on it follows a moment later. */
async function waitUntilDrawn(own: WindowPixels, top: number, limit: Deadline): Promise<void> {
  let before: number;
  do {
    before = own.drawingsOf(top);
    await pause(QUIET_MS);
  } while (own.drawingsOf(top) !== before && !limit.over);
}
