import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLedgerLock, writerOf } from './ledger-lock.js';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dp-lock-'));
  path = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('takeLedgerLock', () => {
  it('refuses a second writer and names the first one', () => {
    const lock = takeLedgerLock(path);
    expect(writerOf(path)).toMatchObject({ pid: process.pid });
    expect(() => takeLedgerLock(path)).toThrow(expect.objectContaining({ code: 'audit_unavailable' }));
    expect(() => takeLedgerLock(path)).toThrow(`pid ${process.pid}`);
    lock.release();
    expect(writerOf(path)).toBeUndefined();
  });

  it('fails where the lock cannot be read', () => {
    mkdirSync(path);
    expect(() => takeLedgerLock(path)).toThrow('EISDIR');
    expect(() => writerOf(path)).toThrow('EISDIR');
  });
});
