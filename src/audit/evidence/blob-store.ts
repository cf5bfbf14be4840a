import {
  constants,
  lstatSync,
  readdirSync,
  unlinkSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '../errors.js';
import { statePath, type LedgerPlaces } from '../locations.js';
import { makePrivateDirectory, statPrivateFile, syncDirectory } from '../private-files.js';
import { blobName, parseBlobName, sealBlob, type BlobId } from './blob.js';
import { randomBytes } from 'node:crypto';

/** The disk operations that can fail; tests replace them. */
export interface BlobDisk {
  write(file: FileHandle, bytes: Buffer): Promise<void>;
}

const REAL_DISK: BlobDisk = {
  async write(file, bytes) {
    await file.writeFile(bytes);
    await file.datasync();
  },
};

/** A blob is never larger than this. */
export const MAX_BLOB_BYTES = 1024 * 1024;
const DAY_MS = 24 * 60 * 60_000;

/** In the directory of the log, so that a copied log keeps its evidence. */
export const blobDirectory = (logs: string): string => join(logs, 'evidence');

/** Writes the blobs of one ledger. The caller holds the lock of the log. */
export class BlobStore {
  private key: Buffer | undefined;

  constructor(
    private readonly places: LedgerPlaces,
    private readonly ledger: string,
    private readonly disk: BlobDisk = REAL_DISK,
  ) {}

  /** The blob is on the disk when this resolves. After a failure no part of it is left. */
  async write(id: Omit<BlobId, 'ledger'>, bytes: Buffer): Promise<void> {
    const { logs, state } = this.places;
    const directory = blobDirectory(logs);
    // Every time: another program may have opened it to other users meanwhile.
    makePrivateDirectory(directory);
    this.key ??= requireEvidenceKey(state, this.ledger);
    const full = { ledger: this.ledger, ...id };
    const path = join(directory, blobName(full));
    const file = await create(path);
    try {
      await this.disk.write(file, sealBlob(bytes, full, this.key));
    } catch (error) {
      unlinkSync(path);
      throw error;
    } finally {
      await file.close();
    }
    syncDirectory(path);
  }

  end(): void {
    this.key?.fill(0);
    this.key = undefined;
  }
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw unavailable(
      `The stored snapshot ${path} exists already.`,
      'Find out which program made it, and move it away.',
    );
  }
}

/** Undefined: there is no such file. A link and a file that other users can read are refused. */
export function readBlob(logs: string, id: BlobId): Buffer | undefined {
  const path = join(blobDirectory(logs), blobName(id));
  const stat = statPrivateFile(path);
  if (!stat) return undefined;
  // One byte too many is enough to see that it is not ours.
  return stat.size > MAX_BLOB_BYTES ? Buffer.alloc(0) : readPlainFile(path);
}

/** The blobs in the directory of a log. Other names, links and directories are left out. */
export function blobsIn(logs: string): { id: BlobId; path: string; modifiedMs: number }[] {
  const directory = blobDirectory(logs);
  // A link here could lead to the blobs of another log, or anywhere.
  if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(directory).flatMap((name) => {
    const id = parseBlobName(name);
    const path = join(directory, name);
    const stat = id && lstatSync(path, { throwIfNoEntry: false });
    return id && stat?.isFile() ? [{ id, path, modifiedMs: stat.mtimeMs }] : [];
  });
}

/** Blobs older than `keepDays` at `now`, and the moment before which they were written. */
export function expiredBlobs(logs: string, keepDays: number, now: number): { before: string; paths: string[] } {
  const limit = now - keepDays * DAY_MS;
  const paths = blobsIn(logs).flatMap(({ path, modifiedMs }) => (modifiedMs < limit ? [path] : []));
  return { before: new Date(limit).toISOString(), paths };
}

/** A link that was put in the place of a blob meanwhile is removed itself; its destination stays. */
export function deleteBlobs(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

const KEY_BYTES = 32;
const TEXT = /^deskproof-evidence-key\/1 ([A-Za-z0-9+/]{43}=)\n$/;
const MAX_KEY_FILE = 200;

/** Beside the signing keys and apart from the log, so that a copy of the log alone reveals no snapshot. */
export const evidenceKeyPath = (state: string, ledger: string): string =>
  join(statePath(state, ledger), 'evidence.key');

/**
 * The key of a ledger's blobs; undefined if there is none. A file that other users can read, a link and a damaged file
 * are errors: a replaced key would make the existing blobs unreadable without notice.
 */
export function loadEvidenceKey(state: string, ledger: string): Buffer | undefined {
  const path = evidenceKeyPath(state, ledger);
  const stat = statPrivateFile(path);
  if (!stat) return undefined;
  const text = stat.size > MAX_KEY_FILE ? '' : readPlainFile(path).toString('latin1');
  const key = Buffer.from(TEXT.exec(text)?.[1] ?? '', 'base64');
  if (key.length === KEY_BYTES) return key;
  throw unavailable(
    `The key of the stored snapshots, ${path}, is damaged.`,
    'Restore it from a backup, or move it away: a new key is made, and older snapshots stay closed.',
  );
}

/** Creates the key if there is none. */
function requireEvidenceKey(state: string, ledger: string): Buffer {
  const existing = loadEvidenceKey(state, ledger);
  if (existing) return existing;
  makePrivateDirectory(statePath(state, ledger));
  const key = randomBytes(KEY_BYTES);
  const path = evidenceKeyPath(state, ledger);
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, `deskproof-evidence-key/1 ${key.toString('base64')}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  syncDirectory(path);
  return key;
}

/** Never follows a link, and never waits for the writer of a pipe. */
function readPlainFile(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
