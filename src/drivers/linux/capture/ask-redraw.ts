import type { Attributes, Geometry, Tree } from 'x11';
import { intersect, type Box } from '../../../tree/index.js';
import type { X11Client } from '../x/x11-client.js';

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
  const geometry = await client.askGone<Geometry>((x, reply) => x.GetGeometry(top, reply));
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
  if (asking === 'clear') return client.tell((x) => x.ClearArea(xid, left, top, width, height, 1));
  const event = Buffer.alloc(32);
  event[0] = EXPOSE;
  event.writeUInt32LE(xid, 4);
  for (const [at, value] of [left, top, width, height].entries()) event.writeUInt16LE(value, 8 + at * 2);
  client.tell((x) => x.SendEvent(xid, 0, EXPOSURES, event));
}

async function childrenOf(client: X11Client, { xid, box }: Inner, parts: readonly Box[]): Promise<Inner[]> {
  const tree = await client.askGone<Tree>((x, reply) => x.QueryTree(xid, reply));
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
    client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.askGone<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
  ]);
  if (attributes?.klass !== INPUT_OUTPUT || attributes.mapState !== VIEWABLE || !geometry) return undefined;
  const { xPos, yPos, width, height, borderWidth } = geometry;
  return { xid, box: { x: xPos + borderWidth, y: yPos + borderWidth, width, height } };
}
