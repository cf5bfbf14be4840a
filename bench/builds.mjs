// node bench/builds.mjs --beside DIR [--rounds 7 --json]: this build beside that of another checkout, in turns: starting
// a desktop, looking, clicking, typing 200 characters, double-clicking. DIR must be built (`node scripts/build.mjs`).
import '../scripts/node-version.mjs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadavg } from 'node:os';
import { median, ms, ratio } from './numbers.mjs';

const { values } = parseArgs({
  options: { beside: { type: 'string' }, rounds: { type: 'string', default: '7' }, json: { type: 'boolean' } },
});
const ROUNDS = Number(values.rounds);
if (values.beside === undefined || !(ROUNDS > 0)) {
  console.error('node bench/builds.mjs --beside DIR [--rounds 7 --json]');
  process.exit(2);
}
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const APPS = join(ROOT, 'tests', 'fixture-apps');
const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(5).slice(0, 200);
/** The fixtures end with their standard input. */
const fixture = (file) => ({
  command: '/bin/sh',
  args: ['-c', 'sleep 3600 | /usr/bin/python3 "$0"', join(APPS, file)],
});
const TOOLKITS = [
  { name: 'GTK 3', ...fixture('act-gtk3.py') },
  { name: 'GTK 4', ...fixture('act-gtk4.py') },
  { name: 'Qt', ...fixture('act-qt.py') },
  { name: 'Chromium', command: 'chromium', args: ['--no-sandbox', pathToFileURL(join(APPS, 'act-page.html')).href] },
];

const loadBefore = loadavg()[0];
const sides = { other: resolve(values.beside), ours: ROOT };
const openers = {};
for (const [side, folder] of Object.entries(sides)) openers[side] = await import(join(folder, 'dist', 'index.js'));
const rows = [];
for (const toolkit of TOOLKITS) rows.push(...(await measure(toolkit)));
const machine = { loadBefore, loadAfter: loadavg()[0], rounds: ROUNDS };
console.log(values.json ? JSON.stringify({ machine, rows }, undefined, 2) : report());

/** One desktop of each build at a time with the same app; the builds take turns within a round. */
async function measure({ name, command, args }) {
  const taken = { start: runs(), look: runs(), click: runs(), type: runs(), 'double-click': runs() };
  const open = {};
  try {
    for (const side of Object.keys(sides)) open[side] = await begin(side, command, args, taken.start);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of round % 2 ? ['ours', 'other'] : ['other', 'ours']) {
        const { window } = open[side];
        const field = window.getByRole('textbox', { name: 'Name' });
        const note = (what, time) => round > 0 && taken[what][side].push(time);
        note('look', await timed(() => window.snapshot()));
        note('click', await timed(() => field.click()));
        await field.fill('');
        note('type', await timed(() => field.type(TEXT)));
        if ((await field.inputValue()) !== TEXT) throw new Error(`${name}, ${side}: the text did not arrive.`);
        note('double-click', await timed(() => field.dblclick()));
      }
    }
  } finally {
    for (const { desktop } of Object.values(open)) await desktop.close();
  }
  return Object.entries(taken).map(([what, { other, ours }]) => ({ toolkit: name, what, other, ours }));
}

async function begin(side, command, args, starts) {
  const started = performance.now();
  const desktop = await openers[side].openDesktop({ timeoutMs: 30_000, approve: async () => ({ allow: true }) });
  await desktop.launch(command, { args });
  const window = await desktop.waitForWindow(/Acted on/);
  await window.getByRole('textbox', { name: 'Name' }).waitFor();
  starts[side].push(performance.now() - started);
  return { desktop, window };
}

function runs() {
  return { other: [], ours: [] };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function report() {
  const lines = rows.map(({ toolkit, what, other, ours }) => {
    const { rounds } = ratio(ours, other);
    const numbers = `${ms(median(other)).padStart(7)} ${ms(median(ours)).padStart(7)}  ${rounds.median.toFixed(2)}x`;
    return `${toolkit.padEnd(9)} ${what.padEnd(13)}${numbers} (${rounds.min.toFixed(2)} to ${rounds.max.toFixed(2)})`;
  });
  const head = `load ${machine.loadBefore.toFixed(1)} to ${machine.loadAfter.toFixed(1)}, ${ROUNDS} rounds in turns`;
  return [head, '                       other    ours  ours / other, round by round', ...lines].join('\n');
}
