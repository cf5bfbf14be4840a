import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
