import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeInlinePolicy } from './inline-policy.js';

describe('a policy', () => {
  test('an object becomes a file that only its owner can read, until it is removed', () => {
    const given = writeInlinePolicy({ version: 1 });
    const { file } = given;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    given.remove();
    expect(existsSync(dirname(file))).toBe(false);
  });

  test('a file whose process was killed is removed by the next one', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    const [dead, other] = [`deskproof-policy-${pid}-abc`, 'deskproof-policy-abc'].map((name) => join(tmpdir(), name));
    for (const folder of [dead!, other!]) mkdirSync(folder, { mode: 0o700 });
    const given = writeInlinePolicy({ version: 1 });
    expect([dead, other, given.file].map((path) => existsSync(path!))).toEqual([false, true, true]);
    given.remove();
    rmdirSync(other!);
  });

  test('a path stays as it is', () => {
    const given = writeInlinePolicy(import.meta.filename);
    given.remove();
    expect([given.file, existsSync(given.file)]).toEqual([import.meta.filename, true]);
  });
});
