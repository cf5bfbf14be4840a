import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holderOf, lockFault, readLock, releaseLock, takeLock, type LockRecord } from './file-lock.js';
import { identityOf, isRunning } from './process-identity.js';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dp-lock-'));
  path = join(dir, 'lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const alive: LockRecord = { format: 1, ...identityOf(process.pid), version: '0' };
const dead: [string, string][] = [
  ['of an earlier process with a number that runs again', JSON.stringify({ ...alive, startTime: '1' })],
  ['from before a reboot', JSON.stringify({ ...alive, bootId: 'other' })],
  ['of a process that ended', JSON.stringify({ ...alive, pid: spawnSync('true').pid })],
  ['that is empty', ''],
  ['that is not ours', '{"pid":"x"}'],
];

describe('takeLock', () => {
  it('is taken once, and free again after release', () => {
    const mine = takeLock(path, '1');
    expect(mine).toMatchObject({ pid: process.pid, version: '1' });
    expect(takeLock(path, '1')).toBe('taken');
    expect(holderOf(path)?.pid).toBe(process.pid);
    releaseLock(path, mine as LockRecord);
    expect(readLock(path)).toBeUndefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each(dead)('replaces a lock %s', (_, content) => {
    writeFileSync(path, content);
    expect(holderOf(path)).toBeUndefined();
    expect(takeLock(path, '2')).toMatchObject({ version: '2' });
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  const gone = { ...alive, startTime: '1' };
  const right = () => {
    const tag = createHash('sha256').update(JSON.stringify(gone)).digest('hex').slice(0, 12);
    return `${path}.over-${tag}`;
  };

  it('leaves a dead lock to the living process that is replacing it now', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(right(), JSON.stringify(alive));
    expect(takeLock(path, '2')).toBe('taken');
    expect(readLock(path)).toEqual(gone);
  });

  it('replaces a dead lock whose replacer died too', () => {
    writeFileSync(path, JSON.stringify(gone));
    writeFileSync(right(), JSON.stringify({ ...alive, startTime: '2' }));
    expect(takeLock(path, '2')).toMatchObject({ version: '2' });
    expect(readdirSync(dir)).toEqual(['lock']);
  });

  it('does not release a lock that another took over', () => {
    const mine = takeLock(path, '1') as LockRecord;
    writeFileSync(path, JSON.stringify({ ...mine, startTime: '7' }));
    releaseLock(path, mine);
    expect(readLock(path)?.startTime).toBe('7');
  });
});

describe('a directory in its place', () => {
  it.each([
    ['reading', () => readLock(path)],
    ['asking who holds it', () => holderOf(path)],
    ['taking', () => takeLock(path, '1')],
  ])('%s it says what is wrong and what to do', (_, act) => {
    mkdirSync(path);
    expect(act).toThrow(`${path} is a directory where a lock should be.`);
    expect(lockFault(path)?.hint).toContain(`rm -r ${dir}`);
    expect(readdirSync(dir)).toEqual(['lock']);
  });
});

describe('isRunning', () => {
  it.each([0, -1, 1.5, Number.NaN])('is false for the number %s', (pid) => {
    expect(isRunning({ ...alive, pid })).toBe(false);
  });
  it('is true for this process', () => expect(isRunning(identityOf(process.pid))).toBe(true));
});
