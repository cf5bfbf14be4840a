import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DesktopError } from '../shared/index.js';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.js';

export interface LockRecord extends ProcessIdentity {
  format: 1;
  version: string;
}

const FAULTS: Readonly<Record<string, string>> = {
  EISDIR: 'is a directory where a lock should be',
  ELOOP: 'is a link to itself where a lock should be',
};

/** Undefined: no lock. One whose content makes no sense belongs to nobody who is alive; no file at all is an error. */
export function readLock(path: string): LockRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw new DesktopError('command_failed', `${path} ${FAULTS[code] ?? 'cannot be read'}.`, {
      hint: `Nothing of ours looks like that; remove it: rm -r ${dirname(path)}`,
      cause: error,
    });
  }
  try {
    const record = JSON.parse(text) as LockRecord;
    if (typeof record.pid === 'number' && typeof record.startTime === 'string') return record;
  } catch {
    // Not ours or cut short by a full disk: treated as below.
  }
  return { format: 1, pid: 0, startTime: '', bootId: '', version: '' };
}

/** Why the lock cannot be one of ours; undefined when it can, or when there is none. */
export function lockFault(path: string): DesktopError | undefined {
  try {
    readLock(path);
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
}

/** Who holds the lock and is alive. */
export function holderOf(path: string): LockRecord | undefined {
  const record = readLock(path);
  return record && isRunning(record) ? record : undefined;
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const tag = (record: LockRecord): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 12);

function sameHolder(a: LockRecord | undefined, b: LockRecord): boolean {
  return a !== undefined && tag(a) === tag(b);
}

/**
 * Takes the lock for this process, or says who has it. The file appears with its content, by link(2), so nobody sees
 * an empty one. A dead holder's lock is replaced only by whoever holds `<lock>.over-<dead holder>`, itself a lock of
 * the same kind, and only while it is still the dead holder's: so two that find it dead cannot both win.
 */
export function takeLock(path: string, version: string): LockRecord | 'taken' {
  const mine: LockRecord = { format: 1, ...identityOf(process.pid), version };
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
    for (;;) {
      try {
        linkSync(draft, path);
        return mine;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readLock(path);
      if (!holder) continue;
      if (isRunning(holder)) return 'taken';
      const right = `${path}.over-${tag(holder)}`;
      if (takeLock(right, version) === 'taken') return 'taken';
      if (sameHolder(readLock(path), holder)) {
        renameSync(draft, path);
        unlinkIfThere(right);
        return mine;
      }
      unlinkIfThere(right);
    }
  } finally {
    unlinkIfThere(draft);
  }
}

export function releaseLock(path: string, mine: LockRecord): void {
  if (sameHolder(readLock(path), mine)) unlinkIfThere(path);
}
