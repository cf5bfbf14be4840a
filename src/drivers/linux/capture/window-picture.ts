import type { Attributes, Geometry, Tree } from 'x11';
import { DesktopError, type Deadline } from '../../../shared/index.js';
import { intersect, sameBox, type Box } from '../../../tree/index.js';
import type { Picture } from '../../contract/index.js';
import { XRequestError, type X11Client } from '../x/x11-client.js';
import type { XWindow } from '../x/x-window.js';
import { becomeSure } from './become-sure.js';
import type { OwnPixels } from './own-pixels.js';
import { pixelFormat } from './pixel-format.js';
import { readDrawable } from './read-drawable.js';
import type { SharedPicture } from './shared-picture.js';
import { checkShown, notDrawn } from './shown.js';

const DEEPEST = 8;

export interface WindowPictureRequest {
  client: X11Client;
  shared: SharedPicture;
  own: OwnPixels;
  windows(): Promise<XWindow[]>;
  /** Of the window. */
  id: string;
  /** On the screen; all of its frame when absent. */
  part?: Box;
  deadline: Deadline;
}

/** What the window itself has drawn, whatever covers it. */
export async function windowPicture(request: WindowPictureRequest): Promise<Picture> {
  const { client, own, id, part, deadline } = request;
  let top: number | undefined;
  for (;;) {
    deadline.throwIfOver('A picture of a window that keeps changing');
    const before = top === undefined ? undefined : await outerBox(client, top);
    const windows = await request.windows();
    const window = checkShown(windows, id, client.screen);
    const holder = await topOf(client, window.xid);
    if (before === undefined || holder !== top) {
      top = holder;
      continue;
    }
    const wanted = intersect(part ?? window.bounds, before);
    if (!wanted)
      throw new DesktopError('not_ready', 'That part is not in the window any more.', { hint: 'Look again.' });
    const inside: Box = { ...wanted, x: wanted.x - before.x, y: wanted.y - before.y };
    await own.sync();
    const birth = own.birthOf(top);
    if (!(await becomeSure(client, own, top, inside, { window, deadline }))) throw notDrawn(window, windows, wanted);
    const rgba = birth === undefined ? undefined : await readWindow(request, top, inside);
    await own.sync();
    // Its pixels were begun anew while they were read, so those of others may be among them; or it moved.
    if (!rgba || own.birthOf(top) !== birth || !sameBox(before, await outerBox(client, top))) continue;
    const release = request.shared.releaseOf(rgba);
    return { rgba, width: wanted.width, height: wanted.height, origin: { x: wanted.x, y: wanted.y }, release };
  }
}

/** Undefined when it was hidden or resized just now. */
async function readWindow(request: WindowPictureRequest, top: number, part: Box): Promise<Buffer | undefined> {
  const { client, shared } = request;
  const [composite, attributes, geometry] = await Promise.all([
    client.extension('composite'),
    client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(top, reply)),
    client.askGone<Geometry>((x, reply) => x.GetGeometry(top, reply)),
  ]);
  if (!composite || !attributes || !geometry) return undefined;
  const format = pixelFormat(client, { depth: geometry.depth, visual: attributes.visual });
  const pixmap = client.raw.AllocID();
  client.tell(() => composite.NameWindowPixmap(top, pixmap));
  try {
    return await readDrawable(client, shared, pixmap, part, format);
  } catch (error) {
    if (error instanceof XRequestError) return undefined;
    throw error;
  } finally {
    client.tell((x) => {
      x.FreePixmap(pixmap);
      x.ReleaseID(pixmap);
    });
  }
}

/** The child of the root that holds it: its frame, or itself. */
async function topOf(client: X11Client, xid: number): Promise<number> {
  let top = xid;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const child = top;
    const tree = await client.askGone<Tree>((x, reply) => x.QueryTree(child, reply));
    if (!tree) break;
    if (tree.parent === client.root || tree.parent === 0) return top;
    top = tree.parent;
  }
  throw closed();
}

async function outerBox(client: X11Client, top: number): Promise<Box> {
  const geometry = await client.askGone<Geometry>((x, reply) => x.GetGeometry(top, reply));
  if (!geometry) throw closed();
  const { xPos: x, yPos: y, width, height, borderWidth } = geometry;
  return { x, y, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}

function closed(): DesktopError {
  return new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
}
