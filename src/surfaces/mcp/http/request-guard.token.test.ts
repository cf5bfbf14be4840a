import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenFor } from './request-guard.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dp-token-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (text: string, mode = 0o600): string => {
  const path = join(folder, 'token');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

test('a new one has 256 bits, each time others', () => {
  expect(tokenFor(undefined)).toMatch(/^[0-9a-f]{64}$/);
  expect(tokenFor(undefined)).not.toBe(tokenFor(undefined));
});

test('one from a file is what is in it', () => expect(tokenFor(file(`${'k'.repeat(32)}\n`))).toBe('k'.repeat(32)));

test.each<[string, () => string, RegExp]>([
  ['that is not there', () => join(folder, 'none'), /cannot be read/],
  ['that others can read', () => file('k'.repeat(32), 0o640), /Others can read/],
  ['that is empty', () => file(''), /holds no token/],
  ['that is short', () => file('k'.repeat(31)), /holds no token/],
  ['of two words', () => file(`${'k'.repeat(32)} ${'k'.repeat(32)}`), /holds no token/],
])('a file %s is refused', (_, make, says) => {
  expect(() => tokenFor(make())).toThrow(says);
});
