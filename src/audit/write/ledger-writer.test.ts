import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesHeldIn } from '../../../tests/scenes/files-held.js';
import type { FileLedger } from './file-ledger.js';
import { REAL_DISK, type Disk } from './log-file.js';
import { openLedger } from './open-ledger.js';
import { ledgerPlaces, lockPath, segmentPath, type LedgerPlaces } from '../locations.js';
import { readLog } from '../read/read-log.js';
import { verifyDesktop } from '../verify/verify.js';

let root: string;
let places: LedgerPlaces;
let disk: Disk;
let ledger: FileLedger;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-writer-'));
  places = ledgerPlaces('desk', { HOME: root });
  disk = { ...REAL_DISK };
  ledger = await open();
});
afterEach(async () => {
  await ledger.close().catch(() => undefined);
  rmSync(root, { recursive: true, force: true });
});

const open = (): Promise<FileLedger> => openLedger({ places, software: 'deskproof/test', disk });
const kinds = (): string[] => [...readLog(places.logs)].map(({ record }) => record!.kind);
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };
const unavailable = { code: 'audit_unavailable' };
const second = (): string => segmentPath(places.logs, 2);
const held = (): string[] => filesHeldIn(root);

describe('a segment that cannot be opened', () => {
  it('because its line is not on the disk: nothing is written before the log is opened again', async () => {
    let syncs = 0;
    disk.sync = (file) => ((syncs += 1), syncs === 2 ? Promise.reject(new Error('EIO')) : REAL_DISK.sync(file));
    await expect(ledger.rotate()).rejects.toMatchObject(unavailable);
    await expect(ledger.intent(click)).rejects.toMatchObject(unavailable);
    expect(kinds()).toEqual(['open', 'close', 'checkpoint', 'open']);
    if (process.platform === 'linux') expect(held()).not.toContain(second());
    await ledger.close().catch(() => undefined);
    ledger = await open();
    await ledger.intent(click);
    await ledger.close();
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });

  it('because the end of the previous one is not on the disk: nothing is written before the log is opened again', async () => {
    let syncs = 0;
    disk.sync = (file) => ((syncs += 1), syncs === 1 ? Promise.reject(new Error('EIO')) : REAL_DISK.sync(file));
    await expect(ledger.rotate()).rejects.toMatchObject(unavailable);
    await expect(ledger.intent(click)).rejects.toMatchObject(unavailable);
    expect(kinds()).toEqual(['open', 'close', 'checkpoint']);
    expect(existsSync(second())).toBe(false);
    await ledger.close().catch(() => undefined);
    ledger = await open();
    expect(kinds()).toEqual(['open', 'close', 'checkpoint', 'open', 'recovered']);
    await ledger.close();
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });

  it('because its line was not written: it is opened with the next record', async () => {
    disk.sync = async (file) => {
      disk.write = () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      };
      await REAL_DISK.sync(file);
    };
    await expect(ledger.rotate()).rejects.toMatchObject(unavailable);
    Object.assign(disk, REAL_DISK);
    await ledger.intent(click);
    expect(kinds()).toEqual(['open', 'close', 'checkpoint', 'open', 'intent']);
  });

  it('is not created by a writer that lost the lock', async () => {
    mkdirSync(second());
    await expect(ledger.rotate()).rejects.toMatchObject(unavailable);
    rmdirSync(second());
    unlinkSync(lockPath(places.logs));
    await expect(ledger.intent(click)).rejects.toThrow('The lock of the log was taken');
    expect(existsSync(second())).toBe(false);
  });
});

it.runIf(process.platform === 'linux')('holds the file of one segment open, and none after it is closed', async () => {
  const logs = (): string[] => held().filter((path) => path.endsWith('.jsonl'));
  await ledger.rotate();
  expect(logs()).toEqual([second()]);
  await ledger.close();
  expect(logs()).toEqual([]);
});

it('ends a segment on the disk before it opens the next', async () => {
  const steps: [string, number][] = [];
  disk.write = (fd, bytes) => (steps.push(['write', fd]), REAL_DISK.write(fd, bytes));
  disk.sync = (file) => (steps.push(['sync', file.fd]), REAL_DISK.sync(file));
  await ledger.rotate();
  const [one, two] = [steps[0]![1], steps.at(-1)![1]];
  expect(two).not.toBe(one);
  expect(steps).toEqual([
    ['write', one],
    ['sync', one],
    ['write', two],
    ['sync', two],
  ]);
});
