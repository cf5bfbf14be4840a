// node bench/input.mjs [--rounds 20 --json]: raw clicks and typing side by side with xdotool, in one run, in turns.
// What arrived is read from the app that got it: speed that loses letters is told as such.
import '../scripts/node-version.mjs';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';

const { build, isBuilt } = await import('../scripts/build.mjs');
const { ensurePackages, FULL } = await import('../scripts/packages.mjs');
const { giveUp, ROOT } = await import('../scripts/run.mjs');
const { ms, ratio, statistics, times } = await import('./numbers.mjs');

const PLAIN = 'The quick brown fox jumps over the lazy dog';
const MIXED = 'héllo 日本 😀 Ω€';
const AIM = 20;

const { rounds, json } = options();
if (!isBuilt()) {
  const problems = await build();
  if (problems) giveUp(problems);
}
await ensurePackages(FULL);
const { bootSeat } = await import('../dist/drivers/linux/seat/index.js');
const { openHands } = await import('../dist/drivers/linux/input/index.js');
const { Deadline } = await import('../dist/index.js');
const { noticing } = await import('./human.mjs');
const soon = () => Deadline.in(60_000);
const run = promisify(execFile);

const directory = await mkdtemp(join(tmpdir(), 'dw-bench-'));
const places = { runtimeDir: join(directory, 'run'), homeDir: join(directory, 'home') };
const size = { width: 1280, height: 800 };
const seat = await bootSeat({ name: `input-${process.pid}`, size, monitors: 1, visible: false, ...places });
try {
  const results = await measure();
  console.log(json ? JSON.stringify(results, undefined, 2) : report(results));
} finally {
  await seat.stop();
  await rm(directory, { recursive: true, force: true });
}

async function measure() {
  const app = await startApp();
  const hands = await openHands(seat.env, soon());
  const xdotool = (...args) => run('xdotool', args, { env: seat.env });
  const loadBefore = loadavg()[0];
  // Two places in turns: two clicks on one would be a double click, and ours wait so that they are not.
  const spots = [
    { x: 500, y: 300 },
    { x: 600, y: 330 },
  ];
  let next = 0;
  const spot = () => spots[next++ % 2];
  const click = await inTurns(app, 'release', {
    ours: () => hands.click(spot(), { deadline: soon() }),
    xdotool: () => {
      const { x, y } = spot();
      return xdotool('mousemove', String(x), String(y), 'click', '1');
    },
  });
  const typing = (text, ...options) =>
    inTurns(app, 'entry', {
      ours: () => hands.type(text, { deadline: soon() }),
      xdotool: () => xdotool('type', ...options, text),
      text,
    });
  const rows = [
    { what: 'click', ...click },
    { what: `type, ${PLAIN.length} letters`, ...(await typing(PLAIN)) },
    { what: 'the same, xdotool without pauses', ...(await typing(PLAIN, '--delay', '0')) },
    { what: `type ${MIXED}`, ...(await typing(MIXED)) },
  ];
  const human = await noticing(seat.env, rounds);
  await hands.close();
  app.end();
  return { machine: { cores: availableParallelism(), loadBefore, loadAfter: loadavg()[0], rounds }, rows, human };
}

/** Both sides in each round, who goes first changes; the first round is not counted. */
async function inTurns(app, word, { ours, xdotool, text }) {
  const sides = { ours: { act: ours, took: [], exact: 0 }, xdotool: { act: xdotool, took: [], exact: 0 } };
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 ? ['ours', 'xdotool'] : ['xdotool', 'ours']) {
      const side = sides[name];
      await app.command('clear');
      await app.command('focus entry');
      const from = app.diary.length;
      const began = performance.now();
      await side.act();
      const took = performance.now() - began;
      const right = await app.arrived(from, (line) => (text === undefined ? word in line : line[word] === text));
      if (round === 0) continue;
      side.took.push(took);
      if (right) side.exact++;
    }
  }
  const { took: a, exact: oursExact } = sides.ours;
  const { took: b, exact: theirsExact } = sides.xdotool;
  return { ours: statistics(a), xdotool: statistics(b), ratio: ratio(b, a), oursExact, theirsExact };
}

async function startApp() {
  const file = join(ROOT, 'tests/fixture-apps/input-gtk3.py');
  const child = spawn('/usr/bin/python3', ['-B', file], { env: seat.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const diary = [];
  let wake = () => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) diary.push(JSON.parse(line));
    wake();
  });
  /** Whether such a line comes before long; a letter that is lost never comes. */
  const arrived = async (from, fits, patience = 2000) => {
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
    if (!(await arrived(from, ({ done }) => done === line.split(' ')[0], 20_000))) giveUp(`the app did not ${line}`);
  };
  if (!(await arrived(0, ({ ready }) => ready, 20_000))) giveUp('the app did not start');
  const search = ['search', '--sync', '--all', '--onlyvisible', '--pid', String(child.pid), '--name', 'Deskwright'];
  await run('xdotool', [...search, 'windowactivate', '--sync'], { env: seat.env });
  return { diary, command, arrived, end: () => child.kill('SIGKILL') };
}

function report({ machine, rows, human }) {
  const cell = (one) => `${ms(one.median)} (${ms(one.min)} … ${ms(one.max)})`;
  const lines = rows.map(({ what, ours, xdotool, ratio: { ofMedians, rounds: each }, oursExact, theirsExact }) =>
    [
      `${what}: ${times(ofMedians)} faster (aim ${AIM}x; round by round ${times(each.min)} … ${times(each.max)})`,
      `    ours ${cell(ours)} ms, arrived exactly in ${oursExact} of ${machine.rounds}`,
      `    xdotool ${cell(xdotool)} ms, arrived exactly in ${theirsExact} of ${machine.rounds}`,
    ].join('\n'),
  );
  return [
    ...lines,
    `a person's motion is noticed after ${cell(human)} ms (aim: within 50 ms)`,
    `Noise: ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after; medians (fastest … slowest).`,
  ].join('\n');
}

function options() {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, json: { type: 'boolean' } } });
    const number = Number(values.rounds);
    if (!Number.isInteger(number) || number < 1 || number > 1000) giveUp('--rounds is a number from 1 to 1000.');
    return { rounds: number, json: values.json === true };
  } catch (error) {
    return giveUp(`${error.message.split('. ')[0]}. There are --rounds N and --json.`);
  }
}
