// Mouse and keys without any check: ours, which stay connected, and xdotool, which is a process each time.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openInputDevice } from '../dist/drivers/linux/input/input-device.js';
import { Deadline } from './house.mjs';
import { startDiaryApp } from './diary-app.mjs';
import { inTurns } from './turns.mjs';

const PLAIN = 'The quick brown fox jumps over the lazy dog';
const MIXED = 'héllo 日本 😀 Ω€';
const soon = () => Deadline.in(60_000);

export async function inputRows(env, rounds) {
  const run = promisify(execFile);
  const xdotool = (...args) => run('xdotool', args, { env });
  const app = await startDiaryApp('input-gtk3.py', env);
  const hands = await openInputDevice(env, soon());
  try {
    const search = ['search', '--sync', '--all', '--onlyvisible', '--pid', String(app.pid), '--name', 'Plain'];
    await xdotool(...search, 'windowactivate', '--sync');
    let from = 0;
    const before = async () => {
      await app.command('clear');
      await app.command('focus entry');
      from = app.diary.length;
    };
    // Two places in turns: two clicks on one would be a double click, and ours wait so that they are not.
    const spots = [
      { x: 500, y: 300 },
      { x: 600, y: 330 },
    ];
    let next = 0;
    const spot = () => spots[next++ % 2];
    const clicked = { before, arrived: () => app.arrived(from, (line) => 'release' in line) };
    const click = await inTurns(rounds, {
      ours: { ...clicked, act: () => done(hands.click(spot(), { deadline: soon() })) },
      xdotool: {
        ...clicked,
        act: () => {
          const { x, y } = spot();
          return done(xdotool('mousemove', String(x), String(y), 'click', '1'));
        },
      },
    });
    const typing = (text, ...options) => {
      const typed = { before, arrived: () => app.arrived(from, ({ entry }) => entry === text) };
      const sides = {
        ours: { ...typed, act: () => done(hands.type(text, { deadline: soon() })) },
        xdotool: { ...typed, act: () => done(xdotool('type', ...options, text)) },
      };
      // Letters that got lost are what speed is bought with: told, not left out.
      return inTurns(rounds, sides, { keepLost: true });
    };
    return [
      { what: 'click', ...click },
      { what: `type ${PLAIN.length} letters`, ...(await typing(PLAIN)) },
      { what: 'the same, xdotool without pauses', ...(await typing(PLAIN, '--delay', '0')) },
      { what: `type ${MIXED}`, ...(await typing(MIXED)) },
    ];
  } finally {
    await hands.close();
    app.end();
  }
}

/** What it answers is no time. */
async function done(work) {
  await work;
}
