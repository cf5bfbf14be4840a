import { setTimeout as pause } from 'node:timers/promises';
import { platform } from './current-platform.js';
import type { ProcessActivity, ProcessIdentity } from './platform.js';

export const identityOf = (pid: number): ProcessIdentity => platform().identityOf(pid);
export const isRunning = (process: ProcessIdentity): boolean => platform().isRunning(process);
export const childrenOf = (pid: number): ProcessIdentity[] => platform().childrenOf(pid);
export const activityOf = (pid: number): ProcessActivity | undefined => platform().activityOf(pid);

const POLL_MS = 20;
/** A bound for the walk up: pids can be reused while it goes on. */
const MAX_GENERATIONS = 32;

/** Whether `pid` is the process `ancestor` or was started by it, directly or not. */
export function isDescendantProcess(pid: number, ancestor: number): boolean {
  const os = platform();
  let at: number | undefined = pid;
  for (let left = MAX_GENERATIONS; left > 0 && at !== undefined && at > 1; left -= 1) {
    if (at === ancestor) return true;
    at = os.parentOf(at);
  }
  return false;
}

/** Waits until the process ended. False if it still runs after that time. */
export async function waitForExit(process: ProcessIdentity, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (isRunning(process)) {
    if (performance.now() > until) return false;
    await pause(POLL_MS);
  }
  return true;
}
