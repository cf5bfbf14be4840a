import type { Deadline } from '../../shared/index.js';
import { roleFromAtspi } from '../../tree/index.js';
import { processState, type AppCalls } from './atspi/app-link.js';
import type { AppName, Apps } from './atspi/apps.js';
import { idOf, readRole, readStates } from './atspi/raw-element.js';
import { readTopLevels, type TopLevel } from './atspi/top-level.js';
import { identifyProcess, type XWindow } from './x/index.js';

/** An app that does not answer by then is left out of the list; the others must not wait for it. */
const PATIENCE_MS = 400;

export interface BusWindows {
  windows: XWindow[];
  /** Apps that could not be asked. */
  silent: number;
}

/**
 * Windows of apps that the X server does not know: on Wayland the apps themselves are the only ones who tell. Such
 * windows have no place: what they say of positions counts from their own corner.
 */
export async function busWindows(apps: Apps, known: readonly XWindow[], deadline: Deadline): Promise<BusWindows> {
  const pids = new Set(known.map((window) => window.pid));
  const others = (await apps.list(deadline)).filter((app) => !pids.has(app.pid));
  const lists = await Promise.all(others.map((app) => windowsOf(apps, app, deadline.atMost(PATIENCE_MS))));
  return { windows: lists.flatMap((list) => list ?? []), silent: lists.filter((list) => !list).length };
}

async function windowsOf(apps: Apps, app: AppName, deadline: Deadline): Promise<XWindow[] | undefined> {
  if (processState(app.pid) === 'T') return undefined;
  try {
    const calls = (await apps.link(app, deadline)).until(deadline);
    const topLevels = await readTopLevels(calls);
    return await Promise.all(topLevels.map((topLevel) => windowOf(calls, topLevel)));
  } catch {
    // Hung or just gone: counted by the caller, and read errors tell more when one looks at it.
    return undefined;
  }
}

async function windowOf(calls: AppCalls, { address, name, extents }: TopLevel): Promise<XWindow> {
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
