import { readFileSync, closeSync, fsyncSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Env, FileAccess, Platform, ProcessActivity, ProcessIdentity } from './platform.js';

/** Fields of Linux's /proc/PID/stat. */
interface ProcStat {
  /** Name of the program, at most 15 bytes, chosen by the process. */
  comm: string;
  /** `R`, `S`, `T` (stopped), `Z` (zombie) … */
  state: string;
  parent: number;
  session: number;
  /** Clock ticks since boot. Text, because it is only ever compared. */
  startTime: string;
  /** Clock ticks in user and kernel mode, of all threads. */
  cpuTicks: number;
}

/** Undefined if there is no such process, or if /proc is not mounted. */
export function readProcStat(pid: number): ProcStat | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // The process ended, perhaps between listing and reading.
    return undefined;
  }
}

/** The name is in parentheses and can contain anything, also parentheses and spaces: count from the last one. */
export function parseProcStat(text: string): ProcStat {
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  return {
    comm: text.slice(text.indexOf('(') + 1, close),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startTime: fields[19] ?? '',
    cpuTicks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0),
  };
}

/** A zombie has ended: only its parent has not collected it yet. PID 1 of a container may never do so. */
export function hasEnded({ state }: ProcStat): boolean {
  return state === 'Z' || state === 'X' || state === '';
}

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

/** Clock ticks in /proc are a hundredth of a second on every architecture (USER_HZ). */
const TICK_MS = 10;
/** Browsers have a few dozen processes. */
const MAX_PROCESSES = 256;

/** The processes that any thread of this process has started and that still run. */
function startedBy(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readOrEmpty(`/proc/${pid}/task/${thread}/children`));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    // The process has ended.
    return [];
  }
}

function activityOf(pid: number): ProcessActivity | undefined {
  const own = readProcStat(pid);
  if (!own) return undefined;
  // The age of this very process is the clock: in a container, /proc/uptime may be that of the container.
  const self = readProcStat(process.pid);
  const younger = Number(own.startTime) - Number(self?.startTime ?? own.startTime);
  const family = [pid];
  let cpuTicks = 0;
  let running = false;
  // The list grows while it is walked.
  for (const one of family) {
    const stat = one === pid ? own : readProcStat(one);
    cpuTicks += stat?.cpuTicks ?? 0;
    running ||= stat?.state === 'R' || stat?.state === 'D';
    if (family.length < MAX_PROCESSES) family.push(...startedBy(one));
  }
  return { cpuMs: cpuTicks * TICK_MS, ageMs: process.uptime() * 1000 - younger * TICK_MS, running };
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
  activityOf,

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
