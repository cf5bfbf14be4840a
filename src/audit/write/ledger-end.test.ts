import { appendFileSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKey, makeKey, type SegmentKey } from '../keys.js';
import { findEnd } from './ledger-end.js';
import { readHead, readTrust, replaceHead, writeTrust, type Trust } from './ledger-state.js';
import { NO_HASH } from '../line.js';
import { REAL_DISK, type Disk } from './log-file.js';
import { openLedger } from './open-ledger.js';
import { keyPath, ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import { sign, type SignedStatement } from '../signed-head.js';

let root: string;
let places: LedgerPlaces;
let ledger: string;
/** The head as it was when the second segment was started. */
let between: SignedStatement;
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-end-'));
  places = ledgerPlaces('desk', { HOME: root });
  const disk: Disk = { ...REAL_DISK };
  let clock = Date.parse('2026-11-16T10:00:00Z');
  const now = (): number => (clock += 1_000);
  const made = await openLedger({ places, software: 'deskproof/test', disk, now });
  ledger = made.id;
  disk.write = (fd, bytes) => {
    between = head();
    return REAL_DISK.write(fd, bytes);
  };
  await made.rotate();
  Object.assign(disk, REAL_DISK);
  await made.intent(click);
  await made.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const head = (): SignedStatement => readHead(places.state, ledger) as SignedStatement;
const log = (segment: number): string => segmentPath(places.logs, segment);
const todays = (): SegmentKey => loadKey(keyPath(places.state, ledger, 2))!;
const setHead = (change: Partial<SignedStatement>, key = todays()): void =>
  replaceHead(places.state, sign({ ...head(), ...change }, key));
const setTrust = (change: Partial<Trust>): void =>
  writeTrust(places.state, { ...(readTrust(places.state, ledger) as Trust), ...change });

it('is in the last segment', () => {
  const { seq, hash } = head();
  const { at: openedAt } = JSON.parse(readFileSync(log(2), 'utf8').split('\n')[0]!) as { at: string };
  const key = todays().publicKey;
  expect(findEnd(places, ledger)).toMatchObject({ segment: 2, seq, hash, key, openedAt, unfinished: [seq - 1] });
});

it('is found also if the head is of the segment before', () => {
  const { seq, hash } = head();
  replaceHead(places.state, between);
  expect(between.segment).toBe(1);
  expect(findEnd(places, ledger)).toMatchObject({ segment: 2, seq, hash, head: { segment: 1 } });
});

const notTheOne = /is not the one its head names/;
describe('is refused for a log', () => {
  it.each<[string, RegExp, () => void]>([
    ['whose head names another line', notTheOne, () => setHead({ hash: NO_HASH })],
    ['whose head names another segment', notTheOne, () => setHead({ segment: 1 })],
    ['whose head is signed by another key', notTheOne, () => setHead({}, makeKey())],
    ['whose first key is another one', /its first key is not the trusted one/, () => other()],
    ['whose first head is signed by another key', /its head is not signed by its key/, () => begun(makeKey())],
    ['with bytes between its segments', /segment 1 does not end where the next one begins/, () => between1()],
    ['with no files beside it', /its keys are gone/, () => unlinkSync(join(places.state, ledger, 'trust.json'))],
    ['without a head', /its head is gone/, () => unlinkSync(join(places.state, ledger, 'head'))],
  ])('%s', (_, why, damage) => {
    damage();
    expect(() => findEnd(places, ledger)).toThrow(why);
  });

  const between1 = (): void => {
    replaceHead(places.state, between);
    appendFileSync(log(1), 'x');
  };
  const other = (): void => {
    replaceHead(places.state, between);
    setTrust({ key: makeKey().publicKey });
  };
  const begun = (key: SegmentKey): void => {
    for (const segment of [1, 2]) rmSync(log(segment));
    setHead({ segment: 1, seq: 0, hash: NO_HASH }, key);
  };
});

it('does not list an act as unfinished that was reported before', async () => {
  const dead = (): void => writeFileSync(join(places.logs, 'lock'), '');
  for (let crash = 0; crash < 2; crash++) {
    dead();
    const again = await openLedger({ places, software: 'deskproof/test' });
    await again.close();
  }
  const last = readFileSync(log(2), 'utf8')
    .split('\n')
    .findLast((line) => line.includes('"recovered"'))!;
  expect(JSON.parse(last)).toMatchObject({ unfinished: [] });
  expect(findEnd(places, ledger).unfinished).toEqual([]);
});
