import { FileLock, holderOf, type ProcessIdentity } from '../../platform/index.js';
import { unavailable } from '../errors.js';

/** The right to write one log. */
export type LedgerLock = FileLock;

export function takeLedgerLock(path: string): LedgerLock {
  const lock = FileLock.take(path);
  if (lock instanceof FileLock) return lock;
  throw unavailable(
    `Another process writes this log (pid ${lock.pid}).`,
    'Wait for it to end, or use it: only one host writes the log of a desktop.',
  );
}

/** The process that writes the log now. */
export function writerOf(path: string): ProcessIdentity | undefined {
  return holderOf(path);
}
