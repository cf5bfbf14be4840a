import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that can be told from a later one with the same number, also after a reboot. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks between boot and the start of the process; empty where the system does not tell. */
  startTime: string;
  bootId: string;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Gone, or a system without /proc: the answer is "not known".
    return '';
  }
}

function statFields(pid: number): { state: string; startTime: string } | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold anything, brackets and spaces included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat ? { state: fields[0] ?? '', startTime: fields[19] ?? '' } : undefined;
}

const bootId = (): string => readOrEmpty('/proc/sys/kernel/random/boot_id');

export function identityOf(pid: number): ProcessIdentity {
  return { pid, startTime: statFields(pid)?.startTime ?? '', bootId: bootId() };
}

export function isRunning(who: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(who.pid) || who.pid <= 0) return false;
  if (process.platform === 'linux') {
    if (who.bootId !== bootId()) return false;
    const now = statFields(who.pid);
    // A zombie holds nothing any more; the first process of a container may never collect it.
    return now !== undefined && now.startTime === who.startTime && now.state !== 'Z' && now.state !== 'X';
  }
  try {
    process.kill(who.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What a process has started and that still lives; none where the system does not tell. */
export function childrenOf(pid: number): ProcessIdentity[] {
  return readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number).map(identityOf);
}

/** Waits for its end; false when it still lives. */
export async function gone(who: ProcessIdentity, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (isRunning(who)) {
    if (performance.now() > until) return false;
    await pause(20);
  }
  return true;
}
