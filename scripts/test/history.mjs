// Which files were flaky in the last runs. The file lies outside of the repository, so that it outlives a clone.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const VERSION = 1;
/** Runs that are remembered. */
export const RUNS = 20;
const NAME = 'runs.json';

/**
 * @typedef {{ at: string, stages: string[], flaky: string[], failed: string[] }} Run
 */

/** The folder for the history and the kept outputs. */
export function stateFolder(env = process.env) {
  const base = env.XDG_STATE_HOME?.startsWith('/') ? env.XDG_STATE_HOME : join(homedir(), '.local', 'state');
  return join(base, 'deskproof-tests');
}

/**
 * The runs before, oldest first. A file that cannot be read is put aside, with one line about it.
 *
 * @param {string} folder
 * @param {(line: string) => void} [say]
 * @returns {Run[]}
 */
export function readHistory(folder, say = () => undefined) {
  const path = join(folder, NAME);
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // The first run here.
  }
  const runs = parse(text);
  if (runs) return runs;
  renameSync(path, `${path}.unreadable`);
  say(`note: ${path} could not be read. It is now ${NAME}.unreadable, and the count of flaky files starts again.`);
  return [];
}

/** @param {string} text */
function parse(text) {
  try {
    const { version, runs } = JSON.parse(text);
    const isList = (/** @type {unknown} */ list) => Array.isArray(list) && list.every((one) => typeof one === 'string');
    const isRun = (/** @type {Run} */ run) => isList(run.stages) && isList(run.flaky) && isList(run.failed);
    return version === VERSION && Array.isArray(runs) && runs.every(isRun) ? /** @type {Run[]} */ (runs) : undefined;
  } catch {
    return undefined; // Not JSON, or not our shape.
  }
}

/**
 * Adds a run and forgets the oldest. The file is replaced as a whole, so that a reader never finds half of it.
 *
 * @param {string} folder
 * @param {Run} run
 * @param {(line: string) => void} [say]
 * @returns {Run[]} All that are remembered, with the new one.
 */
export function addRun(folder, run, say) {
  const runs = [...readHistory(folder, say), run].slice(-RUNS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${NAME}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify({ version: VERSION, runs }, null, 1)}\n`, { mode: 0o600 });
  renameSync(draft, join(folder, NAME));
  return runs;
}

/**
 * How often a file was flaky in the runs of its stage, as words of the summary.
 *
 * @param {readonly Run[]} runs
 * @param {string} file
 * @param {string} stage
 */
export function howOften(runs, file, stage) {
  const own = runs.filter(({ stages }) => stages.includes(stage));
  const times = own.filter(({ flaky }) => flaky.includes(file)).length;
  return own.length === 1 ? `${times} of 1 run` : `${times} of the last ${own.length} runs`;
}
