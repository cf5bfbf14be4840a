import { type Deadline, DesktopError } from '../../../shared/index.js';
import { type Box, cleanName, type Node, roleFromAtspi } from '../../../tree/index.js';
import { idOf, readRole, readStates } from '../atspi/accessible.js';
import { type AppCalls, type AppConnection, endsWithin } from '../atspi/app-connection.js';
import { processState, identifyProcess } from '../processes.js';
import type { AppName, Apps } from '../atspi/apps.js';
import type { Place } from '../atspi/bounds.js';
import { matchTopLevel, readTopLevels, type SystemWindow, type TopLevel } from '../atspi/top-level.js';
import type { XWindow } from '../x11/windows/window.js';

/** A window and the app's accessibility tree for it. */
export interface WindowTree {
  window: XWindow;
  calls: AppCalls;
  topLevel: TopLevel;
  /** Ids of all top-levels of the app. */
  ownWindows: ReadonlySet<string>;
  /** Start of the read: the toolkit's shift and the edges of the screen. */
  place: Place;
}

/** The app's tree for this window. Undefined for a plain X client without a tree. */
export async function findTree(
  apps: Apps,
  windows: XWindow[],
  window: XWindow,
  screen: Box | undefined,
  deadline: Deadline,
  callsTo = (link: AppConnection): AppCalls => link.until(deadline),
): Promise<WindowTree | undefined> {
  const { pid } = window;
  if (pid === undefined) return undefined;
  assertNotStopped(window);
  const names = (await apps.list(deadline)).filter((app) => app.pid === pid);
  for (const name of names) {
    const link = await apps.connect(name, deadline);
    const calls = callsTo(link);
    calls.count++; // Listing the apps is a call too.
    const topLevels = await withAppErrors(link, () => readTopLevels(calls));
    const topLevel = pickTopLevel(topLevels, window, windows);
    if (!topLevel) continue;
    const ownWindows = new Set(topLevels.map(({ address }) => idOf(address)));
    return { window, calls, topLevel, ownWindows, place: rootPlace(link, topLevel, window, windows, screen) };
  }
  return undefined;
}

/** The app's top-level for this window. */
export function pickTopLevel(topLevels: TopLevel[], window: XWindow, windows: XWindow[]): TopLevel | undefined {
  if (window.placeless) return topLevels.find(({ address }) => window.id === `a:${idOf(address)}`);
  const managed = windows.filter((other) => other.pid === window.pid && !other.overrideRedirect);
  // The window of a menu is never the app's only window. Its items are in the owner's tree.
  const siblings = window.role === 'popup' ? 0 : managed.length;
  const otherWindows = managed.filter(({ id, placeless }) => id !== window.id && !placeless).map(asSystemWindow);
  return matchTopLevel(topLevels, asSystemWindow(window), siblings, otherWindows);
}

const asSystemWindow = ({ title, client, bounds }: XWindow): SystemWindow => ({ title, client, frame: bounds });

/** The kernel reports a stopped process at once. A timeout would take 1.5 s. */
export function assertNotStopped({ pid }: XWindow): void {
  if (pid === undefined || processState(pid) !== 'T') return;
  throw new DesktopError('app_hung', 'The app is stopped and does not answer.', {
    hint: 'Wait, then run ui_snapshot again. Other windows can still be read.',
    retry: 'after',
    retryAfter: 'it runs again',
    details: { pid },
  });
}

/** An app that leaves the bus may be about to exit. Its windows stay on the display for a moment longer. */
export async function assertNotExiting({ pid }: Pick<XWindow, 'pid'>): Promise<void> {
  if (pid === undefined || !(await endsWithin(pid))) return;
  throw new DesktopError('process_gone', 'The app has ended.', {
    hint: 'Start it again, then run ui_snapshot.',
    retry: 'no',
    details: { pid },
  });
}

/** Runs calls to an app and converts failures into a `DesktopError`. */
export async function withAppErrors<T>(link: AppConnection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await link.toDesktopError(error);
  }
}

/** GTK 4 uses coordinates relative to its own frame, which lies centred in the X window with a shadow around it. */
export function rootPlace(
  link: AppConnection,
  topLevel: TopLevel,
  window: XWindow,
  windows: readonly XWindow[],
  screen: Box | undefined,
): Place {
  const extents = topLevel.extents;
  if (link.toolkit.coordinates === 'screen' || !extents) return { shift: { x: 0, y: 0 }, clip: screen };
  const { client, shadow } = window;
  const shift = shadow
    ? { x: client.x + shadow[0], y: client.y + shadow[2] }
    : {
        x: client.x + Math.round((client.width - extents.width) / 2),
        y: client.y + Math.round((client.height - extents.height) / 2),
      };
  const popups = windows
    .filter((candidate) => candidate.role === 'popup' && candidate.pid === window.pid)
    .map((candidate) => candidate.bounds);
  return { shift, clip: screen, ...(popups.length > 0 && { popups }) };
}

/** The root for a window whose app offers no tree, or none that can be read now. */
export function rootWithoutTree(window: XWindow, children: Node[] = []): Node {
  return {
    id: window.id,
    role: window.role === 'popup' ? 'popup' : window.role,
    ...(window.title !== '' && { name: cleanName(window.title).text }),
    ...(!window.placeless && { bounds: window.bounds }),
    states: { enabled: true, visible: window.visible, active: window.active, ...(window.modal && { modal: true }) },
    patterns: [],
    platformIds: {},
    children,
  };
}

/** An app that does not answer within this time is left out of the list, so that the other apps do not wait for it. */
const APP_TIMEOUT_MS = 400;

export interface BusWindows {
  windows: XWindow[];
  /** Number of apps that could not be asked. */
  unresponsive: number;
}

/**
 * Windows of apps that the X server does not know. On Wayland only the apps themselves report them. Such windows have
 * no position: they report positions relative to their own corner.
 */
export async function busWindows(apps: Apps, known: readonly XWindow[], deadline: Deadline): Promise<BusWindows> {
  const pids = new Set(known.map((window) => window.pid));
  const others = (await apps.list(deadline)).filter((app) => !pids.has(app.pid));
  const lists = await Promise.all(others.map((app) => readAppWindows(apps, app, deadline.atMost(APP_TIMEOUT_MS))));
  return { windows: lists.flatMap((list) => list ?? []), unresponsive: lists.filter((list) => !list).length };
}

async function readAppWindows(apps: Apps, app: AppName, deadline: Deadline): Promise<XWindow[] | undefined> {
  if (processState(app.pid) === 'T') return undefined;
  try {
    const calls = (await apps.connect(app, deadline)).until(deadline);
    const topLevels = await readTopLevels(calls);
    return await Promise.all(topLevels.map((topLevel) => toXWindow(calls, topLevel)));
  } catch {
    // Hung or just ended. The caller counts these apps, and reading one reports a detailed error.
    return undefined;
  }
}

async function toXWindow(calls: AppCalls, { address, name, extents }: TopLevel): Promise<XWindow> {
  const [roleNumber, bits] = await Promise.all([readRole(calls, address[1]), readStates(calls, address[1])]);
  const identity = identifyProcess(calls.app.pid);
  const role = roleFromAtspi(roleNumber);
  const box = { x: 0, y: 0, width: extents?.width ?? 0, height: extents?.height ?? 0 };
  return {
    xid: 0,
    id: `a:${idOf(address)}`,
    title: name,
    role: role === 'dialog' || role === 'alertdialog' ? 'dialog' : name === '' ? 'popup' : 'window',
    pid: calls.app.pid,
    app: identity?.app ?? calls.app.name,
    ...(identity?.program !== undefined && { program: identity.program }),
    stopped: false,
    bounds: box,
    client: box,
    placeless: true,
    visible: bits?.has('showing') ?? false,
    minimised: false,
    maximised: false,
    fullscreen: false,
    active: bits?.has('active') ?? false,
    modal: bits?.has('modal') ?? false,
    above: false,
    skipTaskbar: false,
    overrideRedirect: name === '',
  };
}
