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
import { filesHeldIn } from '../../../tests/scenes/files-held.js';
import { LedgerLock, writerOf } from './ledger-lock.js';
import { identityOf, isRunning } from '../process-identity.js';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dp-lock-'));
  path = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const alive = { ...identityOf(process.pid), nonce: 'n' };

describe('LedgerLock', () => {
  it('is held by one, told to others, and gone after release', () => {
    const lock = LedgerLock.take(path);
    expect(lock).toMatchObject({ afterDeath: false });
    expect(lock.isOurs()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(writerOf(path)).toMatchObject({ pid: process.pid });
    expect(() => LedgerLock.take(path)).toThrow(`pid ${process.pid}`);
    lock.release();
    lock.release();
    expect(lock.isOurs()).toBe(false);
    expect(readdirSync(dir)).toEqual([]);
    expect(writerOf(path)).toBeUndefined();
  });

  const dead: [string, string][] = [
    ['an earlier process with a number that runs again', JSON.stringify({ ...alive, start: '1' })],
    ['a time before a reboot', JSON.stringify({ ...alive, boot: 'other' })],
    ['a process that ended', JSON.stringify({ ...alive, pid: spawnSync('true').pid })],
    ['nobody, being empty', ''],
    ['nobody, making no sense', '{"pid":"x"}'],
    ['nobody, being null', 'null'],
  ];
  it.each(dead)('takes over the lock of %s', (_, content) => {
    writeFileSync(path, content);
    expect(writerOf(path)).toBeUndefined();
    const lock = LedgerLock.take(path);
    expect(lock.afterDeath).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
    lock.release();
  });

  const gone = { ...alive, start: '1' };
  const right = `over-${createHash('sha256').update(JSON.stringify(gone)).digest('hex').slice(0, 12)}`;

  it('leaves a dead lock to the living process that is taking it over now', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(`${path}.${right}`, JSON.stringify(alive));
    expect(() => LedgerLock.take(path)).toThrow('Another process');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(gone);
  });

  it('takes over a dead lock whose taker died too', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(`${path}.${right}`, JSON.stringify({ ...alive, start: '2' }));
    expect(LedgerLock.take(path).afterDeath).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  describe('while others come between', () => {
    const refuse = (code: string): never => {
      throw Object.assign(new Error(code), { code });
    };

    it('goes on when the lock is gone before it is read', () => {
      let tries = 0;
      const lock = LedgerLock.take(path, (from, to) => (tries++ === 0 ? refuse('EEXIST') : linkSync(from, to)));
      expect([tries, lock.afterDeath]).toEqual([2, false]);
      lock.release();
    });

    it('goes no further where there are no links', () => {
      expect(() => LedgerLock.take(path, () => refuse('EPERM'))).toThrow('EPERM');
      expect(readdirSync(dir)).toEqual([]);
    });

    it('goes no further where the lock cannot be read', () => {
      mkdirSync(path);
      expect(() => LedgerLock.take(path)).toThrow('EISDIR');
      expect(() => writerOf(path)).toThrow('EISDIR');
    });

    it.each<[string, string, string[]]>([
      ['left to the living one that has it now', JSON.stringify(alive), ['lock']],
      ['taken when nobody has it now', '', []],
    ])('a dead lock is %s', (_, now, left) => {
      writeFileSync(path, JSON.stringify(gone));
      const take = (): LedgerLock =>
        LedgerLock.take(path, (from, to) => {
          linkSync(from, to);
          if (to === path) return;
          unlinkSync(path);
          if (now) writeFileSync(path, now);
        });
      if (now) expect(take).toThrow('Another process');
      else {
        const lock = take();
        expect(lock.afterDeath).toBe(false);
        lock.release();
      }
      expect(readdirSync(dir)).toEqual(left);
    });
  });

  it('leaves what another has written into it, and holds nothing open', () => {
    const lock = LedgerLock.take(path);
    writeFileSync(path, JSON.stringify(alive));
    lock.release();
    expect(readdirSync(dir)).toEqual(['lock']);
    if (process.platform === 'linux') expect(filesHeldIn(dir)).toEqual([]);
  });

  const losses: [string, () => void][] = [
    ['removed', () => unlinkSync(path)],
    ['exchanged for an equal one', () => (writeFileSync(`${path}2`, readFileSync(path)), renameSync(`${path}2`, path))],
    [
      'removed and made again by another',
      () => {
        unlinkSync(path);
        LedgerLock.take(path);
      },
    ],
  ];
  it.each(losses)('knows that it was %s, and leaves what stands there', (_, lose) => {
    const lock = LedgerLock.take(path);
    lose();
    const there = readdirSync(dir);
    expect(lock.isOurs()).toBe(false);
    lock.release();
    expect(readdirSync(dir)).toEqual(there);
  });
});

describe('isRunning', () => {
  it.each([0, -1, 1.5, Number.NaN])('is false for the number %s', (pid) => {
    expect(isRunning({ ...alive, pid })).toBe(false);
  });
  it('is true for this process', () => expect(isRunning(identityOf(process.pid))).toBe(true));
});
