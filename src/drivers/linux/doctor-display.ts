import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Finding } from '../contract/index.js';
import { XDisplay, type Environment } from './x11/display.js';
import { windowManagerName } from './x11/windows/properties.js';
import type { XWindow } from './x11/windows/window.js';
import { X11Client } from './x11/client.js';
import { encodeNumbers } from './x11/wire.js';

interface DisplayExamination {
  findings: Finding[];
  /** Empty if the display could not be opened. */
  windows: XWindow[];
}

const START_PRIVATE = 'deskproof desktop start';

/** X name of each extension, and what does not work without it. */
const EXTENSIONS: readonly [string, string][] = [
  ['XTEST', 'mouse and keyboard input cannot be injected'],
  ['XInputExtension', 'user activity at mouse and keyboard cannot be detected'],
  ['DAMAGE', 'changes that apps do not announce cannot be detected'],
  ['X-Resource', 'the program of a window cannot be verified, so no allow rule matches it'],
  ['RANDR', 'monitors are guessed'],
  ['XFIXES', 'the overlay cannot be shown'],
  ['Composite', 'covered windows cannot be captured'],
];

export async function examineDisplay(env: Environment, deadline: Deadline): Promise<DisplayExamination> {
  const wayland = Boolean(env.WAYLAND_DISPLAY) || env.XDG_SESSION_TYPE === 'wayland';
  const findings: Finding[] = wayland ? [waylandSession(Boolean(env.DISPLAY))] : [];
  if (!env.DISPLAY && wayland) return { findings, windows: [] };
  let display: XDisplay;
  try {
    display = await XDisplay.open(env, deadline.atMost(3000));
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return { findings: [...findings, failed(error)], windows: [] };
  }
  try {
    const xwayland = await deadline.race(display.client.hasExtension('XWAYLAND'), 'Examining the display');
    // In another shell (sudo, ssh) the environment may not show it.
    if (xwayland && !wayland) findings.push(waylandSession(true));
    const examined = await deadline.race(examineOpen(display, wayland || xwayland, deadline), 'Examining the display');
    return { ...examined, findings: [...findings, ...examined.findings] };
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return { findings: [...findings, failed(error)], windows: [] };
  } finally {
    display.close();
  }
}

async function examineOpen(display: XDisplay, wayland: boolean, deadline: Deadline): Promise<DisplayExamination> {
  const { client, atoms } = display.parts;
  const [monitors, windows, manager, door, ...present] = await Promise.all([
    display.monitors(deadline),
    display.windows(deadline),
    windowManagerName(client, atoms),
    openAccess(client, deadline),
    ...EXTENSIONS.map(([name]) => client.hasExtension(name)),
  ]);
  const missing = EXTENSIONS.filter((_, index) => !present[index]);
  const server = wayland ? 'XWayland' : 'X11';
  const count = monitors.length === 1 ? '1 monitor' : `${monitors.length} monitors`;
  const findings: Finding[] = [{ level: 'ok', what: `display ${display.name}, ${server}, ${count}` }];
  findings.push(
    manager
      ? { level: 'ok', what: `window manager ${manager}` }
      : {
          level: 'warn',
          what: `no window manager on ${display.name}: windows cannot be moved, minimised or activated`,
          fix: `DISPLAY=${display.name} openbox &`,
        },
  );
  if (missing.length === 0)
    findings.push({ level: 'ok', what: `extensions ${EXTENSIONS.map(([name]) => name).join(', ')}` });
  for (const [name, loss] of missing) {
    findings.push({ level: 'warn', what: `display ${display.name} has no ${name}: ${loss}`, fix: START_PRIVATE });
  }
  if (door) findings.push({ level: 'warn', what: `display ${display.name} is open to ${door.who}`, fix: door.fix });
  return { findings, windows };
}

function waylandSession(withX: boolean): Finding {
  const windows = withX
    ? 'only windows of X programs have a known position'
    : 'there is no XWayland (DISPLAY is not set)';
  return {
    level: 'warn',
    what: `Wayland session: apps can be read, but their position is unknown; captures need the compositor's consent; ${windows}`,
    fix: START_PRIVATE,
  };
}

function failed(error: DesktopError): Finding {
  return { level: 'fail', what: error.message, ...(error.hint && { fix: error.hint }) };
}

/** Clients that may open the display without its cookie. */
interface DisplayAccess {
  who: string;
  fix: string;
}

const LIST_HOSTS = 110;
const FAMILY_LOCAL_HOST = 252;
const FAMILY_INTERPRETED = 5;

interface Host {
  family: number;
  address: string;
}

/**
 * Any client that may connect can read the keys and pixels of every app on the display. The server's list does not show
 * a server that was started without a cookie, so this also tries to connect without one.
 */
async function openAccess(client: X11Client, deadline: Deadline): Promise<DisplayAccess | undefined> {
  const { enabled, hosts } = await client.requestRaw(encodeNumbers(LIST_HOSTS, 0), unpackHosts);
  if (!enabled) return { who: 'every client that can reach it', fix: 'xhost -' };
  if (hosts.some((host) => host.family === FAMILY_LOCAL_HOST)) {
    return { who: 'every user of this machine', fix: 'xhost -local:' };
  }
  const named = hosts.find((host) => host.family !== FAMILY_INTERPRETED);
  if (named)
    return {
      who: 'all users of the hosts that xhost allowed',
      fix: 'list them with xhost, then run xhost -NAME for each',
    };
  const hasLocalUser = hosts.some((host) => host.family === FAMILY_INTERPRETED && host.address.startsWith('localuser'));
  if (hasLocalUser || !client.local) return undefined;
  try {
    (await X11Client.connect(client.name, { entries: [] }, deadline.atMost(1000))).close();
  } catch (error) {
    if (error instanceof DesktopError) return undefined; // refused, as it should be
    throw error;
  }
  return {
    who: 'every user of this machine, because the server was started without a cookie',
    fix: 'start its server with -auth FILE',
  };
}

/** The reply of ListHosts without its first 8 bytes; `mode` is the second of those. */
export function unpackHosts(body: Buffer, mode: number): { enabled: boolean; hosts: Host[] } {
  const hosts: Host[] = [];
  const count = body.readUInt16LE(0);
  for (let index = 0, at = 24; index < count && at + 4 <= body.length; index += 1) {
    const length = body.readUInt16LE(at + 2);
    hosts.push({ family: body[at]!, address: body.toString('latin1', at + 4, at + 4 + length) });
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return { enabled: mode !== 0, hosts };
}
