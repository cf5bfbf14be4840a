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

const BY_HAND = 'Nothing was changed in it. Put the lines in yourself: deskproof init --print';

/** A file that may not be there yet. */
export function readOwn(file: string): string {
  const bytes = bytesOf(file);
  // Read as UTF-8 and written again, such bytes would be lost.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DesktopError('command_failed', `${file} is not written in UTF-8.`, { hint: BY_HAND });
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw failed(file, 'read', error);
  }
}

/** As a whole or not at all, with the rights that it has, and where a link leads to: many keep such files elsewhere. */
export function writeOwn(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const there = statSync(file, { throwIfNoEntry: false });
    const real = there ? realpathSync(file) : leadsTo(file);
    const beside = `${real}.${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(beside, text, { mode: there ? there.mode & 0o777 : 0o600, flag: 'wx' });
      renameSync(beside, real);
    } finally {
      rmSync(beside, { force: true });
    }
  } catch (error) {
    throw failed(file, 'written', error);
  }
}

/** Of a link whose end is not there yet, that end: in its place the link would be lost. */
function leadsTo(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}

function failed(file: string, what: string, cause: unknown): DesktopError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new DesktopError('command_failed', `${file} cannot be ${what} (${code}).`, {
    hint: BY_HAND,
    cause,
  });
}
