// node bench/govern.mjs [--rounds 60 --only PART --json]: what policy and log add to an act. The same click with the
// host's own policy and log on the disk, with one of them, and with neither (everything allowed, a record in memory),
// in turns, in one run, beside the disk's own append and fdatasync.
import '../scripts/node-version.mjs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, homedir, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { build, isBuilt } = await import('../scripts/build.mjs');
const { giveUp } = await import('../scripts/run.mjs');
const { median } = await import('./numbers.mjs');

/** What policy and log together may add to an act: so much, and so many times the disk's own fsync. */
const ALLOWED_MS = 3;
const ALLOWED_SYNCS = 3;
const PARTS = ['fake', 'gtk3'];
/** An act on the fake driver takes no time of its own, so there can be more. */
const FAKE_TIMES = 5;

const { rounds, json, only } = options();
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
const { openGoverned, plainAppend } = await import('./govern-sides.mjs');
const { fakeScene, gtkScene } = await import('./govern-scenes.mjs');

// Beside the real logs: /tmp may be memory, which has nothing to sync.
const directory = await mkdtemp(join(process.env.DESKPROOF_BENCH_DIR ?? homedir(), '.dp-bench-'));
try {
  const results = await measure();
  console.log(json ? JSON.stringify(results, undefined, 2) : report(results));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure() {
  const loadBefore = loadavg()[0];
  const scenes = {
    fake: { title: 'fake driver', open: fakeScene, rounds: FAKE_TIMES * rounds },
    gtk3: { title: 'GTK 3, a toggle button by pattern', open: gtkScene, rounds },
  };
  const rows = [];
  for (const part of PARTS.filter((name) => only === undefined || only === name)) {
    const { title, open, rounds: most } = scenes[part];
    rows.push({ title, ...(await compare(await open(), join(directory, part), most)) });
  }
  return { date: new Date().toISOString(), cores: availableParallelism(), loadBefore, load: loadavg()[0], rows };
}

/** Each round does all of them, in any order: what one leaves behind meets each of the others. The first two warm up. */
async function compare(scene, folder, most) {
  const governed = await openGoverned(folder, scene.driver);
  const disk = await plainAppend(folder);
  const names = Object.keys(governed.sides);
  const took = Object.fromEntries([...names, 'disk'].map((name) => [name, []]));
  const busy = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let round = -2; round < most; round++) {
      const times = { disk: await timed(disk.append) };
      for (const name of shuffled(names)) {
        const before = process.cpuUsage();
        times[name] = await timed(() => scene.act(governed.sides[name]));
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) busy[name].push((user + system) / 1000);
      }
      if (round >= 0) for (const [name, value] of Object.entries(times)) took[name].push(value);
    }
  } finally {
    await governed.close();
    await disk.close();
    await scene.close();
  }
  return { ...judged(took), busy: median(busy.both) - median(busy.neither) };
}

function judged({ neither, disk, ...others }) {
  const added = Object.fromEntries(
    Object.entries(others).map(([name, values]) => [name, spread(values.map((value, at) => value - neither[at]))]),
  );
  const fsync = spread(disk);
  const allowed = ALLOWED_MS + ALLOWED_SYNCS * fsync.median;
  const times = { neither: spread(neither), both: spread(others.both) };
  return { rounds: neither.length, times, added, fsync, allowed, kept: added.both.median <= allowed };
}

function shuffled(names) {
  return names
    .map((name) => [Math.random(), name])
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
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

function report({ cores, loadBefore, load, rows }) {
  const ms = ({ median, p95 }) => `${median.toFixed(2)} ms (p95 ${p95.toFixed(2)})`;
  const lines = rows.flatMap(({ title, rounds, times, added, busy, fsync, allowed, kept }) => [
    `${title}, ${rounds} rounds`,
    `  an act, everything allowed and a record in memory   ${ms(times.neither)}`,
    `  the same with policy and log                        ${ms(times.both)}`,
    `  added, round by round, in the middle                ${ms(added.both)}`,
    `    by the policy alone                               ${ms(added.policy)}`,
    `    by the log alone                                  ${ms(added.log)}`,
    `    processor time of it, all threads                 ${busy.toFixed(2)} ms`,
    `  the disk's own append and fdatasync                 ${ms(fsync)}`,
    `  allowed: ${ALLOWED_MS} ms and ${ALLOWED_SYNCS} times fsync                    ${allowed.toFixed(2)} ms: ${kept ? 'kept' : 'NOT KEPT'}`,
  ]);
  return [`load ${loadBefore.toFixed(1)} to ${load.toFixed(1)} on ${cores} cores`, ...lines].join('\n');
}

function options() {
  const { values } = parseArgs({
    options: { rounds: { type: 'string' }, only: { type: 'string' }, json: { type: 'boolean' } },
  });
  const number = Number(values.rounds ?? 60);
  if (!Number.isInteger(number) || number < 1) giveUp('--rounds is a number of 1 or more.');
  if (values.only !== undefined && !PARTS.includes(values.only)) giveUp(`--only is one of ${PARTS.join(', ')}.`);
  return { rounds: number, only: values.only, json: values.json ?? false };
}
