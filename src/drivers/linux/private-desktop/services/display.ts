import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Deadline, DesktopError } from '../../../../shared/index.js';
import type { Size } from '../../../../tree/index.js';
import { type CoreProcess, startCore } from './process.js';

export interface DisplayRequest {
  display: number;
  /** Of the whole X screen, all monitors together. */
  screen: Size;
  authFile: string;
  /** Title of the window that shows it; none for a display that nobody sees. */
  title?: string;
  env: Record<string, string>;
  /** Told at once, so that the process and its lock are known whatever happens next. */
  started: (server: CoreProcess) => void;
}

/** undefined when another X server has the number. */
export async function startDisplay(request: DisplayRequest, deadline: Deadline): Promise<CoreProcess | undefined> {
  const server = await startCore(program(request), [...serverArguments(request)], { env: request.env, report: true });
  request.started(server);
  try {
    handLockTo(request.display, server.id.pid);
    const number = await deadline.race(server.firstLine, 'Starting the X server');
    if (Number(number) !== request.display) throw new Error(`it answered ${number}`);
    return server;
  } catch (error) {
    await server.end();
    if (/already (running|active)|Cannot establish any listening/i.test(server.lastWords())) return undefined;
    if (error instanceof DesktopError) throw error;
    throw new DesktopError('driver_unavailable', `The X server (${program(request)}) did not start.`, {
      hint: server.lastWords() ? `It said: ${server.lastWords()}` : undefined,
      cause: error,
    });
  }
}

const program = (request: DisplayRequest): string => (request.title === undefined ? 'Xvfb' : 'Xephyr');

/** File descriptor 3 is `startCore`'s report pipe. */
function serverArguments({ display, screen, authFile, title }: DisplayRequest): string[] {
  const area = `${screen.width}x${screen.height}`;
  return [
    `:${display}`,
    ...(title === undefined ? ['-screen', '0', `${area}x24`] : ['-screen', area, '-title', title, '-no-host-grab']),
    ...['-displayfd', '3', '-auth', authFile, '-nolisten', 'tcp'],
    // Without -noreset the server forgets monitors and properties when its last client leaves.
    ...['-noreset', '-dpi', '96', '-s', '0', '-dpms'],
    ...['COMPOSITE', 'DAMAGE', 'RANDR', 'XTEST'].flatMap((name) => ['+extension', name]),
  ];
}

const FIRST = 100;
const COUNT = 2000;

export const lockFile = (display: number): string => `/tmp/.X${display}-lock`;
export const socketFile = (display: number): string => `/tmp/.X11-unix/X${display}`;

/**
 * X servers started with -displayfd take no lock of their own, and a second one would unlink the first one's socket
 * when both see the same /tmp from different network namespaces. So the number's usual lock file is made here.
 * `announce` is told the number before the lock exists, so that whoever cleans up knows about it.
 */
export function claimDisplay(announce: (display: number) => void, taken: ReadonlySet<number>): number {
  for (let display = FIRST; display < FIRST + COUNT; display++) {
    if (taken.has(display) || existsSync(lockFile(display)) || existsSync(socketFile(display))) continue;
    announce(display);
    if (takeLock(display, process.pid)) return display;
  }
  throw new DesktopError('driver_unavailable', `No free display number from :${FIRST} up.`, {
    hint: 'Remove stale /tmp/.X*-lock files, or stop desktops: deskproof desktop list.',
  });
}

function takeLock(display: number, pid: number): boolean {
  const draft = writeDraft(display, pid);
  try {
    linkSync(draft, lockFile(display)); // Atomic, and complete from the first moment: others read the pid.
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new DesktopError('driver_unavailable', 'Cannot write the display lock in /tmp.', { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** From the starter to the X server itself, once it runs. */
export function handLockTo(display: number, pid: number): void {
  renameSync(writeDraft(display, pid), lockFile(display));
}

function writeDraft(display: number, pid: number): string {
  const draft = `/tmp/.tX${display}-lock-${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${String(pid).padStart(10)}\n`, { mode: 0o444, flag: 'wx' });
  return draft;
}

/** Removes lock and socket if they are of one of these processes, which the caller knows to be dead. */
export function releaseDisplay(display: number, owners: readonly number[]): void {
  let holder: number;
  try {
    holder = Number(readFileSync(lockFile(display), 'latin1'));
  } catch {
    return; // No lock: the number was never ours, or is free already.
  }
  if (!owners.includes(holder)) return;
  rmSync(socketFile(display), { force: true });
  rmSync(lockFile(display), { force: true });
}

export const COOKIE_NAME = 'MIT-MAGIC-COOKIE-1';

/**
 * An X authority file with one entry for any address and any display (family 65535, empty number), so that it can
 * exist before the display has a number. Returns the cookie.
 */
export function writeCookie(file: string): Buffer {
  const cookie = randomBytes(16);
  const entry = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from(COOKIE_NAME), cookie];
  const parts = entry.flatMap((data) => [uint16(data.length), data]);
  writeFileSync(file, Buffer.concat([uint16(65535), ...parts]), { mode: 0o600, flag: 'wx' });
  return cookie;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
