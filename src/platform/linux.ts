import { closeSync, fsyncSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Env, FileAccess, Platform, ProcessIdentity } from './platform.js';
import { hasEnded, readProcStat } from './proc-stat.js';

const PROGRAM = 'deskproof';
const ROOT = 0;

const userId = (): number => process.getuid?.() ?? -1;

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    // The process ended, or /proc is not mounted: not known.
    return '';
  }
}

const bootId = (): string => readOrEmpty('/proc/sys/kernel/random/boot_id');

function identityOf(pid: number): ProcessIdentity {
  return { pid, startTime: readProcStat(pid)?.startTime ?? '', bootId: bootId() };
}

function isRunning({ pid, startTime, bootId: boot }: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || boot !== bootId()) return false;
  const now = readProcStat(pid);
  return now !== undefined && now.startTime === startTime && !hasEnded(now);
}

/** XDG Base Directory Specification: a relative path in one of its variables is ignored. */
function xdgDirectory(value: string | undefined, usual: string, env: Env): string {
  return join(value && isAbsolute(value) ? value : join(env.HOME || homedir(), usual), PROGRAM);
}

/**
 * XDG_RUNTIME_DIR is used only if it exists and belongs to this user: after `su` it names the directory of the other
 * user, and in containers one that does not exist.
 */
function runtimeDirectory(env: Env): string {
  const xdg = env.XDG_RUNTIME_DIR;
  if (xdg && isAbsolute(xdg)) {
    try {
      const stat = lstatSync(resolve(xdg));
      if (stat.isDirectory() && stat.uid === userId()) return join(resolve(xdg), PROGRAM);
    } catch {
      // It does not exist or may not be read: the temporary directory serves as well.
    }
  }
  return join(resolve(env.TMPDIR || tmpdir()), `${PROGRAM}-${userId()}`);
}

export const linux: Platform = {
  osName: 'Linux',

  identityOf,
  isRunning,
  startTimeOf: (pid) => readProcStat(pid)?.startTime,
  parentOf: (pid) => readProcStat(pid)?.parent || undefined,
  childrenOf: (pid) =>
    readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number).map(identityOf),

  isOwnedByUser: ({ uid }: FileAccess) => uid === userId(),
  isOwnedByAdministrator: ({ uid }) => uid === ROOT,
  isOpenToOthers: ({ mode }) => (mode & 0o077) !== 0,
  isWritableByOthers: ({ mode }) => (mode & 0o022) !== 0,
  // World-writable without the sticky bit that /tmp has.
  isSharedWithoutProtection: ({ mode }) => (mode & 0o002) !== 0 && (mode & 0o1000) === 0,
  syncDirectory(directory) {
    const fd = openSync(directory, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },

  configDirectory: (env) => xdgDirectory(env.XDG_CONFIG_HOME, '.config', env),
  dataDirectory: (env) => xdgDirectory(env.XDG_DATA_HOME, '.local/share', env),
  stateDirectory: (env) => xdgDirectory(env.XDG_STATE_HOME, '.local/state', env),
  cacheDirectory: (env) => xdgDirectory(env.XDG_CACHE_HOME, '.cache', env),
  runtimeDirectory,
  managedConfigDirectory: `/etc/${PROGRAM}`,
};
