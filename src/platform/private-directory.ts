import { lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { platform } from './current-platform.js';

/** Why a directory or file cannot be trusted to be this user's alone. */
export type PrivacyFault =
  | 'missing'
  | 'symbolic link'
  | 'wrong type'
  | 'other owner'
  | 'open to others'
  /** Other users can put another directory in its place. */
  | 'replaceable';

/** Undefined if nothing is there. Errors of the file system other than that are thrown as they are. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/**
 * A private directory is a real directory that belongs to this user, is closed to all others, and lies where others
 * cannot replace it.
 */
export function directoryFault(path: string): PrivacyFault | undefined {
  const stat = statIfThere(path);
  if (!stat) return 'missing';
  if (stat.isSymbolicLink()) return 'symbolic link';
  if (!stat.isDirectory()) return 'wrong type';
  return accessFault(stat) ?? (isReplaceable(dirname(path)) ? 'replaceable' : undefined);
}

/** The same for a plain file that was opened or looked up; the caller decides whether links are followed. */
export function fileFault(stat: Stats): PrivacyFault | undefined {
  if (stat.isSymbolicLink()) return 'symbolic link';
  return stat.isFile() ? accessFault(stat) : 'wrong type';
}

function accessFault(stat: Stats): PrivacyFault | undefined {
  const os = platform();
  if (!os.isOwnedByUser(stat)) return 'other owner';
  return os.isOpenToOthers(stat) ? 'open to others' : undefined;
}

/** A link to a directory, as /var/run is one, is as safe as that directory if other users cannot redirect the link. */
function isReplaceable(directory: string): boolean {
  const os = platform();
  const stat = statIfThere(directory);
  if (!stat) return false;
  if (!stat.isSymbolicLink()) return os.isSharedWithoutProtection(stat);
  const isTrusted = os.isOwnedByAdministrator(stat) || os.isOwnedByUser(stat);
  return !isTrusted || os.isSharedWithoutProtection(statSync(directory));
}

/** Creates the directory if it is missing. A faulty one is never repaired, since another program made it so. */
export function createPrivateDirectory(path: string): PrivacyFault | undefined {
  if (!statIfThere(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  return directoryFault(path);
}
