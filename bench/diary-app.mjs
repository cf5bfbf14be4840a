// An app that is acted on and writes down what happened to it: what arrived is read from there, never from an answer.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../scripts/run.mjs';

const START_MS = 30_000;

/** `file` of tests/fixture-apps, on the desktop that `env` describes. */
export async function startDiaryApp(file, env) {
  const path = join(ROOT, 'tests/fixture-apps', file);
  const child = spawn('/usr/bin/python3', ['-B', path], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const diary = [];
  let wake = () => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) diary.push(JSON.parse(line));
    wake();
  });
  /** Whether such a line comes before long; what is lost never comes. */
  const arrived = async (from, fits, patience = 2_000) => {
    const end = performance.now() + patience;
    while (!diary.slice(from).some(fits)) {
      if (performance.now() > end) return false;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 100);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  };
  const command = async (line) => {
    const from = diary.length;
    child.stdin.write(`${line}\n`);
    const done = await arrived(from, (entry) => entry.done === line.split(' ')[0], START_MS);
    if (!done) throw new Error(`${file} did not ${line}`);
  };
  if (!(await arrived(0, ({ ready }) => ready, START_MS))) throw new Error(`${file} did not start`);
  return { pid: child.pid, diary, command, arrived, end: () => child.kill('SIGKILL') };
}
