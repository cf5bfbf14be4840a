// node bench/audit.mjs [--rounds 300 --json]: what writing an act down costs: intent and outcome, side by side with a
// plain append and fdatasync of the same bytes, in one run, in turns, on the same disk.
import '../scripts/node-version.mjs';
import { constants } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { availableParallelism, homedir, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { build, isBuilt } = await import('../scripts/build.mjs');
const { giveUp } = await import('../scripts/run.mjs');
const { count, median, times } = await import('./numbers.mjs');

/** What policy and ledger together may add to an act. */
const ALLOWED_MS = 3;
const ALLOWED_SYNCS = 3;

const CALL = {
  tool: 'ui_click',
  caller: { surface: 'mcp', session: 's7' },
  rule: 'guarded/act-medium',
  args: { target: 'button:Save' },
  target: { app: '/usr/bin/mousepad', role: 'button', name: 'Save', window: 'notes.txt - Mousepad', confidence: 0.93 },
  driver: 'linux-atspi/1',
};

const { rounds, json } = options();
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
const { ledgerPlaces, openLedger, verifyDesktop } = await import('../dist/audit/index.js');

// Beside the real logs: /tmp may be memory, which has nothing to sync.
const directory = await mkdtemp(join(process.env.DESKPROOF_BENCH_DIR ?? homedir(), '.dp-bench-'));
try {
  const results = await measure();
  console.log(json ? JSON.stringify(results, undefined, 2) : report(results));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure() {
  const places = ledgerPlaces('bench', { HOME: directory });
  const ledger = await openLedger({ places, software: 'deskproof/bench' });
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const plain = await open(join(directory, 'plain'), O_WRONLY | O_CREAT | O_APPEND, 0o600);
  const before = (await stat(ledger.path)).size;
  await act(ledger);
  const line = (await readFile(ledger.path)).subarray(before, before + ((await stat(ledger.path)).size - before) / 2);

  const ours = [];
  const disk = [];
  const call = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await timed(() => act(ledger)));
    disk.push(
      await timed(async () => {
        for (let half = 0; half < 2; half++) {
          await plain.write(line);
          await plain.datasync();
        }
      }),
    );
    call.push(await timed(() => ledger.call({ ...CALL, tool: 'ui_snapshot', status: 'ok' })));
  }
  await ledger.close();
  await plain.close();
  const began = performance.now();
  const { verdict, records } = verifyDesktop(places);
  const verifyMs = performance.now() - began;
  return {
    ...{ rounds, load: loadavg()[0], cores: availableParallelism(), bytes: Math.round(line.length) },
    ...{ ledger: spread(ours), plain: spread(disk), read: spread(call) },
    ratio: median(ours.map((value, round) => value / disk[round])),
    ...{ verifyMs, records, verdict },
  };
}

async function act(ledger) {
  const of = await ledger.intent(CALL);
  await ledger.outcome(of, { status: 'ok', delivered: 'yes', changed: 'yes', durationMs: 41 });
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: median(values), p95: sorted[Math.floor(sorted.length * 0.95)], min: sorted[0] };
}

function report({ rounds, load, cores, bytes, ledger, plain, read, ratio, verifyMs, records, verdict }) {
  const ms = ({ median, p95 }) => `${median.toFixed(2)} ms (p95 ${p95.toFixed(2)})`;
  const allowed = ALLOWED_MS + (ALLOWED_SYNCS * plain.median) / 2;
  return [
    `${rounds} rounds, load ${load.toFixed(1)} on ${cores} cores, lines of about ${bytes} bytes`,
    `an act in the log (intent and outcome, each synced and signed)   ${ms(ledger)}`,
    `the same bytes, plain append and fdatasync, twice                ${ms(plain)}`,
    `ratio, round by round, in the middle                             ${times(ratio)}`,
    `more than plain                                                  ${(ledger.median - plain.median).toFixed(2)} ms`,
    `allowed: ${ALLOWED_MS} ms and ${ALLOWED_SYNCS} syncs of this disk                            ${allowed.toFixed(2)} ms: ${ledger.median <= allowed ? 'kept' : 'NOT KEPT'}`,
    `a read in the log (synced in groups)                             ${ms(read)}`,
    `verify of ${count(records)} records                                       ${verifyMs.toFixed(0)} ms: ${verdict}`,
  ].join('\n');
}

function options() {
  const { values } = parseArgs({ options: { rounds: { type: 'string' }, json: { type: 'boolean' } } });
  const rounds = Number(values.rounds ?? 300);
  if (!Number.isInteger(rounds) || rounds < 1) giveUp('--rounds is a number of 1 or more.');
  return { rounds, json: values.json ?? false };
}
