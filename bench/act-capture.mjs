// The whole screen as a PNG file: ours and maim's.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodePng } from '../dist/shared/index.js';
import { Deadline } from '../dist/index.js';
import { startDiaryApp } from './diary-app.mjs';
import { inTurns } from './turns.mjs';

/** An empty screen would be a picture of nothing. */
const APPS = ['act-gtk3.py', 'act-qt.py'];
const PNG = '89504e470d0a1a0a';

export async function captureRows({ picture }, env, directory, rounds) {
  const run = promisify(execFile);
  const file = (who) => join(directory, `${who}.png`);
  /** A picture of the right size, or it does not count. */
  const whole = async (who) => {
    const bytes = await readFile(file(who));
    const { width, height } = await picture(Deadline.in(10_000));
    return (
      bytes.subarray(0, 8).toString('hex') === PNG &&
      bytes.readUInt32BE(16) === width &&
      bytes.readUInt32BE(20) === height
    );
  };
  const ours = {
    act: async () => writeFile(file('ours'), encodePng(await picture(Deadline.in(10_000)))),
    arrived: () => whole('ours'),
  };
  const maim = (...options) => ({
    act: async () => {
      await run('maim', ['--hidecursor', ...options, file('maim')], { env });
    },
    arrived: () => whole('maim'),
  });
  const apps = await Promise.all(APPS.map((app) => startDiaryApp(app, env)));
  try {
    return await measured(ours, maim, file, rounds);
  } finally {
    for (const app of apps) app.end();
  }
}

async function measured(ours, maim, file, rounds) {
  const rows = [];
  for (const [what, options] of [
    ['capture to PNG', []],
    ['the same, maim at its fastest', ['--quality', '1']],
  ]) {
    const row = await inTurns(rounds, { ours, maim: maim(...options) });
    const sizes = await Promise.all(['ours', 'maim'].map(async (who) => (await readFile(file(who))).length));
    rows.push({ what, ...row, bytes: { ours: sizes[0], maim: sizes[1] } });
  }
  return rows;
}
