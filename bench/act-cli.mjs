// A click as a process, from its start to its end: ours finds and proves, xdotool sends two events.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../scripts/run.mjs';
import { startDiaryApp } from './diary-app.mjs';
import { listsItsTools } from './mcp-start.mjs';
import { median, statistics } from './numbers.mjs';
import { inTurns } from './turns.mjs';

const MAIN = join(ROOT, 'dist/surfaces/cli/deskproof.js');
const TARGET = 'checkbox:Wrap';
const START_ROUNDS = 20;

export async function cliRow(directory, rounds) {
  const run = promisify(execFile);
  const ownEnv = { ...process.env, DESKPROOF_RUNTIME: join(directory, 'cli') };
  const deskproof = async (...args) => (await run(process.execPath, [MAIN, ...args], { env: ownEnv })).stdout;
  const name = `bench-${process.pid}`;
  await deskproof('desktop', 'start', '--name', name);
  try {
    const { env } = JSON.parse(await deskproof('desktop', 'env', name, '--json'));
    const app = await startDiaryApp('act-gtk3.py', env);
    try {
      await deskproof('wait', TARGET, '--desktop', name);
      const described = JSON.parse(await deskproof('describe', TARGET, '--desktop', name, '--json'));
      const { x, y } = described.element.clickPoint ?? centre(described.element.bounds);
      let from = 0;
      const side = (act) => ({
        before: () => {
          from = app.diary.length;
        },
        act: async () => {
          await act();
        },
        arrived: () => app.arrived(from, ({ toggled }) => toggled === 'Wrap'),
      });
      const row = await inTurns(rounds, {
        ours: side(() => deskproof('click', TARGET, '--desktop', name)),
        xdotool: side(() => run('xdotool', ['mousemove', String(x), String(y), 'click', '1'], { env })),
      });
      return { what: 'a click as a process of its own', ...row, starts: await starts(run, ownEnv, name) };
    } finally {
      app.end();
    }
  } finally {
    await deskproof('desktop', 'stop', name);
  }
}

/** How much of it is the start of Node, and how much ours: in turns, as what comes on top of Node in the same round. */
async function starts(run, env, name) {
  const ended = async (...args) => {
    await run(process.execPath, args, { env });
    return performance.now();
  };
  const programs = {
    node: () => ended('-e', '0'),
    version: () => ended(MAIN, '--version'),
    help: () => ended(MAIN, '--help'),
    'list-windows': () => ended(MAIN, 'list-windows', '--desktop', name),
    'mcp, to its list of tools': () => listsItsTools(MAIN, env),
  };
  const took = Object.fromEntries(Object.keys(programs).map((what) => [what, []]));
  for (let round = 0; round <= START_ROUNDS; round++) {
    for (const [what, start] of Object.entries(programs)) {
      const began = performance.now();
      const spent = (await start()) - began;
      if (round > 0) took[what].push(spent);
    }
  }
  const rows = Object.entries(took).map(([what, times]) => ({
    what,
    ...statistics(times),
    onTop: median(times.map((time, round) => time - took.node[round])),
  }));
  return { node: rows[0], ours: rows.slice(1) };
}

function centre({ x, y, width, height }) {
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}
