import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';

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
