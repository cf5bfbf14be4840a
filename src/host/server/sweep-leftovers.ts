import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { debug } from '../../shared/index.js';
import { isDesktopName, isUserDesktopKey } from '../client/choose-desktop.js';
import { desktopPaths, type DesktopPaths, isThere } from '../../platform/index.js';
import { hostOf, lockFault, readDesktopLock, takeDesktopLock } from './desktop-lock.js';

/**
 * Ends private desktops whose host and watchdog are both dead. Passed in, since only compose.ts knows the driver.
 */
export type SweepPrivateDesktops = (base: string) => Promise<unknown>;

const WATCHDOG_NEEDS_MS = 10_000;
const MIN_UNLOCKED_AGE_MS = 60_000;

/** Keys of all desktops that have a directory, whether they run or not. */
export function desktopKeys(base: string): string[] {
  try {
    return readdirSync(base)
      .filter((key) => isDesktopName(key) || isUserDesktopKey(key))
      .filter((key) => lstatSync(desktopPaths(base, key).directory, { throwIfNoEntry: false })?.isDirectory());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export function runningKeys(base: string): string[] {
  return undamagedKeys(base).filter((key) => hostOf(desktopPaths(base, key).lock) !== undefined);
}

/** Without directories that another program damaged: they must not block the others. */
function undamagedKeys(base: string): string[] {
  return desktopKeys(base).filter((key) => lockFault(desktopPaths(base, key).lock) === undefined);
}

/** The log of a desktop that was started for one command; it is in the desktop's own directory. */
export const RECORD_DIRECTORY = 'record';

/** The directory is removed last and only if it is empty: a new host may already have put its lock there. */
export function removeDirectory(paths: DesktopPaths): void {
  rmSync(join(paths.directory, RECORD_DIRECTORY), { recursive: true, force: true });
  try {
    rmdirSync(paths.directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

const isDead = (paths: DesktopPaths): boolean =>
  readDesktopLock(paths.lock) !== undefined && hostOf(paths.lock) === undefined;

/**
 * A host that was killed between its first two steps leaves a directory without a lock. A young one is just being
 * created.
 */
function removeUnlocked(paths: DesktopPaths): void {
  const age = Date.now() - (lstatSync(paths.directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age < MIN_UNLOCKED_AGE_MS || isThere(paths.lock) || isThere(paths.cleanupRecord)) return;
  for (const name of readdirSync(paths.directory)) {
    if (name.startsWith('lock.') || name === 'host.sock') rmSync(join(paths.directory, name), { force: true });
  }
  removeDirectory(paths);
}

/**
 * Removes what killed hosts left behind. While the watchdog of a private desktop is still cleaning up, its directory is
 * left alone.
 */
export async function sweepLeftovers(base: string, sweepPrivateDesktops: SweepPrivateDesktops): Promise<void> {
  for (const key of undamagedKeys(base)) removeUnlocked(desktopPaths(base, key));
  const dead = () => undamagedKeys(base).filter((key) => isDead(desktopPaths(base, key)));
  if (dead().length === 0) return;
  try {
    await sweepPrivateDesktops(base);
  } catch (error) {
    // Another command may be cleaning up the same private desktop. The next one removes the rest.
    debug('host', () => `sweep: ${String(error)}`);
  }
  for (const key of dead()) {
    const paths = desktopPaths(base, key);
    if (isThere(paths.cleanupRecord)) continue;
    const lock = takeDesktopLock(paths.lock);
    if (!lock) continue;
    rmSync(paths.socket, { force: true });
    rmSync(join(paths.directory, 'captures'), { recursive: true, force: true });
    lock.release();
    removeDirectory(paths);
  }
}

/** Before a name is used again: waits until the watchdog of the killed desktop has removed everything. */
export async function waitUntilSwept(
  base: string,
  key: string,
  sweepPrivateDesktops: SweepPrivateDesktops,
): Promise<void> {
  const paths = desktopPaths(base, key);
  const until = performance.now() + WATCHDOG_NEEDS_MS;
  for (;;) {
    await sweepLeftovers(base, sweepPrivateDesktops);
    const busy = isThere(paths.cleanupRecord) && hostOf(paths.lock) === undefined;
    if (!busy || performance.now() > until) return;
    await pause(20);
  }
}
