import { dirname } from 'node:path';
import { VERSION } from '../../config.js';
import { FileLock, holderOf, type LockRecord, readLock } from '../../platform/index.js';
import { DesktopError } from '../../shared/index.js';

const FAULTS: Readonly<Record<string, string>> = {
  EISDIR: 'is a directory where a lock should be',
  ELOOP: 'is a link to itself where a lock should be',
};

/** The lock that makes one host the owner of a desktop. Undefined: no lock. */
export function readDesktopLock(path: string): LockRecord | undefined {
  return explained(path, 'cannot be read', () => readLock(path));
}

/** The living host that owns the desktop. */
export function hostOf(path: string): LockRecord | undefined {
  return explained(path, 'cannot be read', () => holderOf(path));
}

/** Undefined: a living host has it. */
export function takeDesktopLock(path: string): FileLock | undefined {
  const lock = explained(path, undefined, () => FileLock.take(path, VERSION));
  return lock instanceof FileLock ? lock : undefined;
}

/** Why the file cannot be a lock of ours. Undefined if it can be one, or if there is none. */
export function lockFault(path: string): DesktopError | undefined {
  try {
    readDesktopLock(path);
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
}

/** `unknown`: what to say of any other error. Without it that error is thrown as it is. */
function explained<T>(path: string, unknown: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const fault = FAULTS[(error as NodeJS.ErrnoException).code ?? ''] ?? unknown;
    if (fault === undefined || error instanceof DesktopError) throw error;
    throw new DesktopError('command_failed', `${path} ${fault}.`, {
      hint: `Deskproof creates nothing like that. Remove it: rm -r ${dirname(path)}`,
      cause: error,
    });
  }
}
