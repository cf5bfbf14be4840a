import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { debug } from '../shared/index.js';
import { isDesktopName, isUserDesktopKey } from './desktop-name.js';
import { holderOf, readLock, releaseLock, takeLock } from './lock.js';
import { desktopPaths, type DesktopPaths } from './runtime-dir.js';
import { VERSION } from '../config.js';

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
  return desktopKeys(base).filter((key) => holderOf(desktopPaths(base, key).lock) !== undefined);
}

/** Everything a host made in its directory, except the lock that guards it. */
export function removeContents(paths: DesktopPaths): void {
  for (const path of [paths.socket, paths.seat, paths.home]) {
    // Apps that are just ending may still write; a few tries are enough once they are gone.
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** The directory goes last and only when it is empty: a newcomer may already have put its lock in it. */
export function removeDirectory(paths: DesktopPaths): void {
  try {
    rmdirSync(paths.directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}

/** Removes what hosts left that were killed: their files here, their programs by `endPrograms`. */
export async function sweepLeftovers(base: string, endPrograms: (base: string) => Promise<unknown>): Promise<string[]> {
  const dead = desktopKeys(base).filter((key) => {
    const paths = desktopPaths(base, key);
    return readLock(paths.lock) !== undefined && holderOf(paths.lock) === undefined;
  });
  if (dead.length === 0) return [];
  await endPrograms(base);
  const swept: string[] = [];
  for (const key of dead) {
    const paths = desktopPaths(base, key);
    const lock = takeLock(paths.lock, VERSION);
    if (lock === 'taken') continue;
    removeContents(paths);
    releaseLock(paths.lock, lock);
    removeDirectory(paths);
    debug('host', () => `swept what the dead host of ${key} left`);
    swept.push(key);
  }
  return swept;
}
