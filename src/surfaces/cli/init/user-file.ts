import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DesktopError } from '../../../shared/index.js';

const ADD_MANUALLY = 'The file was not changed. Add the lines yourself: deskproof init --print';

/** Reads a file. A missing file is empty. */
export function readUserFile(file: string): string {
  const bytes = readBytes(file);
  // Decoding it as UTF-8 and writing it again would lose these bytes.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DesktopError('command_failed', `${file} is not encoded in UTF-8.`, { hint: ADD_MANUALLY });
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw failed(file, 'read', error);
  }
}

/**
 * Replaces the file atomically, with its permissions, and at the end of a link: many users keep such files elsewhere.
 */
export function writeUserFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const existing = statSync(file, { throwIfNoEntry: false });
    const target = existing ? realpathSync(file) : linkTarget(file);
    const temporary = `${target}.${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(temporary, text, { mode: existing ? existing.mode & 0o777 : 0o600, flag: 'wx' });
      renameSync(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw failed(file, 'written', error);
  }
}

/** The target of a dangling link. Writing to the link's own path would destroy the link. */
function linkTarget(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}

function failed(file: string, what: string, cause: unknown): DesktopError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new DesktopError('command_failed', `${file} cannot be ${what} (${code}).`, {
    hint: ADD_MANUALLY,
    cause,
  });
}
