import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Deadline, DesktopError } from '../../../../shared/index.js';
import type { Size } from '../../../../tree/index.js';
import { COOKIE_PROTOCOL } from '../../x11/wire.js';
import { type ServiceProcess, startService } from './process.js';

interface DisplayRequest {
  display: number;
  /** Size of the whole X screen with all monitors. */
  screen: Size;
  authFile: string;
  /** Title of the window that shows the display; undefined for an invisible display. */
  title?: string;
  env: Record<string, string>;
  /** Called at once, so that a cleanup knows the process and its lock whatever happens next. */
  onStarted: (server: ServiceProcess) => void;
}

/** Returns undefined if another X server has the number. */
export async function startDisplay(request: DisplayRequest, deadline: Deadline): Promise<ServiceProcess | undefined> {
  const server = await startService(serverProgram(request), [...serverArguments(request)], {
    env: request.env,
    report: true,
  });
  request.onStarted(server);
  try {
    transferLock(request.display, server.id.pid);
    const number = await deadline.race(server.firstLine, 'Starting the X server');
    if (Number(number) !== request.display) throw new Error(`the X server reported display ${number}`);
    return server;
  } catch (error) {
    await server.end();
    if (/already (running|active)|Cannot establish any listening/i.test(server.stderrTail())) return undefined;
    if (error instanceof DesktopError) throw error;
    throw new DesktopError('driver_unavailable', `The X server (${serverProgram(request)}) did not start.`, {
      hint: server.stderrTail() ? `It reported: ${server.stderrTail()}` : undefined,
      cause: error,
    });
  }
}

const serverProgram = (request: DisplayRequest): string => (request.title === undefined ? 'Xvfb' : 'Xephyr');

/** File descriptor 3 is the report pipe of `startService`. */
function serverArguments({ display, screen, authFile, title }: DisplayRequest): string[] {
  const area = `${screen.width}x${screen.height}`;
  return [
    `:${display}`,
    ...(title === undefined ? ['-screen', '0', `${area}x24`] : ['-screen', area, '-title', title, '-no-host-grab']),
    ...['-displayfd', '3', '-auth', authFile, '-nolisten', 'tcp'],
    // Without -noreset the server discards monitors and properties when its last client disconnects.
    // The default is 256. Each app needs one connection or more, and a full server refuses our own as well.
    ...['-maxclients', '2048'],
    ...['-noreset', '-dpi', '96', '-s', '0', '-dpms'],
    ...['COMPOSITE', 'DAMAGE', 'RANDR', 'XTEST'].flatMap((name) => ['+extension', name]),
  ];
}

const FIRST_DISPLAY = 100;
const DISPLAY_COUNT = 2000;

export const lockFile = (display: number): string => `/tmp/.X${display}-lock`;
export const socketFile = (display: number): string => `/tmp/.X11-unix/X${display}`;

/**
 * An X server started with -displayfd takes no lock itself. A second one would unlink the socket of the first if both
 * share /tmp but not the network namespace. So the usual lock file of the number is created here. `announce` gets the
 * number before the lock exists, so that a cleanup knows about it.
 */
export function claimDisplay(announce: (display: number) => void, taken: ReadonlySet<number>): number {
  for (let display = FIRST_DISPLAY; display < FIRST_DISPLAY + DISPLAY_COUNT; display++) {
    if (taken.has(display) || existsSync(lockFile(display)) || existsSync(socketFile(display))) continue;
    announce(display);
    if (takeLock(display, process.pid)) return display;
  }
  throw new DesktopError('driver_unavailable', `There is no free display number from :${FIRST_DISPLAY} up.`, {
    hint: 'Remove stale /tmp/.X*-lock files, or stop desktops that deskproof desktop list shows.',
  });
}

function takeLock(display: number, pid: number): boolean {
  const draft = writeLockDraft(display, pid);
  try {
    linkSync(draft, lockFile(display)); // Atomic, with its full content from the start: other programs read the pid.
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new DesktopError('driver_unavailable', 'Cannot write the display lock in /tmp.', { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Passes the lock from this process to the X server after it has started. */
export function transferLock(display: number, pid: number): void {
  renameSync(writeLockDraft(display, pid), lockFile(display));
}

function writeLockDraft(display: number, pid: number): string {
  const draft = `/tmp/.tX${display}-lock-${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${String(pid).padStart(10)}\n`, { mode: 0o444, flag: 'wx' });
  return draft;
}

/** Removes lock and socket if they belong to one of these processes, which the caller knows to be dead. */
export function releaseDisplay(display: number, owners: readonly number[]): void {
  let holder: number;
  try {
    holder = Number(readFileSync(lockFile(display), 'latin1'));
  } catch {
    return; // No lock: the number was never ours, or is already free.
  }
  if (!owners.includes(holder)) return;
  rmSync(socketFile(display), { force: true });
  rmSync(lockFile(display), { force: true });
}

/**
 * Writes an X authority file with one entry for any address and any display (family 65535, empty number), so that it
 * can exist before the display has a number. Returns the cookie.
 */
export function writeCookie(file: string): Buffer {
  const cookie = randomBytes(16);
  const entry = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_PROTOCOL), cookie];
  const parts = entry.flatMap((data) => [uint16(data.length), data]);
  writeFileSync(file, Buffer.concat([uint16(65535), ...parts]), { mode: 0o600, flag: 'wx' });
  return cookie;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
