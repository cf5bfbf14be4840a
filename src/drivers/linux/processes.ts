import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasEnded, readProcStat } from '../../platform/index.js';
import { cleanName } from '../../tree/index.js';
import type { XWindow } from './x11/windows/window.js';

/** The program that a process runs, as reported by the OS. */
export interface ProcessIdentity {
  pid: number;
  /**
   * Short name for display. For an interpreter it is the name of the script, which the process can choose; only
   * `program` is verified.
   */
  app: string;
  /**
   * Real path of the program. Absent if it cannot be read (another user's process), and if the file at that path is not
   * the running one: it was replaced, or the process has another root file system with a file of that name.
   */
  program?: string;
  /** The file of the program was replaced or removed while it runs. */
  deleted?: boolean;
  /** Start time in kernel ticks: a pair of pid and start time is never reused. */
  started?: number;
  /** Stopped by a signal or a debugger: it does not answer. */
  stopped: boolean;
}

const DELETED = ' (deleted)';

/** Undefined if there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readProcStat(pid);
  if (stat === undefined) return undefined;
  const { state, comm } = stat;
  const started = Number(stat.startTime || NaN);
  const link = readProgram(pid);
  const deleted = link?.endsWith(DELETED) ?? false;
  const path = deleted ? link!.slice(0, -DELETED.length) : link;
  const app = path ? appName(path, () => argumentsOf(pid)) : comm;
  return {
    pid,
    app,
    ...(path && isRunningFile(pid, path) && { program: path }),
    ...(deleted && { deleted }),
    ...(Number.isFinite(started) && { started }),
    stopped: state === 'T' || state === 't',
  };
}

const INTERPRETER = /^(python|perl|ruby|node|gjs|lua|tclsh|wish|bash|dash|sh|guile|php)[\d.]*(-console)?$/;
const DISPLAY_NAMES: Record<string, string> = { 'soffice.bin': 'libreoffice', oosplash: 'libreoffice' };

/** Short name from the path of the program; an interpreter is named after its script. */
export function appName(program: string, args: () => readonly string[]): string {
  const name = basename(program);
  const renamed = DISPLAY_NAMES[name];
  if (renamed) return renamed;
  const words = (): readonly string[] => args().slice(1);
  if (/^java(w)?$/.test(name)) return javaName(words()) ?? name;
  if (/^electron[\d.]*$/.test(name)) return electronName(words()) ?? name;
  if (INTERPRETER.test(name)) return scriptName(words()) ?? name;
  return name.replace(/\.bin$/, '') || name;
}

function scriptName(words: readonly string[]): string | undefined {
  const module = words.indexOf('-m');
  if (module >= 0 && words[module + 1]) return words[module + 1];
  if (words.some((word) => word === '-c' || word === '-e')) return undefined;
  const script = words.find((word) => !word.startsWith('-'));
  return script && stem(script);
}

function javaName(words: readonly string[]): string | undefined {
  const jar = words.indexOf('-jar');
  if (jar >= 0 && words[jar + 1]) return stem(words[jar + 1]!);
  const takesValue = new Set(['-cp', '-classpath', '--class-path', '-p', '--module-path', '--add-modules']);
  const main = words.find((word, index) => !word.startsWith('-') && !takesValue.has(words[index - 1] ?? ''));
  return main?.split(/[./]/).at(-1) || undefined;
}

function electronName(words: readonly string[]): string | undefined {
  const target = words.find((word) => !word.startsWith('-'));
  if (!target) return undefined;
  const parts = target.split('/').filter((part) => part && !/^(resources|app|app\.asar|dist|out|usr|lib)$/.test(part));
  return parts.at(-1) && stem(parts.at(-1)!);
}

function stem(path: string): string | undefined {
  const name = basename(path);
  return basename(name, extname(name)) || undefined;
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 64);
  } catch {
    return ['']; // the process ended between two reads; the caller treats it as gone
  }
}

function readProgram(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined; // another user's process, or it just ended: the program stays unverified, which callers can see
  }
}

function isRunningFile(pid: number, path: string): boolean {
  try {
    const [running, there] = [statSync(`/proc/${pid}/exe`), statSync(path)];
    return running.dev === there.dev && running.ino === there.ino;
  } catch {
    return false; // the file is missing or the process just ended: the program cannot be verified
  }
}

type ProcessFacts = Pick<XWindow, 'program' | 'programDeleted' | 'app' | 'started' | 'stopped'>;

/** A window as the X server and the window manager report it, without facts about its process. */
export type ListedWindow = Omit<XWindow, keyof ProcessFacts>;

/**
 * Adds the current facts about each window's process. No event reports that a process was stopped or runs another
 * program.
 */
export function addProcessFacts(windows: readonly ListedWindow[]): XWindow[] {
  const known = new Map<string, ProcessFacts>();
  return windows.map((window) => {
    const claimed = window.wmClass?.instance;
    const key = `${window.pid} ${claimed}`;
    const facts = known.get(key) ?? processFacts(window.pid, claimed);
    known.set(key, facts);
    return { ...window, ...facts };
  });
}

/** `claimed`: the app name that the window itself reports. */
function processFacts(pid: number | undefined, claimed: string | undefined): ProcessFacts {
  const process = pid === undefined ? undefined : identifyProcess(pid);
  return {
    ...(process?.program && { program: process.program }),
    ...(process?.deleted && { programDeleted: true }),
    app: cleanName(process?.app ?? claimed ?? '').text,
    ...(process?.started !== undefined && { started: process.started }),
    stopped: process?.stopped ?? false,
  };
}

/** Identifies a process even if its pid is reused later. */
export interface ProcessId {
  pid: number;
  /** Clock ticks since boot, field 22 of /proc/PID/stat. */
  startTime: number;
}

export interface ProcessInfo extends ProcessId {
  parent: number;
  session: number;
  state: string;
}

/** Undefined if there is no such process or it is a zombie: PID 1 of a container may never reap. */
export function processInfo(pid: number): ProcessInfo | undefined {
  const stat = readProcStat(pid);
  if (!stat || hasEnded(stat)) return undefined;
  const { state, parent, session, startTime } = stat;
  return { pid, state, parent, session, startTime: Number(startTime) };
}

/** `R`, `S`, `T` (stopped) …; undefined as for `processInfo`. */
export function processState(pid: number): string | undefined {
  return processInfo(pid)?.state;
}

/** How long an app may take that is never idle. */
const IDLE_MS = 500;
const IDLE_SAMPLE_MS = 4;
/** One sample may fall into a short wait of the thread for the display or for another app. */
const IDLE_SAMPLES = 3;

/**
 * Resolves when the main thread of the process has slept for some milliseconds without being woken: an event loop does
 * that only when nothing is left to do, not even what it does later than events. LibreOffice runs accelerators and GTK
 * redraws there, after it has answered pings. False if that does not happen in time, as in an app that plays a film.
 */
export async function waitUntilIdle(pid: number, withinMs = IDLE_MS): Promise<boolean> {
  const end = performance.now() + withinMs;
  let last = sleepOf(pid);
  for (let same = 0; same < IDLE_SAMPLES;) {
    if (performance.now() >= end) return false;
    await pause(IDLE_SAMPLE_MS);
    const now = sleepOf(pid);
    same = now !== undefined && now === last ? same + 1 : 0;
    last = now;
  }
  return true;
}

/** Changes each time the main thread is woken; undefined while it does not sleep. */
function sleepOf(pid: number): string | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'latin1');
    if (!/^State:\s+S/m.test(status)) return undefined;
    return status.slice(status.indexOf('voluntary_ctxt_switches'));
  } catch {
    return undefined; // The process ended, which the next call to it reports.
  }
}

export function identify(pid: number): ProcessId | undefined {
  const info = processInfo(pid);
  return info && { pid, startTime: info.startTime };
}

export function isAlive(id: ProcessId): boolean {
  return processInfo(id.pid)?.startTime === id.startTime;
}

export function allProcesses(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processInfo(Number(name)))
    .filter((info) => info !== undefined);
}

export function hasMarker(pid: number, marker: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0${marker}\0`);
  } catch {
    return false; // Another user's process, or gone: we must not end it.
  }
}

/** The boot and the process namespace in which a pid is valid. */
export function processSpace(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** False if the process was already gone. */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(id)) return false;
  try {
    process.kill(id.pid, signal);
    return true;
  } catch {
    return false; // It ended in the meantime.
  }
}
