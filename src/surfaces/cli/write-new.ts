import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DesktopError } from '../../shared/index.js';

/**
 * A file that only its owner can read. One that is there stays, unless `force`: then it is replaced as a whole, so that
 * neither its rights nor where it points to live on.
 */
export function writeNew(file: string, text: string, force: boolean): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory())
    throw new DesktopError('bad_arguments', `${file} is a directory.`, { hint: 'Name a file in it.' });
  try {
    if (!force) writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    else replace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new DesktopError('bad_arguments', `${file} is there already.`, {
        hint: 'Choose another name, or replace it: --force',
      });
    }
    throw new DesktopError('command_failed', `${file} cannot be written (${code ?? 'unknown'}).`, {
      hint: 'Choose another place: --out FILE',
      cause: error,
    });
  }
}

function replace(file: string, text: string): void {
  const beside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}
