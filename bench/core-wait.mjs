import { readFileSync } from 'node:fs';

/**
 * How long the main thread of a process was ready to run and had to wait for a core, since it started, in ms. What it
 * grows by during a walk is other programs' doing. Undefined where the kernel does not tell.
 */
export function coreWait(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return undefined; // A kernel without scheduling statistics: the times stay as they are.
  }
}
