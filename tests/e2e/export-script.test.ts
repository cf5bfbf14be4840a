import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerPlaces, openLedger, type Intent } from '../../src/audit/index.js';
import { CLI, CliRoom, type Outcome } from './cli-room.js';
import { until } from './support/seat-room.js';

// A script made of a log, run on a desktop that the log knows nothing of. What it did is read from the editor's file.

const TEXT = `Milk, "bread" & 'butter' $(id) \`id\` \\ ${'${HOME}'} ;`;
let room: CliRoom;
let note: string;

beforeAll(async () => {
  room = new CliRoom();
  note = join(room.base, 'note.txt');
  writeFileSync(note, '');
  const bin = join(room.base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'deskproof'), `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`, { mode: 0o700 });
  room.env.PATH = `${bin}:${room.env.PATH}`;
  await room.ok('desktop', 'start', '--name', 'again');
});
afterAll(() => room?.close());

async function record(): Promise<void> {
  const ledger = await openLedger({ places: ledgerPlaces('first', room.env), software: 'deskproof/test' });
  const window = `${note} - Mousepad`;
  const acts: Omit<Intent, 'caller' | 'rule'>[] = [
    { tool: 'ui_launch', args: { command: 'mousepad', args: [note] } },
    { tool: 'ui_type', args: { text: TEXT, target: 'e7', window: 'w1' }, target: { role: 'textbox', window } },
    { tool: 'ui_key', args: { keys: 'ctrl+s' }, target: { window } },
  ];
  for (const act of acts) {
    const of = await ledger.intent({ caller: { surface: 'mcp', session: 's1' }, rule: 'private/all', ...act });
    await ledger.outcome(of, { status: 'ok', delivered: 'yes', changed: 'yes', durationMs: 5 });
  }
  await ledger.close();
}

function runScript(file: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: room.env, cwd: room.base };
    const child = execFile(process.execPath, [file, '--desktop', 'again'], options, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

test('the exported script does the same on another desktop', async () => {
  await record();
  const script = join(room.base, 'again.mjs');
  expect(await room.ok('export', '--desktop', 'first', '--to', 'ts', '--out', script)).toContain('4 steps, 3 acts');
  const { code, out, err } = await runScript(script);
  expect({ code, err }, out).toEqual({ code: 0, err: '' });
  await until('the text in the file', () => readFileSync(note, 'utf8').trimEnd() === TEXT);
});
