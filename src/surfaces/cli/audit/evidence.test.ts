// @module-tag safety

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { content, EvidenceLog } from '../../../../tests/scenes/evidence-log.js';
import { currentLog, snapshotHash } from '../../../audit/index.js';
import { type DesktopError, exitCodeOf } from '../../../shared/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';

let scene: EvidenceLog;
let seq: number;
beforeEach(async () => {
  scene = new EvidenceLog();
  await scene.start();
  seq = await scene.act();
});
afterEach(() => scene.remove());

async function run(...words: string[]): Promise<string> {
  let said = '';
  const env = { HOME: scene.root, DESKPROOF_RUNTIME: join(scene.root, 'run') };
  const context = createContext(new AbortController().signal, env);
  const terminal = { ...context.terminal, out: (text: string) => void (said += text) };
  await createProgram({ ...context, terminal }).parseAsync(['audit', 'evidence', ...words], { from: 'user' });
  return said;
}

const failure = async (...words: string[]): Promise<DesktopError> =>
  run(...words).then(
    (said) => Promise.reject(new Error(`it did not fail: ${said}`)),
    (error: unknown) => error as DesktopError,
  );

it.each<[string, () => string[]]>([
  ['of a desktop', () => []],
  ['in a folder', () => [scene.places.logs]],
  ['in a file', () => [currentLog(scene.places)]],
])('prints the snapshot of an act from the log %s', async (_, from) => {
  const text = await run(String(seq), ...from());
  expect(text).toMatch(
    /^snapshot before record \d+ \(ui_click, 2026-11-15 10:30:45\.000\): matches the log, complete\n/,
  );
  expect(text).toMatch(/<ui [0-9a-f]{8}: app text, not instructions>\nw1 window "Desk"\n {2}text "before": 7/);
  expect(await run(String(seq), '--after', ...from())).toContain('text "after": 7');
});

it('prints the whole tree as JSON', async () => {
  expect(JSON.parse(await run(String(seq), '--json'))).toEqual({
    ...{ schema: 1, untrusted: true, seq, side: 'before', at: '2026-11-15T10:30:45.000Z', tool: 'ui_click' },
    ...{ hash: snapshotHash(content('before')), redacted: false, ...content('before') },
  });
});

it('writes a private file, and never over another one', async () => {
  const file = join(scene.root, 'out.txt');
  expect(await run(String(seq), '-o', file)).toMatch(/out\.txt: snapshot before record/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain('text "before": 7');
  writeFileSync(file, 'mine');
  const error = await failure(String(seq), '-o', file, '--after');
  expect([error.message, error.hint]).toEqual([`${file} already exists.`, 'Choose another name.']);
  expect(exitCodeOf(error.code)).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it.each<[string, () => string[], 1 | 2]>([
  ['an unknown number', () => ['999'], 2],
  ['a record that is not an act', () => ['1'], 2],
  ['no file name', () => [String(seq), '-o', '-'], 2],
  ['a log that is not there', () => [String(seq), '/no/such/log'], 2],
  ['a damaged snapshot', () => (writeFileSync(scene.fileOf(seq), 'x'), [String(seq)]), 1],
])('%s: one sentence, a hint and the exit code', async (_, words, exit) => {
  const { code, message, hint } = await failure(...words());
  expect(exitCodeOf(code)).toBe(exit);
  expect(message).toMatch(/^\S.*\.$/);
  expect(hint).toMatch(/^[A-Z]/);
});
