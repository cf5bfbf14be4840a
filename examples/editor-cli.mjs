// A note, written and saved in an editor through the command line. What counts is the file.
// Run it: node examples/editor-cli.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/surfaces/cli/deskproof.js', import.meta.url));
const deskproof = (...words) => execFileSync(process.execPath, [program, ...words], { encoding: 'utf8' });

const folder = mkdtempSync(join(tmpdir(), 'deskproof-example-'));
const note = join(folder, 'note.txt');
writeFileSync(note, '');
const name = `editor-${process.pid}`;
const desktop = ['--desktop', name];

deskproof('desktop', 'start', '--name', name);
try {
  deskproof('desktop', 'launch', '--name', name, '--timeout-ms', '60000', '--', 'mousepad', note);
  deskproof('type', 'héllo 日本', 'app=mousepad >> role=textbox', '--timeout-ms', '30000', ...desktop);
  deskproof('key', 'ctrl+s', '--window', 'note.txt', ...desktop);
  // The editor writes when it gets round to it.
  const written = () => readFileSync(note, 'utf8').trimEnd();
  for (const end = Date.now() + 30_000; written() === '' && Date.now() < end;) await pause(50);
  assert.equal(written(), 'héllo 日本');
  console.log('ok: the file holds what was typed');
} finally {
  deskproof('desktop', 'stop', name);
  rmSync(folder, { recursive: true });
}
