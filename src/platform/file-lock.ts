import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { ProcessIdentity } from './platform.js';
import { identityOf, isRunning } from './processes.js';

export interface LockRecord extends ProcessIdentity {
  format: 1;
  /** Two locks of one process differ: it may open the same thing twice by mistake. */
  nonce: string;
  /** Of the program that holds it; empty if the holder does not give one. */
  version: string;
}

/**
 * Undefined: no lock. A file that cannot be parsed (cut by a full disk, or not a lock) belongs to no living process. A
 * file that cannot be read throws the error of the file system.
 */
export function readLock(path: string): LockRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  try {
    const record = JSON.parse(text) as LockRecord | null;
    if (typeof record?.pid === 'number' && typeof record.startTime === 'string') return record;
  } catch {
    // Not JSON: handled as below.
  }
  const nonce = createHash('sha256').update(text).digest('hex');
  return { format: 1, pid: 0, startTime: '', bootId: '', nonce, version: '' };
}

/** The holder of the lock, if it is alive. */
export function holderOf(path: string): LockRecord | undefined {
  const record = readLock(path);
  return record && isRunning(record) ? record : undefined;
}

const tag = (record: LockRecord): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 12);

const removeIfThere = (path: string): void => rmSync(path, { force: true });

/** Tests replace it to act between two steps. */
type Link = typeof linkSync;
/** The lock was free, or its holder had died without releasing it. */
type Acquired = 'free' | 'abandoned';

/**
 * The file appears together with its content, by link(2), so no process ever reads an empty one. The lock of a dead
 * holder is replaced by rename, only by the process that holds `<lock>.over-<dead holder>` (a lock of the same kind),
 * and only after it has read again that the lock is still the dead holder's. So two processes that find it dead cannot
 * both win.
 */
function acquire(path: string, mine: LockRecord, link: Link): Acquired | LockRecord {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
    for (;;) {
      try {
        link(draft, path);
        return 'free';
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readLock(path);
      if (!holder) continue;
      if (isRunning(holder)) return holder;
      const takeover = `${path}.over-${tag(holder)}`;
      const other = acquire(takeover, mine, link);
      if (typeof other === 'object') return other;
      const now = readLock(path);
      if (now && tag(now) === tag(holder)) {
        renameSync(draft, path);
        removeIfThere(takeover);
        return 'abandoned';
      }
      removeIfThere(takeover);
    }
  } finally {
    removeIfThere(draft);
  }
}

/** A lock that this process holds: by a file, and by an open handle so that its inode number cannot be reused. */
export class FileLock {
  /** The previous holder ended without releasing it. */
  readonly wasAbandoned: boolean;
  private fd: number | undefined;

  private constructor(
    private readonly path: string,
    private readonly mine: LockRecord,
    acquired: Acquired,
  ) {
    this.wasAbandoned = acquired === 'abandoned';
    this.fd = openSync(path, 'r');
  }

  /** Takes the lock for this process, or returns the living process that has it. */
  static take(path: string, version = '', link: Link = linkSync): FileLock | LockRecord {
    const nonce = randomBytes(8).toString('hex');
    const mine: LockRecord = { format: 1, ...identityOf(process.pid), nonce, version };
    const acquired = acquire(path, mine, link);
    return typeof acquired === 'object' ? acquired : new FileLock(path, mine, acquired);
  }

  /** Whether the file at the path is still the one that was taken. */
  isOurs(): boolean {
    if (this.fd === undefined) return false;
    const there = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const held = fstatSync(this.fd, { bigint: true });
    return there !== undefined && there.ino === held.ino && there.dev === held.dev;
  }

  /** Removes the lock, unless another process has replaced or rewritten it. */
  release(): void {
    if (this.fd === undefined) return;
    const ours = this.isOurs();
    closeSync(this.fd);
    this.fd = undefined;
    if (!ours) return;
    if (tag(readLock(this.path) ?? this.mine) === tag(this.mine)) removeIfThere(this.path);
  }
}
