import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../../config.js';
import { hostOf, lockFault, readDesktopLock, takeDesktopLock } from './desktop-lock.js';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dp-lock-'));
  path = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('takeDesktopLock', () => {
  it('is taken once, and free again after release', () => {
    const lock = takeDesktopLock(path);
    expect(readDesktopLock(path)).toMatchObject({ pid: process.pid, version: VERSION });
    expect(takeDesktopLock(path)).toBeUndefined();
    expect(hostOf(path)?.pid).toBe(process.pid);
    lock?.release();
    expect(readDesktopLock(path)).toBeUndefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('does not release a lock that another host rewrote', () => {
    const lock = takeDesktopLock(path);
    writeFileSync(path, JSON.stringify({ ...readDesktopLock(path), startTime: '7' }));
    lock?.release();
    expect(readDesktopLock(path)?.startTime).toBe('7');
  });

  it('passes on the error of a missing directory', () => {
    expect(() => takeDesktopLock(join(dir, 'missing', 'lock'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });
});

describe('a directory in place of the lock', () => {
  it.each([
    ['reading', () => readDesktopLock(path)],
    ['asking for the host', () => hostOf(path)],
    ['taking', () => takeDesktopLock(path)],
  ])('%s reports what is wrong and what to do', (_, act) => {
    mkdirSync(path);
    expect(act).toThrow(`${path} is a directory where a lock should be.`);
    expect(lockFault(path)?.hint).toContain(`rm -r ${dir}`);
    expect(readdirSync(dir)).toEqual(['lock']);
  });
});
