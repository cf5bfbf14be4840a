import { randomBytes } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { unavailable } from '../errors.js';
import { statePath } from '../locations.js';
import { makePrivateDirectory, statPrivateFile, syncDirectory } from '../private-files.js';

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
export function requireEvidenceKey(state: string, ledger: string): Buffer {
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
export function readPlainFile(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
