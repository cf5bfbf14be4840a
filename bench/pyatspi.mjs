import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One walk in a process of its own. Debian's python: another one that comes first in PATH would not have pyatspi. */
export async function pyatspi(env, kind, pid) {
  const script = join(import.meta.dirname, 'pyatspi_walk.py');
  const args = [script, kind, ...(pid === undefined ? [] : [String(pid)])];
  const { stdout } = await run('/usr/bin/python3', args, { env, timeout: 120_000 });
  return JSON.parse(stdout);
}
