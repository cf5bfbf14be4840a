import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeCookie } from './display.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-cookie-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('writes one wildcard entry with 128 bits, readable only by its owner, and never overwrites a file', () => {
  const file = join(folder, 'Xauthority');
  const cookie = writeCookie(file);
  const name = 'MIT-MAGIC-COOKIE-1';
  const expected = ['ffff', '0000', '0000', '0012', Buffer.from(name).toString('hex'), '0010', cookie.toString('hex')];
  expect(readFileSync(file).toString('hex')).toBe(expected.join(''));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => writeCookie(file)).toThrow(/EEXIST/);
  expect(writeCookie(join(folder, 'other'))).not.toEqual(cookie);
});
