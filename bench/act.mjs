// node bench/act.mjs [--rounds 7 --only PART --json]: acts side by side with cua-driver, xdotool and maim, in one run.
import '../scripts/node-version.mjs';

const { mkdtemp, rm } = await import('node:fs/promises');
const { availableParallelism, loadavg, tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { build, isBuilt } = await import('../scripts/build.mjs');
const { BENCH, ensurePackages } = await import('../scripts/packages.mjs');
const { giveUp } = await import('../scripts/run.mjs');

const SIZE = { width: 1280, height: 900 };
/** Of each kind: policy allows 60 a minute. */
const MOST_CAPTURES = 28;
const { rounds, json, only } = options();
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
await ensurePackages(BENCH);
const { CUA_VERSION, installCua } = await import('./act-cua.mjs');
const { report } = await import('./act-report.mjs');
const { openDesktop } = await import('./house.mjs');

const directory = await mkdtemp(join(tmpdir(), 'dp-bench-'));
try {
  const results = await measure();
  console.log(json ? JSON.stringify(results, undefined, 2) : report(results));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure() {
  const began = performance.now();
  const loadBefore = loadavg()[0];
  const results = {};
  const failed = [];
  /** What fails is told, and does not take the others' numbers with it. */
  const part = async (names, work) => {
    if (!names.some(wanted)) return;
    try {
      Object.assign(results, await work());
    } catch (error) {
      failed.push(`${names.join(' and ')}: ${error.stack}`);
      process.exitCode = 1;
    }
  };
  await part(['verified'], async () => ({ verified: await verified() }));
  await part(['input', 'capture'], onOneSeat);
  await part(['cli'], async () => ({ cli: await (await import('./act-cli.mjs')).cliRow(directory, rounds) }));
  const seconds = Math.round((performance.now() - began) / 1000);
  const machine = { cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0], seconds };
  return { machine, ...results, failed };
}

async function verified() {
  const cua = await installCua();
  try {
    const { verifiedRows } = await import('./act-verified.mjs');
    const rows = await verifiedRows(place('verified'), cua, rounds);
    return { rows, version: CUA_VERSION, ...(cua.missing && { missing: cua.missing }) };
  } finally {
    await cua.remove?.();
  }
}

/** Pixels and keys need no driver between them and the display. */
async function onOneSeat() {
  const opened = await openDesktop({ kind: 'virtual', ...place('raw') });
  const { env } = opened.seat;
  try {
    const results = {};
    if (wanted('input')) {
      const { inputRows } = await import('./act-input.mjs');
      const { noticing, stopping } = await import('./user-input.mjs');
      results.input = await inputRows(env, 2 * rounds);
      results.user = await noticing(env, 2 * rounds);
      results.stop = await stopping(opened, rounds);
    }
    if (wanted('capture')) {
      const { captureRows } = await import('./act-capture.mjs');
      results.capture = await captureRows(opened.desktop, env, {
        ...{ directory, size: SIZE },
        rounds: Math.min(2 * rounds, MOST_CAPTURES),
      });
    }
    return results;
  } finally {
    await opened.close();
  }
}

function place(word) {
  const places = { runtimeDir: join(directory, `${word}-run`), homeDir: join(directory, `${word}-home`) };
  return { name: `${word}-${process.pid}`, size: SIZE, monitors: 1, visible: false, ...places };
}

function wanted(part) {
  return only === undefined || only === part;
}

function options() {
  const PARTS = ['verified', 'input', 'capture', 'cli'];
  try {
    const { values } = parseArgs({
      options: { rounds: { type: 'string', default: '7' }, json: { type: 'boolean' }, only: { type: 'string' } },
    });
    const number = Number(values.rounds);
    if (!Number.isInteger(number) || number < 1 || number > 100) giveUp('--rounds is a number from 1 to 100.');
    if (values.only !== undefined && !PARTS.includes(values.only)) giveUp(`--only is one of ${PARTS.join(', ')}.`);
    return { rounds: number, json: values.json === true, only: values.only };
  } catch (error) {
    return giveUp(`${error.message.split('. ')[0]}. There are --rounds N, --only PART and --json.`);
  }
}
