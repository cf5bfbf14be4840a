import type { Attributes, Geometry, Screen, Tree } from 'x11';
import { type Deadline, DesktopError } from '../../../shared/index.js';
import { type Box, intersect, sameBox } from '../../../tree/index.js';
import type { Screenshot } from '../../contract/index.js';
import { type X11Client, XRequestError } from '../x11/client.js';
import type { XWindow } from '../x11/windows/window.js';
import { pixelFormat, readDrawable, captureScreen } from './pixels.js';
import { ensureOwnPixels } from './redraw.js';
import type { SharedImage } from './shared-image.js';
import type { WindowPixels } from './window-pixels.js';

const MAX_DEPTH = 8;

interface WindowCaptureRequest {
  client: X11Client;
  shared: SharedImage;
  own: WindowPixels;
  windows(): Promise<XWindow[]>;
  /** The window's id. */
  id: string;
  /** In screen coordinates; the whole frame if absent. */
  part?: Box;
  deadline: Deadline;
  /** Nothing is redrawn for it. */
  passive: boolean;
}

/** Captures what the window itself has drawn, even if it is covered. */
export async function captureWindow(request: WindowCaptureRequest): Promise<Screenshot> {
  const { client, own, id, part, deadline } = request;
  let top: number | undefined;
  for (;;) {
    deadline.throwIfOver('Capturing a window that keeps changing');
    const before = top === undefined ? undefined : await outerBox(client, top);
    const windows = await request.windows();
    const window = requireCapturable(windows, id, client.screen);
    const topLevel = await topLevelOf(client, window.xid);
    if (before === undefined || topLevel !== top) {
      top = topLevel;
      continue;
    }
    const wanted = intersect(part ?? window.bounds, before);
    if (!wanted)
      throw new DesktopError('not_ready', 'That part is no longer inside the window.', {
        hint: 'Run ui_snapshot to see the window as it is now.',
      });
    const relative: Box = { ...wanted, x: wanted.x - before.x, y: wanted.y - before.y };
    await own.sync();
    const generation = own.generationOf(top);
    // What the window has not drawn since it was shown stays the same until it draws there.
    if (!request.passive && !(await ensureOwnPixels(client, own, top, relative, { window, deadline })))
      throw notDrawnError(window, windows, wanted);
    const rgba = generation === undefined ? undefined : await readWindow(request, top, relative);
    await own.sync();
    // The server restarted its pixels during the read, so they may contain those of other windows; or the window moved.
    if (!rgba || own.generationOf(top) !== generation || !sameBox(before, await outerBox(client, top))) continue;
    const { x, y, width, height } = wanted;
    return request.shared.lend({ rgba, width, height, origin: { x, y } });
  }
}

/** Undefined if the window was just hidden or resized. */
async function readWindow(request: WindowCaptureRequest, top: number, part: Box): Promise<Buffer | undefined> {
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

/** The child of the root that contains the window: its frame, or the window itself. */
async function topLevelOf(client: X11Client, xid: number): Promise<number> {
  let top = xid;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const child = top;
    const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(child, reply));
    if (!tree) break;
    if (tree.parent === client.root || tree.parent === 0) return top;
    top = tree.parent;
  }
  throw windowClosedError();
}

async function outerBox(client: X11Client, top: number): Promise<Box> {
  const geometry = await client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(top, reply));
  if (!geometry) throw windowClosedError();
  const { xPos: x, yPos: y, width, height, borderWidth } = geometry;
  return { x, y, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}

function windowClosedError(): DesktopError {
  return new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
}

/**
 * For a server that cannot keep the pixels of windows separately: crops the screen, if the window is not covered before
 * and after.
 */
export async function captureUncoveredWindow(request: Omit<WindowCaptureRequest, 'own'>): Promise<Screenshot> {
  const { client, shared, id, part, deadline } = request;
  for (;;) {
    deadline.throwIfOver('Capturing a window that keeps changing');
    const before = await uncoveredBounds(request);
    const screenshot = await captureScreen(client, shared, part ? (intersect(part, before) ?? before) : before);
    if (sameBox(before, await uncoveredBounds(request))) return screenshot;
  }

  async function uncoveredBounds({ windows }: Pick<WindowCaptureRequest, 'windows'>): Promise<Box> {
    const all = await windows();
    const window = requireCapturable(all, id, client.screen);
    const coveredBy = occludersOf(window, all, part ?? window.bounds).map((occluder) => occluder.id);
    if (coveredBy.length === 0) return window.bounds;
    throw new DesktopError('not_ready', 'The window is covered, and this display can only capture what is in front.', {
      hint: 'Bring the window to the front first.',
      details: { why: 'covered', coveredBy },
    });
  }
}

/** The window, if it can be captured. */
function requireCapturable(windows: readonly XWindow[], id: string, screen: Screen): XWindow {
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
        ? 'is outside the screen'
        : undefined;
  if (why === undefined) return window;
  throw new DesktopError('not_ready', `The window ${why}, so it cannot be captured.`, {
    hint: window.minimised ? 'Restore it first.' : 'Move it onto the screen first.',
    details: { why: window.minimised ? 'minimised' : window.visible ? 'outside' : 'hidden' },
  });
}

/** The windows in front of it that overlap this part of the screen; `windows` is ordered front to back. */
function occludersOf(window: XWindow, windows: readonly XWindow[], part: Box): XWindow[] {
  const at = windows.findIndex((one) => one.id === window.id);
  return windows
    .slice(0, at)
    .filter((other) => other.visible && !other.minimised && intersect(other.bounds, part) !== undefined);
}

/** The error if some pixels could belong to another window. */
function notDrawnError(window: XWindow, windows: readonly XWindow[], part: Box): DesktopError {
  const coveredBy = occludersOf(window, windows, part).map(({ id }) => id);
  const covered = coveredBy.length > 0 ? 'is covered, and ' : '';
  const why = window.stopped ? 'its app is stopped' : 'its app does not redraw it';
  return new DesktopError('not_ready', `The window ${covered}has not drawn all of its content yet: ${why}.`, {
    hint: 'Wait until its app responds, or bring the window to the front.',
    details: { why: 'undrawn', coveredBy },
  });
}
