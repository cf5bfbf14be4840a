// Runs the vitest projects of a stage. A desktop file that failed runs once more, alone, after all others.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { combine, decide } from './outcome.mjs';
import { KEEP_ALL, outputName, REPORT, REPORT_FOLDER } from './reporter.mjs';

const REPORTER = fileURLToPath(new URL('reporter.mjs', import.meta.url));
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Folders of outputs that are kept. */
export const MOST_KEPT = 20;

/**
 * @param {object} run
 * @param {string} run.root The folder with vitest.config.ts.
 * @param {readonly { name: string, repeat: boolean }[]} run.projects
 * @param {string} run.folder For reports and outputs.
 * @param {string[]} [run.args] More words for vitest.
 * @param {AbortSignal} [run.signal] No more files are begun.
 * @param {'inherit' | 'ignore'} [run.stdio]
 */
export async function runProjects({ root, projects, folder, args = [], signal, stdio = 'inherit' }) {
  const options = { root, signal, stdio };
  const firstFolder = join(folder, 'first');
  const names = projects.flatMap(({ name }) => ['--project', name]);
  const { code, report } = await runVitest([...names, ...args], { ...options, folder: firstFolder });
  const { repeat, final } = decide(report.files, projects);
  const again = new Map();
  for (const [at, before] of repeat.entries()) {
    if (signal?.aborted) break;
    if (stdio === 'inherit') console.log(`\nOnce more, alone (${at + 1} of ${repeat.length}): ${before.file}`);
    const own = ['--project', before.project, join(root, before.file)];
    const second = await runVitest(own, { ...options, folder: join(folder, 'second', String(at)), keepAll: true });
    const result = second.report.files.find(({ file }) => file === before.file);
    // Green needs a whole second run: tests that passed, no error outside of them, and vitest's own word.
    const isWhole = result !== undefined && second.code === 0 && result.passed > 0;
    const failed = isWhole ? 0 : Math.max(1, result?.failed ?? 1);
    again.set(before.file, { ...before, ...result, failed });
  }
  const left = repeat.filter(({ file }) => !again.has(file)).map((file) => ({ ...file, why: 'failed' }));
  const result = combine(report, again, [...final, ...left]);
  // vitest failed without a failed test to show for it, or it was ended before it wrote a report.
  const explained = report.files.some(({ failed }) => failed > 0) || report.errors.length > 0;
  const errors = code !== 0 && !explained ? [...report.errors, `vitest ended with code ${code}`] : report.errors;
  return {
    ...result,
    failed: result.failed + errors.length - report.errors.length,
    errors,
    files: report.files.length,
    outputs: (/** @type {string} */ file) => outputsOf(folder, file),
  };
}

function runVitest(args, { root, folder, signal, stdio, keepAll = false }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const words = [VITEST, 'run', '--reporter=default', `--reporter=${REPORTER}`, ...args];
  // Where this runs in a test, the variables of that vitest are not for the one below.
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = { ...Object.fromEntries(outer), [REPORT_FOLDER]: folder, [KEEP_ALL]: keepAll ? '1' : '' };
  const child = spawn(process.execPath, words, { cwd: root, stdio, env });
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  return new Promise((resolve) => {
    child.on('exit', (status) => {
      signal?.removeEventListener('abort', stop);
      resolve({ code: status ?? 1, report: reportIn(folder) });
    });
  });
}

function reportIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, REPORT), 'utf8'));
  } catch {
    return { files: [], errors: [] }; // vitest wrote none. Its exit code makes the run fail.
  } finally {
    rmSync(join(folder, REPORT), { force: true });
  }
}

/** The outputs of a file, first run before second, and whatever its tests left beside them. */
function outputsOf(folder, file) {
  const second = join(folder, 'second');
  const folders = [
    join(folder, 'first'),
    ...(existsSync(second) ? readdirSync(second).map((n) => join(second, n)) : []),
  ];
  const name = outputName(file);
  const stem = name.slice(0, -'.txt'.length);
  return folders
    .flatMap((one) =>
      readdirSync(one)
        .filter((entry) => entry === name || entry.startsWith(`${stem}.`))
        .map((entry) => join(one, entry)),
    )
    .filter((path, at, all) => all.indexOf(path) === at);
}

/** Removes the oldest folders of outputs, and this run's if nothing is in it. Names begin with the time. */
export function tidyOutputs(parent, own) {
  const hasOutputs = existsSync(own) && readdirSync(own, { recursive: true }).some((name) => name.endsWith('.txt'));
  if (!hasOutputs) rmSync(own, { recursive: true, force: true });
  if (!existsSync(parent)) return;
  const old = readdirSync(parent).sort().slice(0, -MOST_KEPT);
  for (const name of old) rmSync(join(parent, name), { recursive: true, force: true });
}
