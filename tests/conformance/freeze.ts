import { readdirSync, readFileSync } from 'node:fs';
import { until } from './case.js';

/** Stops a process as a debugger does. The signal only asks for it: each of its threads stops when it gets round to it. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await until(`process ${pid} to stop`, async () => threadStates(pid).every((state) => state === 'T'));
}

function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
      return stat.slice(stat.lastIndexOf(')') + 2)[0]!;
    } catch {
      return 'T'; // It ended meanwhile, which is as still as one can be.
    }
  });
}
