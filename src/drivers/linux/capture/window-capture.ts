import type { Attributes, Geometry, Screen, Tree } from 'x11';
import { type Deadline, DesktopError } from '../../../shared/index.js';
import { type Box, intersect, sameBox } from '../../../tree/index.js';
import type { Screenshot } from '../../contract/index.js';
import { type X11Client, XRequestError } from '../x11/client.js';
import type { XWindow } from '../x11/windows/window.js';
import { pixelFormat, readDrawable, takePicture } from './pixels.js';
import { becomeSure } from './redraw.js';
import type { SharedPicture } from './shared-image.js';
import type { OwnPixels } from './window-pixels.js';

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
export async function windowPicture(request: WindowPictureRequest): Promise<Screenshot> {
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
    client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(top, reply)),
    client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(top, reply)),
  ]);
  if (!composite || !attributes || !geometry) return undefined;
  const format = pixelFormat(client, { depth: geometry.depth, visual: attributes.visual });
  const pixmap = client.raw.AllocID();
  client.send(() => composite.NameWindowPixmap(top, pixmap));
  try {
    return await readDrawable(client, shared, pixmap, part, format);
  } catch (error) {
    if (error instanceof XRequestError) return undefined;
    throw error;
  } finally {
    client.send((x) => {
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
    const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(child, reply));
    if (!tree) break;
    if (tree.parent === client.root || tree.parent === 0) return top;
    top = tree.parent;
  }
  throw closed();
}

async function outerBox(client: X11Client, top: number): Promise<Box> {
  const geometry = await client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(top, reply));
  if (!geometry) throw closed();
  const { xPos: x, yPos: y, width, height, borderWidth } = geometry;
  return { x, y, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}

function closed(): DesktopError {
  return new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
}

/**
 * For a server that cannot keep windows apart: cut out of the screen, when nothing covered the window before and
 * nothing does after.
 */
export async function uncoveredPicture(request: Omit<WindowPictureRequest, 'own'>): Promise<Screenshot> {
  const { client, shared, id, part, deadline } = request;
  for (;;) {
    deadline.throwIfOver('A picture of a window that keeps changing');
    const before = await bare(request);
    const picture = await takePicture(client, shared, part ? (intersect(part, before) ?? before) : before);
    if (sameBox(before, await bare(request))) return picture;
  }

  async function bare({ windows }: Pick<WindowPictureRequest, 'windows'>): Promise<Box> {
    const all = await windows();
    const window = checkShown(all, id, client.screen);
    const coveredBy = coversOf(window, all, part ?? window.bounds).map((cover) => cover.id);
    if (coveredBy.length === 0) return window.bounds;
    throw new DesktopError('not_ready', 'The window is covered, and this display shows only what is in front.', {
      hint: 'Bring the window to the front first.',
      details: { why: 'covered', coveredBy },
    });
  }
}

/** The window, if it is one of which a picture can be. */
export function checkShown(windows: readonly XWindow[], id: string, screen: Screen): XWindow {
  const window = windows.find((one) => one.id === id);
  if (!window) {
    throw new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
  }
  const desktop = { x: 0, y: 0, width: screen.pixel_width, height: screen.pixel_height };
  const why = window.minimised
    ? 'is minimised'
    : !window.visible
      ? 'is hidden'
      : !intersect(window.bounds, desktop)
        ? 'lies outside of the screen'
        : undefined;
  if (why === undefined) return window;
  throw new DesktopError('not_ready', `The window ${why}: there is no picture of it.`, {
    hint: window.minimised ? 'Restore it first.' : 'Bring it onto the screen first.',
    details: { why: window.minimised ? 'minimised' : window.visible ? 'outside' : 'hidden' },
  });
}

/** Those before it that overlap that part of the screen; `windows` is front to back. */
export function coversOf(window: XWindow, windows: readonly XWindow[], part: Box): XWindow[] {
  const at = windows.findIndex((one) => one.id === window.id);
  return windows
    .slice(0, at)
    .filter((other) => other.visible && !other.minimised && intersect(other.bounds, part) !== undefined);
}

/** The refusal where something in the picture could be of another window. */
export function notDrawn(window: XWindow, windows: readonly XWindow[], part: Box): DesktopError {
  const coveredBy = coversOf(window, windows, part).map(({ id }) => id);
  const covered = coveredBy.length > 0 ? 'is covered, and ' : '';
  const why = window.stopped ? 'its app is stopped' : 'its app does not draw it';
  return new DesktopError('not_ready', `The window ${covered}has not drawn all of itself yet: ${why}.`, {
    hint: 'Wait until its app answers, or bring the window to the front.',
    details: { why: 'undrawn', coveredBy },
  });
}
