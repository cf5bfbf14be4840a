import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesHeldIn } from '../../tests/scenes/files-held.js';
import { headOfACrash } from '../../tests/scenes/head-of-a-crash.js';
import { loadKey } from './keys.js';
import { readHead, readTrust, replaceHead, type Trust } from './write/ledger-state.js';
import { NO_HASH } from './line.js';
import type { FileLedger } from './write/file-ledger.js';
import { REAL_DISK, type Disk } from './write/log-file.js';
import { newLedger, openLedger } from './write/open-ledger.js';
import { keyPath, ledgerPlaces, segmentPath, type LedgerPlaces } from './locations.js';
import { readLog } from './read/read-log.js';
import { sign, type SignedStatement } from './signed-head.js';
import { verifyDesktop } from './verify/verify.js';

// How a log continues, for each state in which it can have been left.

let root: string;
let places: LedgerPlaces;
let disk: Disk;
let ledger: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-resume-'));
  places = ledgerPlaces('desk', { HOME: root });
  disk = { ...REAL_DISK };
  const made = await open();
  ledger = made.id;
  await made.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (): Promise<FileLedger> => openLedger({ places, software: 'deskproof/test', disk });
const reopened = async (): Promise<string[]> => {
  const again = await open();
  const found = kinds();
  await again.close();
  return found;
};
const records = () => [...readLog(places.logs)].map(({ record }) => record!);
const kinds = (): string[] => records().map(({ kind }) => kind);
const log = (segment = 1): string => segmentPath(places.logs, segment);
const head = (): SignedStatement => readHead(places.state, ledger) as SignedStatement;
const died = (): void => writeFileSync(join(places.logs, 'lock'), '');

describe('a ledger that was started and is still empty', () => {
  beforeEach(() => {
    const key = loadKey(keyPath(places.state, ledger, 1))!;
    replaceHead(places.state, sign({ ledger, segment: 1, seq: 0, hash: NO_HASH }, key));
    rmSync(log());
    died();
  });

  it('lost nothing', async () => {
    expect(await reopened()).toEqual(['open']);
  });

  it('lost half a line', async () => {
    writeFileSync(log(), '{"at":', { mode: 0o600 });
    expect(await reopened()).toEqual(['open', 'recovered']);
    expect(records()[1]).toMatchObject({ torn: { bytes: 6 } });
    expect(verifyDesktop(places).ok).toBe(true);
  });
});

it('stray bytes are reported also without a crash', async () => {
  headOfACrash(places, ledger);
  appendFileSync(log(), 'x');
  expect(await reopened()).toEqual(['open', 'checkpoint', 'recovered']);
});

it('the recovery record is on the disk and in the head before anything else', async () => {
  died();
  const again = await open();
  expect(records().at(-1)).toMatchObject({ kind: 'recovered', seq: head().seq });
  await again.close();
});

describe('a segment that was closed and has no successor', () => {
  let before: SignedStatement;
  beforeEach(async () => {
    headOfACrash(places, ledger);
    before = head();
    const key = readFileSync(keyPath(places.state, ledger, 1));
    const made = await open();
    await made.rotate();
    await made.close();
    rmSync(log(2));
    replaceHead(places.state, before);
    writeFileSync(keyPath(places.state, ledger, 1), key, { mode: 0o600 });
  });
  const withoutCheckpoint = (): void => {
    const lines = readFileSync(log(), 'utf8').trimEnd().split('\n');
    truncateSync(log(), Buffer.byteLength(lines.slice(0, -1).join('\n')) + 1);
  };

  it('is not signed a second time', async () => {
    expect(await reopened()).toEqual(['open', 'checkpoint', 'close', 'checkpoint', 'open', 'recovered']);
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('is signed before the next one is started', async () => {
    withoutCheckpoint();
    const steps: string[] = [];
    disk.write = (fd, bytes) => (steps.push(`write ${fd}`), REAL_DISK.write(fd, bytes));
    disk.sync = (file) => (steps.push(`sync ${file.fd}`), REAL_DISK.sync(file));
    expect(await reopened()).toEqual(['open', 'checkpoint', 'close', 'checkpoint', 'open', 'recovered']);
    expect(steps[1]).toBe(steps[0]!.replace('write', 'sync'));
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('is continued if its key is gone and the next segment has its file', async () => {
    writeFileSync(log(2), '', { mode: 0o600 });
    rmSync(keyPath(places.state, ledger, 1));
    expect(await reopened()).toEqual(['open', 'checkpoint', 'close', 'checkpoint', 'open', 'recovered']);
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('is not continued if its end is not signed and the next segment has its file', async () => {
    withoutCheckpoint();
    writeFileSync(log(2), '', { mode: 0o600 });
    await expect(open()).rejects.toThrow('the end of the segment before 2 is not signed');
  });

  it('leaves no file open if the next one cannot be started', async () => {
    disk.write = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    await expect(open()).rejects.toMatchObject({ code: 'audit_unavailable' });
    if (process.platform === 'linux') expect(filesHeldIn(root)).toEqual([]);
  });
});

describe('a new ledger', () => {
  const startNew = (reason: string): Promise<FileLedger> => newLedger({ places, software: 'deskproof/test' }, reason);

  it.each(['', '  '])('needs a reason; %j is not one', async (reason) => {
    await expect(startNew(reason)).rejects.toMatchObject({ code: 'bad_arguments' });
  });

  it.each<[string, () => void, object]>([
    ['a known ledger', () => undefined, { head: 2, reason: 'tested' }],
    [
      'a ledger whose head is damaged',
      () => writeFileSync(join(places.state, ledger, 'head'), 'x'),
      { reason: 'tested' },
    ],
    ['an unknown ledger', () => rmSync(places.state, { recursive: true }), { ledger: 'unknown', reason: 'tested' }],
  ])('names %s', async (_, damage, after) => {
    damage();
    const made = await startNew(' tested ');
    await made.close();
    expect((readTrust(places.state, made.id) as Trust).after).toEqual({ ledger, ...after });
  });
});
