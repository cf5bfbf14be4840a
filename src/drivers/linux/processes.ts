import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { cleanName } from '../../tree/index.js';
import type { XWindow } from './x11/windows/window.js';

/** Which program a process runs, as the OS tells it. */
export interface ProcessIdentity {
  pid: number;
  /** Short name for people. Of an interpreter: its script's, which the process could have chosen; `program` is proof. */
  app: string;
  /**
   * Real path of the program; absent when it may not be read (another user's process), and when what is at that path
   * is not what runs: it was replaced since, or the process lives among other files than we do and gave one that name.
   */
  program?: string;
  /** The program's file was replaced or removed while it runs. */
  deleted?: boolean;
  /** Start time in the kernel's ticks: pid and start together are never reused. */
  started?: number;
  /** Stopped by a signal or a debugger: it answers nothing. */
  stopped: boolean;
}

const DELETED = ' (deleted)';

/** Undefined when there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readProcess(pid, 'stat');
  if (stat === undefined) return undefined;
  const { state, started, comm } = parseStat(stat);
  const link = readProgram(pid);
  const deleted = link?.endsWith(DELETED) ?? false;
  const path = deleted ? link!.slice(0, -DELETED.length) : link;
  const app = path ? appName(path, () => argumentsOf(pid)) : comm;
  return {
    pid,
    app,
    ...(path && runsFrom(pid, path) && { program: path }),
    ...(deleted && { deleted }),
    ...(started !== undefined && { started }),
    stopped: state === 'T' || state === 't',
  };
}

/** `comm` may hold spaces and brackets, so fields are counted from its last bracket. */
export function parseStat(stat: string): { comm: string; state: string; started?: number } {
  const open = stat.indexOf('(');
  const close = stat.lastIndexOf(')');
  const fields = stat.slice(close + 2).split(' ');
  const started = Number(fields[19]);
  return {
    comm: stat.slice(open + 1, close),
    state: fields[0] ?? '',
    ...(Number.isFinite(started) && { started }),
  };
}

const SCRIPTED = /^(python|perl|ruby|node|gjs|lua|tclsh|wish|bash|dash|sh|guile|php)[\d.]*(-console)?$/;
const RENAMED: Record<string, string> = { 'soffice.bin': 'libreoffice', oosplash: 'libreoffice' };

/** Short name from the program's path; interpreters are named after what they run. */
export function appName(program: string, args: () => readonly string[]): string {
  const name = basename(program);
  const renamed = RENAMED[name];
  if (renamed) return renamed;
  const words = (): readonly string[] => args().slice(1);
  if (/^java(w)?$/.test(name)) return javaName(words()) ?? name;
  if (/^electron[\d.]*$/.test(name)) return electronName(words()) ?? name;
  if (SCRIPTED.test(name)) return scriptName(words()) ?? name;
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
  return (readProcess(pid, 'cmdline') ?? '').split('\0').slice(0, 64);
}

function readProgram(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined; // another user's process, or it just ended: the program is then unverified, which callers can see
  }
}

function runsFrom(pid: number, path: string): boolean {
  try {
    const [running, there] = [statSync(`/proc/${pid}/exe`), statSync(path)];
    return running.dev === there.dev && running.ino === there.ino;
  } catch {
    return false; // nothing is there, or the process just ended: either way nobody can vouch for it
  }
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined; // the process ended between two looks; the caller treats it as gone
  }
}

type ProcessFacts = Pick<XWindow, 'program' | 'programDeleted' | 'app' | 'started' | 'stopped'>;

/** As the X server and the window manager tell it, without what the system knows of its process. */
export type ListedWindow = Omit<XWindow, keyof ProcessFacts>;

/** With what their processes are at this moment: that one was stopped, or runs another program, no event tells. */
export function withProcesses(windows: readonly ListedWindow[]): XWindow[] {
  const known = new Map<string, ProcessFacts>();
  return windows.map((window) => {
    const claimed = window.wmClass?.instance;
    const key = `${window.pid} ${claimed}`;
    const facts = known.get(key) ?? processFacts(window.pid, claimed);
    known.set(key, facts);
    return { ...window, ...facts };
  });
}

/** `claimed`: what the window itself calls its app. */
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

/** A process that cannot be mistaken for a later one with the same number. */
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

/** undefined when there is no such process, also when it is a zombie: PID 1 of a container may never reap. */
export function processInfo(pid: number): ProcessInfo | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // Gone between listing and reading: that is the answer.
  }
  // The name is in parentheses and may hold anything, also parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0] ?? 'X';
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    state,
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startTime: Number(fields[19]),
  };
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
    return false; // Another user's process, or gone: not ours to end.
  }
}

/** Which run of the kernel and which process namespace a number like "pid 812" belongs to. */
export function processSpace(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
}

/** false when it was gone already. */
export function signalProcess(id: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(id)) return false;
  try {
    process.kill(id.pid, signal);
    return true;
  } catch {
    return false; // It ended in between.
  }
}
