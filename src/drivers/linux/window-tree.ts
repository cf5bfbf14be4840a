import { DesktopError, type Deadline } from '../../shared/index.js';
import { cleanName, type Box, type Node } from '../../tree/index.js';
import { endsWithin, processState, type AppCalls, type AppLink } from './atspi/app-link.js';
import type { Apps } from './atspi/apps.js';
import type { Place } from './atspi/place.js';
import { idOf } from './atspi/raw-element.js';
import { matchTopLevel, readTopLevels, type SystemWindow, type TopLevel } from './atspi/top-level.js';
import type { XWindow } from './x/index.js';

/** A window joined with the app's own tree of it. */
export interface WindowTree {
  window: XWindow;
  calls: AppCalls;
  topLevel: TopLevel;
  /** All that the app shows as windows of their own. */
  ownWindows: ReadonlySet<string>;
  /** Where reading starts from: the toolkit's shift and the screen's edges. */
  place: Place;
}

/** The app's tree of this window; undefined for a plain client that has none. */
export async function findTree(
  apps: Apps,
  windows: XWindow[],
  window: XWindow,
  screen: Box | undefined,
  deadline: Deadline,
  callsTo = (link: AppLink): AppCalls => link.until(deadline),
): Promise<WindowTree | undefined> {
  const { pid } = window;
  if (pid === undefined) return undefined;
  refuseStopped(window);
  const names = (await apps.list(deadline)).filter((app) => app.pid === pid);
  for (const name of names) {
    const link = await apps.link(name, deadline);
    const calls = callsTo(link);
    calls.count++; // The list of the apps is a call too.
    const topLevels = await explained(link, () => readTopLevels(calls));
    const topLevel = pickTopLevel(topLevels, window, windows);
    if (!topLevel) continue;
    const ownWindows = new Set(topLevels.map(({ address }) => idOf(address)));
    return { window, calls, topLevel, ownWindows, place: rootPlace(link, topLevel, window, windows, screen) };
  }
  return undefined;
}

/** Which of an app's top-levels this window is. */
export function pickTopLevel(topLevels: TopLevel[], window: XWindow, windows: XWindow[]): TopLevel | undefined {
  if (window.placeless) return topLevels.find(({ address }) => window.id === `a:${idOf(address)}`);
  const managed = windows.filter((other) => other.pid === window.pid && !other.overrideRedirect);
  // A menu's window is never the app's only one; its items stand in its owner's tree.
  const siblings = window.role === 'popup' ? 0 : managed.length;
  const rivals = managed.filter(({ id, placeless }) => id !== window.id && !placeless).map(asSystemWindow);
  return matchTopLevel(topLevels, asSystemWindow(window), siblings, rivals);
}

const asSystemWindow = ({ title, client, bounds }: XWindow): SystemWindow => ({ title, client, frame: bounds });

/** The kernel knows at once what a deadline would tell after 1.5 s. */
export function refuseStopped({ pid }: XWindow): void {
  if (pid === undefined || processState(pid) !== 'T') return;
  throw new DesktopError('app_hung', 'The app is stopped and does not answer.', {
    hint: 'Wait and look again; other windows can still be read.',
    retry: 'after',
    retryAfter: 'it runs again',
    details: { pid },
  });
}

/** An app that leaves the bus may be about to die: its windows stay on the display for a moment longer. */
export async function refuseEnding({ pid }: Pick<XWindow, 'pid'>): Promise<void> {
  if (pid === undefined || !(await endsWithin(pid))) return;
  throw new DesktopError('process_gone', 'The app has ended.', {
    hint: 'Start it again, then look again.',
    retry: 'no',
    details: { pid },
  });
}

/** Runs calls to an app; what goes wrong is said in the house's words. */
export async function explained<T>(link: AppLink, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await link.explain(error);
  }
}

/**
 * GTK 4 counts from its own frame, which lies in the middle of the X window with a shadow around it.
 */
export function rootPlace(
  link: AppLink,
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
  const popups = windows.filter((one) => one.role === 'popup' && one.pid === window.pid).map((one) => one.bounds);
  return { shift, clip: screen, ...(popups.length > 0 && { popups }) };
}

/** A window whose app offers no tree, or none that can be read now. */
export function bareRoot(window: XWindow, children: Node[] = []): Node {
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
