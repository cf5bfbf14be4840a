// cua-driver, installed for this run alone into a folder that is removed afterwards, in a process of its own.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PACKAGE = '@trycua/cua-driver';
export const CUA_VERSION = '0.28.2';
/** No telemetry, no look for updates. */
const QUIET = {
  CUA_DRIVER_RS_TELEMETRY_ENABLED: 'false',
  CUA_TELEMETRY_ENABLED: 'false',
  DO_NOT_TRACK: '1',
  CUA_DRIVER_RS_UPDATE_CHECK: 'false',
};
const INSTALL_MS = 120_000;

/** Undefined, with a word why, where npm cannot fetch it. */
export async function installCua() {
  const folder = await mkdtemp(join(tmpdir(), 'dp-bench-cua-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const what = ['install', '--prefix', folder, `${PACKAGE}@${CUA_VERSION}`];
  // Its native library comes as a package of its own; no script has to run.
  const plain = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', [...what, ...plain], { timeout: INSTALL_MS, cwd: folder });
    return { folder, remove };
  } catch (error) {
    await remove();
    return {
      missing: String(error.stderr || error.message)
        .trim()
        .split('\n')[0],
    };
  }
}

/** Its tools on the desktop that `env` describes. `ms` in an answer is what the work took by that process's clock. */
export async function startCua({ folder }, env) {
  const side = fileURLToPath(new URL('act-cua-side.mjs', import.meta.url));
  const entry = join(folder, 'node_modules', PACKAGE, 'dist/index.js');
  const child = spawn(process.execPath, [side, entry], {
    env: { ...env, ...QUIET },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)));
  child.on('exit', (code) => {
    for (const { reject } of waiting) reject(new Error(`cua-driver ended (${code})`));
  });
  const ask = async (request) => {
    const answered = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = await answered;
    if (answer.error) throw new Error(`cua-driver: ${answer.error}`);
    return answer;
  };
  await ask({ do: 'open' });
  return { ask, end: () => child.kill('SIGKILL') };
}
