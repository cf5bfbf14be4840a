import { readFileSync } from 'node:fs';

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
  };
}

/** A zombie has ended: only its parent has not collected it yet. PID 1 of a container may never do so. */
export function hasEnded({ state }: ProcStat): boolean {
  return state === 'Z' || state === 'X' || state === '';
}
