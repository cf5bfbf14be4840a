import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesHeldIn } from '../../tests/scenes/files-held.js';
import { FileLock, holderOf, readLock, type LockRecord } from './file-lock.js';
import { identityOf } from './processes.js';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dp-lock-'));
  path = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const alive: LockRecord = { format: 1, ...identityOf(process.pid), nonce: 'n', version: '0' };

function take(link?: typeof linkSync): FileLock {
  const lock = FileLock.take(path, '1', link);
  if (!(lock instanceof FileLock)) throw new Error(`taken by pid ${lock.pid}`);
  return lock;
}

describe('FileLock', () => {
  it('is held once, names its holder to others, and is gone after release', () => {
    const lock = take();
    expect(lock).toMatchObject({ wasAbandoned: false });
    expect(lock.isOurs()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(holderOf(path)).toMatchObject({ pid: process.pid });
    expect(FileLock.take(path, '2')).toMatchObject({ pid: process.pid, version: '1' });
    expect(readLock(path)).toMatchObject({ format: 1, version: '1' });
    lock.release();
    lock.release();
    expect(lock.isOurs()).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
    expect(holderOf(path)).toBeUndefined();
  });

  const dead: [string, string][] = [
    ['an earlier process whose pid runs again', JSON.stringify({ ...alive, startTime: '1' })],
    ['a time before a reboot', JSON.stringify({ ...alive, bootId: 'other' })],
    ['a process that ended', JSON.stringify({ ...alive, pid: spawnSync('true').pid })],
    ['no process: an empty file', ''],
    ['no process: a file that is not a lock', '{"pid":"x"}'],
    ['no process: null', 'null'],
  ];
  it.each(dead)('takes over the lock of %s', (_, content) => {
    writeFileSync(path, content);
    expect(holderOf(path)).toBeUndefined();
    const lock = take();
    expect(lock.wasAbandoned).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
    lock.release();
  });

  const gone = { ...alive, startTime: '1' };
  const right = `over-${createHash('sha256').update(JSON.stringify(gone)).digest('hex').slice(0, 12)}`;

  it('leaves an abandoned lock to the living process that is taking it over', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(`${path}.${right}`, JSON.stringify(alive));
    expect(() => take()).toThrow('taken by');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(gone);
  });

  it('takes over an abandoned lock whose next holder died while taking it over', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(`${path}.${right}`, JSON.stringify({ ...alive, startTime: '2' }));
    expect(take().wasAbandoned).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  describe('while other processes act between two steps', () => {
    const refuse = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };

    it('tries again when the lock is gone before it is read', () => {
      let tries = 0;
      const lock = take((from, to) => (tries++ === 0 ? refuse('EEXIST') : linkSync(from, to)));
      expect([tries, lock.wasAbandoned]).toEqual([2, false]);
      lock.release();
    });

    it('fails where the file system has no hard links', () => {
      expect(() => take(() => refuse('EPERM'))).toThrow('EPERM');
      expect(readdirSync(dir)).toEqual([]);
    });

    it('fails where the lock cannot be read', () => {
      mkdirSync(path);
      expect(() => take()).toThrow('EISDIR');
      expect(() => holderOf(path)).toThrow('EISDIR');
    });

    it.each<[string, string, string[]]>([
      ['left to the living process that has it now', JSON.stringify(alive), ['lock']],
      ['taken when it is free now', '', []],
    ])('an abandoned lock is %s', (_, now, left) => {
      writeFileSync(path, JSON.stringify(gone));
      const attempt = (): FileLock =>
        take((from, to) => {
          linkSync(from, to);
          if (to === path) return;
          unlinkSync(path);
          if (now) writeFileSync(path, now);
        });
      if (now) expect(attempt).toThrow('taken by');
      else {
        const lock = attempt();
        expect(lock.wasAbandoned).toBe(false);
        lock.release();
      }
      expect(readdirSync(dir)).toEqual(left);
    });
  });

  it('leaves a lock that another process rewrote, and closes its handle', () => {
    const lock = take();
    writeFileSync(path, JSON.stringify(alive));
    lock.release();
    expect(readdirSync(dir)).toEqual(['lock']);
    if (process.platform === 'linux') expect(filesHeldIn(dir)).toEqual([]);
  });

  const losses: [string, () => void][] = [
    ['removed', () => unlinkSync(path)],
    ['replaced by an equal one', () => (writeFileSync(`${path}2`, readFileSync(path)), renameSync(`${path}2`, path))],
    [
      'removed and taken again',
      () => {
        unlinkSync(path);
        take();
      },
    ],
  ];
  it.each(losses)('notices that it was %s, and leaves the file that is there now', (_, lose) => {
    const lock = take();
    lose();
    const there = readdirSync(dir);
    expect(lock.isOurs()).toBe(false);
    lock.release();
    expect(readdirSync(dir)).toEqual(there);
  });
});
