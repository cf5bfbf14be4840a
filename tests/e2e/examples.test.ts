import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

// Each example is a program that checks its own effect; here they are only run, all at once.

const FOLDER = fileURLToPath(new URL('../../examples', import.meta.url));
const room = new CliRoom();
afterAll(() => room.close());

const EXAMPLES: Record<string, string> = {
  'calculator-mcp.mjs': 'ok: the calculator shows 100\n',
  'editor-cli.mjs': 'ok: the file holds what was typed\n',
  'form-library.mjs': 'ok: the server received {"name":"Ada Lovelace","country":"Japan","news":"on"}\n',
};

test('these are all', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(EXAMPLES));
});

test('each does what it says', async () => {
  const run = (file: string): Promise<[string, string]> =>
    new Promise((resolve) => {
      execFile(process.execPath, [join(FOLDER, file)], { env: room.env, cwd: room.base }, (error, out, err) =>
        resolve([file, error ? `${out}${err}` : out]),
      );
    });
  const ran = await Promise.all(Object.keys(EXAMPLES).map(run));
  expect(Object.fromEntries(ran)).toEqual(EXAMPLES);
  await until('everything to be gone', () => room.processes().length === 0);
});
