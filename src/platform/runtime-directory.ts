import { readdirSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import { DesktopError } from '../shared/index.js';
import { platform } from './current-platform.js';
import type { Env } from './platform.js';
import { createPrivateDirectory, directoryFault, type PrivacyFault, statIfThere } from './private-directory.js';

/**
 * The path of a Unix socket has at most 107 bytes (103 on macOS), and the sockets of a private desktop need up to 23
 * bytes below this directory.
 */
const LONGEST_DIRECTORY = 80;

const USE_ANOTHER = 'Set DESKPROOF_RUNTIME to a directory of your own.';
const REMOVE = 'Remove it, or set DESKPROOF_RUNTIME to a directory of your own.';

const FAULTS: Readonly<Record<PrivacyFault, { what: string; hint: (path: string) => string }>> = {
  missing: { what: 'is not there', hint: () => 'Start a desktop first: deskproof desktop start' },
  'symbolic link': { what: 'is a symbolic link', hint: () => REMOVE },
  'wrong type': { what: 'is not a directory', hint: () => REMOVE },
  'other owner': { what: 'belongs to another user', hint: () => REMOVE },
  'open to others': { what: 'is open to other users', hint: (path) => `Close it: chmod 700 ${path}` },
  replaceable: { what: 'lies where other users can exchange it', hint: () => REMOVE },
};

/**
 * The directory of the sockets and locks of all desktops of this user. If another user has taken its place in a shared
 * directory such as /tmp, a directory in the user's cache is used instead. Nothing is used before it is checked
 * (`checkPrivateDirectory`, `makePrivateDirectory`).
 */
export function runtimeBase(env: Env = process.env): string {
  if (env.DESKPROOF_RUNTIME) return resolve(env.DESKPROOF_RUNTIME);
  const usual = platform().runtimeDirectory(env);
  const fault = readable(usual, () => directoryFault(usual));
  // One that is open to others is the user's own mistake: it is reported, and other processes may already use it.
  if (fault === undefined || fault === 'open to others') return usual;
  const fallback = join(platform().cacheDirectory(env), 'run');
  if (fault !== 'missing') return fallback;
  // While a host runs there, a foreign directory that disappears again must not lead to a second host.
  return isInUse(fallback) ? fallback : usual;
}

function isInUse(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false; // It is missing or not readable, so no host of this user is in it.
  }
}

/** The directory is the only proof of who listens on a socket in it, so client and host both check it. */
export function checkPrivateDirectory(path: string): void {
  refuse(
    path,
    readable(path, () => directoryFault(path)),
  );
}

/** Creates the directory if it is missing; see `createPrivateDirectory`. */
export function makePrivateDirectory(path: string): void {
  statOf(path);
  let fault: PrivacyFault | undefined;
  try {
    fault = createPrivateDirectory(path);
  } catch (error) {
    throw missingPermission(`The runtime directory ${path} cannot be created.`, error);
  }
  refuse(path, fault);
}

export function isThere(path: string): boolean {
  return statOf(path) !== undefined;
}

function statOf(path: string): Stats | undefined {
  return readable(path, () => statIfThere(path));
}

function refuse(path: string, fault: PrivacyFault | undefined): void {
  if (fault === undefined) return;
  const { what, hint } = FAULTS[fault];
  throw new DesktopError('permission_missing', `The runtime directory ${path} ${what}.`, { hint: hint(path) });
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DesktopError) throw error;
    throw missingPermission(`The runtime directory ${path} cannot be read.`, error);
  }
}

function missingPermission(message: string, cause: unknown): DesktopError {
  return cause instanceof DesktopError
    ? cause
    : new DesktopError('permission_missing', message, { hint: USE_ANOTHER, cause });
}

export interface DesktopPaths {
  /** Also the runtime directory of the private desktop, so that its watchdog removes lock and socket of a killed host. */
  directory: string;
  lock: string;
  socket: string;
  /** The private desktop's list of what it created. While it exists, the private desktop does the cleanup. */
  cleanupRecord: string;
  home: string;
}

/** Where one desktop keeps its files. */
export function desktopPaths(base: string, key: string): DesktopPaths {
  const directory = join(base, key);
  if (Buffer.byteLength(directory) > LONGEST_DIRECTORY) {
    throw new DesktopError('bad_arguments', `The runtime directory's path is too long for sockets: ${directory}`, {
      hint: 'Set DESKPROOF_RUNTIME to a shorter path, for example /tmp/dp.',
    });
  }
  return {
    directory,
    lock: join(directory, 'lock'),
    socket: join(directory, 'host.sock'),
    cleanupRecord: join(directory, 'seat.json'),
    home: join(directory, 'home'),
  };
}
