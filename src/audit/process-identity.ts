import { readFileSync } from 'node:fs';

/** A process that can be told from a later one with the same number, also after a reboot. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks between boot and the start of the process; empty where the system does not tell. */
  start: string;
  boot: string;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Gone, or a system without /proc: the answer is "not known".
    return '';
  }
}

function statFields(pid: number): { state: string; start: string } | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets and may hold anything, brackets and spaces included.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat ? { state: fields[0] ?? '', start: fields[19] ?? '' } : undefined;
}

const bootId = (): string => readOrEmpty('/proc/sys/kernel/random/boot_id');

export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: statFields(pid)?.start ?? '', boot: bootId() };
}

export function isRunning(who: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(who.pid) || who.pid <= 0) return false;
  if (process.platform === 'linux') {
    if (who.boot !== bootId()) return false;
    const now = statFields(who.pid);
    // A zombie writes nothing any more; the first process of a container may never collect it.
    return now !== undefined && now.start === who.start && now.state !== 'Z' && now.state !== 'X';
  }
  try {
    process.kill(who.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
