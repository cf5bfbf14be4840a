// The whole screen as a PNG file: ours, in which secrets are painted over, and maim's.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { perform, TOOLS } from './house.mjs';
import { startDiaryApp } from './diary-app.mjs';
import { inTurns } from './turns.mjs';

/** An empty screen would be a picture of nothing. */
const APPS = ['act-gtk3.py', 'act-qt.py'];
const PNG = '89504e470d0a1a0a';
const VARIANTS = [
  ['capture to PNG', []],
  ['the same, maim at its fastest', ['--quality', '1']],
];

export async function captureRows(desktop, env, { directory, size, rounds }) {
  const apps = await Promise.all(APPS.map((app) => startDiaryApp(app, env)));
  try {
    // Apps that have just opened go on drawing for a while.
    await perform(desktop, TOOLS, { tool: 'ui_wait', args: { until: { stableMs: 500 } }, caller: 'bench' });
    const rows = [];
    for (const [what, options] of VARIANTS) rows.push({ what, ...(await measured(options)) });
    return rows;
  } finally {
    for (const app of apps) app.end();
  }

  async function measured(options) {
    const run = promisify(execFile);
    const files = { maim: join(directory, 'maim.png') };
    /** A picture of the right size, or it does not count. */
    const whole = async (who) => {
      const bytes = await readFile(files[who]);
      const isPng = bytes.subarray(0, 8).toString('hex') === PNG;
      return isPng && bytes.readUInt32BE(16) === size.width && bytes.readUInt32BE(20) === size.height;
    };
    const row = await inTurns(rounds, {
      ours: {
        act: async () => {
          const args = { maxSize: 0, output: 'file' };
          files.ours = (await perform(desktop, TOOLS, { tool: 'ui_capture', args, caller: 'bench' })).json.file;
        },
        arrived: () => whole('ours'),
      },
      maim: {
        act: async () => {
          await run('maim', ['--hidecursor', ...options, files.maim], { env });
        },
        arrived: () => whole('maim'),
      },
    });
    const [ours, maim] = await Promise.all([files.ours, files.maim].map(async (file) => (await readFile(file)).length));
    return { ...row, bytes: { ours, maim } };
  }
}
