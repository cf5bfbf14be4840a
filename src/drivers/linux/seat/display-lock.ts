import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { DesktopError } from '../../../shared/index.js';

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
