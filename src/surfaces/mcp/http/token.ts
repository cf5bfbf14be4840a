import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { DesktopError } from '../../../shared/index.js';

const SHORTEST = 32;

/** From a file that nobody else can read, or a new one for this run. */
export function tokenFor(file: string | undefined): string {
  if (file === undefined) return randomBytes(32).toString('hex');
  const wrong = (says: string, hint: string): DesktopError => new DesktopError('bad_arguments', says, { hint });
  let text: string;
  try {
    const { mode, uid } = statSync(file);
    if ((mode & 0o077) !== 0) throw wrong(`Others can read ${file}.`, `chmod 600 ${file}`);
    if (process.getuid && uid !== process.getuid()) throw wrong(`${file} is not yours.`, 'write one of your own.');
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof DesktopError) throw error;
    throw wrong(`${file} cannot be read.`, `make one: (umask 077; openssl rand -hex 32 > ${file})`);
  }
  if (text.length < SHORTEST || /\s/.test(text)) {
    throw wrong(`${file} holds no token: one word of at least ${SHORTEST} letters.`, `openssl rand -hex 32 > ${file}`);
  }
  return text;
}
