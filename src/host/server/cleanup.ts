import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { debug } from '../../shared/index.js';
import { isDesktopName, isUserDesktopKey } from '../client/choose-desktop.js';
import { desktopPaths, type DesktopPaths, isThere } from '../../platform/index.js';
import { hostOf, lockFault, readDesktopLock, takeDesktopLock } from './desktop-lock.js';

/** Ends seats whose owner and keeper are both dead; given by whoever knows the driver. */
export type SweepSeats = (base: string) => Promise<unknown>;

const KEEPER_NEEDS_MS = 10_000;
const UNLOCKED_FOR_MS = 60_000;

/** Keys of all desktops that have a directory, living or dead. */
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
  return soundKeys(base).filter((key) => hostOf(desktopPaths(base, key).lock) !== undefined);
}

/** Without those that somebody else spoilt: they must not hold up the others. */
function soundKeys(base: string): string[] {
  return desktopKeys(base).filter((key) => lockFault(desktopPaths(base, key).lock) === undefined);
}

/** Of a desktop that is made for one command: its log, in its own directory. */
export const RECORD = 'record';

/** The directory goes last and only when it is empty: a newcomer may already have put its lock in it. */
export function removeDirectory(paths: DesktopPaths): void {
  rmSync(join(paths.directory, RECORD), { recursive: true, force: true });
  try {
    rmdirSync(paths.directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

const isDead = (paths: DesktopPaths): boolean =>
  readDesktopLock(paths.lock) !== undefined && hostOf(paths.lock) === undefined;

/** Killed between its first two steps: a directory that nobody ever locked. A young one is just being made. */
function removeUnlocked(paths: DesktopPaths): void {
  const age = Date.now() - (lstatSync(paths.directory, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age < UNLOCKED_FOR_MS || isThere(paths.lock) || isThere(paths.seatRecord)) return;
  for (const name of readdirSync(paths.directory)) {
    if (name.startsWith('lock.') || name === 'host.sock') rmSync(join(paths.directory, name), { force: true });
  }
  removeDirectory(paths);
}

/** Removes what killed hosts left. Where a seat's keeper is still at work, its directory is left to it. */
export async function sweepLeftovers(base: string, sweepSeats: SweepSeats): Promise<void> {
  for (const key of soundKeys(base)) removeUnlocked(desktopPaths(base, key));
  const dead = () => soundKeys(base).filter((key) => isDead(desktopPaths(base, key)));
  if (dead().length === 0) return;
  try {
    await sweepSeats(base);
  } catch (error) {
    // Another command may be sweeping the same seat; whatever is left is swept by the next one.
    debug('host', () => `sweep: ${String(error)}`);
  }
  for (const key of dead()) {
    const paths = desktopPaths(base, key);
    if (isThere(paths.seatRecord)) continue;
    const lock = takeDesktopLock(paths.lock);
    if (!lock) continue;
    rmSync(paths.socket, { force: true });
    rmSync(join(paths.directory, 'captures'), { recursive: true, force: true });
    lock.release();
    removeDirectory(paths);
  }
}

/** Before a name is used again: waits until the keeper of the killed one before has removed everything. */
export async function untilSwept(base: string, key: string, sweepSeats: SweepSeats): Promise<void> {
  const paths = desktopPaths(base, key);
  const until = performance.now() + KEEPER_NEEDS_MS;
  for (;;) {
    await sweepLeftovers(base, sweepSeats);
    const busy = isThere(paths.seatRecord) && hostOf(paths.lock) === undefined;
    if (!busy || performance.now() > until) return;
    await pause(20);
  }
}
