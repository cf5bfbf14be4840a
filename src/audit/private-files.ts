import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { DesktopError } from '../shared/index.js';

const ownUid = (): number => process.getuid?.() ?? -1;

function refuse(path: string, what: string, hint: string): never {
  throw new DesktopError('audit_unavailable', `${path} ${what}.`, { retry: 'no', hint });
}

function checkOwn(path: string, stat: Stats): void {
  if (process.platform === 'win32') return; // No such bits there; the profile's own rights keep others out.
  if (stat.uid !== ownUid()) refuse(path, 'belongs to another user', 'Move it away; a log must be your own.');
  if ((stat.mode & 0o077) !== 0) refuse(path, 'is open to other users', `Close it: chmod go= ${path}`);
}

/** Makes it when it is not there. One that is wrong is not repaired: somebody else made it so. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!stat.isDirectory()) refuse(path, 'is not a directory', 'Move it away; it is in the place of a log.');
  checkOwn(path, stat);
}

/** Undefined: not there. A link, a directory, another's file is refused. */
export function statPrivateFile(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) refuse(path, 'is not a plain file', 'Move it away; it is in the place of a log.');
  checkOwn(path, stat);
  return stat;
}

/** A new name is on the disk only when its directory is. */
export function syncDirectory(pathInIt: string): void {
  if (process.platform === 'win32') return; // Directories cannot be opened there.
  const fd = openSync(dirname(pathInIt), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Old or new, never half; on the disk when this returns. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(draft, path);
  syncDirectory(path);
}
