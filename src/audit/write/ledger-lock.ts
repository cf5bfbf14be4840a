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
import { unavailable } from '../errors.js';
import { identityOf, isRunning, type ProcessIdentity } from '../process-identity.js';

/** Two locks of one process are two: the same person may open a log twice by mistake. */
interface Holder extends ProcessIdentity {
  nonce: string;
}

/** Undefined: no lock. One that makes no sense (cut by a full disk) belongs to nobody who is alive. */
function readHolder(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const holder = JSON.parse(text) as Holder | null;
    if (typeof holder?.pid === 'number') return holder;
  } catch {
    // No JSON: the same as no holder.
  }
  return { pid: 0, start: '', boot: '', nonce: createHash('sha256').update(text).digest('hex') };
}

/** Who writes the log now; undefined when nobody does. */
export function writerOf(path: string): ProcessIdentity | undefined {
  const holder = readHolder(path);
  return holder && isRunning(holder) ? holder : undefined;
}

const tag = (holder: Holder): string => createHash('sha256').update(JSON.stringify(holder)).digest('hex').slice(0, 12);

const removeIfThere = (path: string): void => rmSync(path, { force: true });

/** Replaced in tests: between two steps others may come. */
type Link = typeof linkSync;
type Taken = 'free' | 'dead';

/**
 * The file appears with its content, by link(2), so nobody sees an empty one. A dead holder's lock is replaced by
 * rename, and only by whoever holds `<lock>.over-<dead holder>`, itself such a lock, after reading again that it still
 * is the dead one's: so two that find it dead cannot both win.
 */
function take(path: string, mine: Holder, link: Link): Taken | ProcessIdentity {
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
      const holder = readHolder(path);
      if (!holder) continue;
      if (isRunning(holder)) return holder;
      const right = `${path}.over-${tag(holder)}`;
      const other = take(right, mine, link);
      if (typeof other === 'object') return other;
      const again = readHolder(path);
      if (again && tag(again) === tag(holder)) {
        renameSync(draft, path);
        removeIfThere(right);
        return 'dead';
      }
      removeIfThere(right);
    }
  } finally {
    removeIfThere(draft);
  }
}

/** The right to write one log. Held by a file and, so that its inode cannot be given to another, by an open handle. */
export class LedgerLock {
  /** Whoever had it before ended without giving it back. */
  readonly afterDeath: boolean;
  private fd: number | undefined;

  private constructor(
    private readonly path: string,
    private readonly mine: Holder,
    taken: Taken,
  ) {
    this.afterDeath = taken === 'dead';
    this.fd = openSync(path, 'r');
  }

  static take(path: string, link: Link = linkSync): LedgerLock {
    const mine: Holder = { ...identityOf(process.pid), nonce: randomBytes(8).toString('hex') };
    const taken = take(path, mine, link);
    if (typeof taken === 'object') {
      throw unavailable(
        `Another process writes this log (pid ${taken.pid}).`,
        'Let it end, or work through it: one host writes the log of a desktop.',
      );
    }
    return new LedgerLock(path, mine, taken);
  }

  isOurs(): boolean {
    if (this.fd === undefined) return false;
    const there = statSync(this.path, { throwIfNoEntry: false, bigint: true });
    const held = fstatSync(this.fd, { bigint: true });
    return there !== undefined && there.ino === held.ino && there.dev === held.dev;
  }

  release(): void {
    if (this.fd === undefined) return;
    const ours = this.isOurs();
    closeSync(this.fd);
    this.fd = undefined;
    if (!ours) return;
    if (tag(readHolder(this.path) ?? this.mine) === tag(this.mine)) removeIfThere(this.path);
  }
}
