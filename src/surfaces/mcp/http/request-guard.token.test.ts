import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadToken } from './request-guard.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dp-token-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (text: string, mode = 0o600): string => {
  const path = join(folder, 'token');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

test('a generated token has 256 bits and differs each time', () => {
  expect(loadToken(undefined)).toMatch(/^[0-9a-f]{64}$/);
  expect(loadToken(undefined)).not.toBe(loadToken(undefined));
});

test('reads a token from a file', () => expect(loadToken(file(`${'k'.repeat(32)}\n`))).toBe('k'.repeat(32)));

test.each<[string, () => string, RegExp]>([
  ['that does not exist', () => join(folder, 'none'), /cannot be read/],
  ['that others can read', () => file('k'.repeat(32), 0o640), /Other users can read/],
  ['that is empty', () => file(''), /does not contain a token/],
  ['that is short', () => file('k'.repeat(31)), /does not contain a token/],
  ['with two words', () => file(`${'k'.repeat(32)} ${'k'.repeat(32)}`), /does not contain a token/],
])('refuses a file %s', (_, make, message) => {
  expect(() => loadToken(make())).toThrow(message);
});
