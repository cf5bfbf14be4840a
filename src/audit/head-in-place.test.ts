import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeKey } from './keys.js';
import { readHead, replaceHead, writeFirstHead } from './write/ledger-state.js';
import { NO_HASH } from './line.js';
import { headText, sign, type SignedStatement } from './signed-head.js';

const KEY = makeKey();
const LEDGER = `L${'a'.repeat(32)}`;
const head = (seq: number, ended?: true): SignedStatement =>
  sign({ ledger: LEDGER, segment: 1, seq, hash: NO_HASH, ...(ended && { ended }) }, KEY);

let state: string;
let path: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'dp-head-'));
  writeFirstHead(state, head(9));
  path = join(state, LEDGER, 'head');
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

it('a longer head replaces the previous one, in the same file and closed to other users', () => {
  const { ino } = statSync(path);
  replaceHead(state, head(10));
  expect(readFileSync(path, 'utf8')).toBe(headText(head(10)));
  expect([statSync(path).ino, statSync(path).mode & 0o777]).toEqual([ino, 0o600]);
});

it('a shorter head leaves nothing of a longer one behind', () => {
  replaceHead(state, head(9, true));
  replaceHead(state, head(8));
  expect(readFileSync(path, 'utf8')).toBe(headText(head(8)));
  expect(readHead(state, LEDGER)).toEqual(head(8));
});

it('a head that is gone, or is a link, is not written', () => {
  const elsewhere = join(state, 'elsewhere');
  renameSync(path, elsewhere);
  expect(() => replaceHead(state, head(10))).toThrow(/ENOENT/);
  symlinkSync(elsewhere, path);
  expect(() => replaceHead(state, head(10))).toThrow(/ELOOP/);
  expect(readFileSync(elsewhere, 'utf8')).toBe(headText(head(9)));
});

it('a head that cannot be parsed is damaged, however often it is read', () => {
  writeFileSync(path, headText(head(10)).slice(0, -20));
  expect(readHead(state, LEDGER)).toBe('damaged');
});
