import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('executes few source files for a click and for a snapshot', async () => {
  const script = join(import.meta.dirname, '../../scripts/files-per-call.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout.match(/^(click by ref|click by selector|snapshot): \d+ files/gm)).toHaveLength(3);
  // 5.5 s of processor time: 25 s on two cores with a load of 19, and more beside the other fast tests.
}, 240_000);
