import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headOfACrash } from '../../tests/scenes/head-of-a-crash.js';
import { canonicalJson } from '../shared/index.js';

import { readCurrent, readTrust, writeFirstHead, type Trust } from './write/ledger-state.js';
import { loadKey } from './keys.js';
import { hashOf, NO_HASH } from './line.js';
import { takeLedgerLock } from './write/ledger-lock.js';
import { newLedger, openLedger } from './write/open-ledger.js';
import { keyPath, ledgerPlaces, lockPath, segmentPath, type LedgerPlaces } from './locations.js';
import { sign } from './signed-head.js';
import { verifyDesktop, verifyLog, type VerifyOptions } from './verify/verify.js';

// Which of several ledgers in a directory is verified, and with which evidence.

let root: string;
let places: LedgerPlaces;
let keys: string[];
const software = 'deskproof/test';
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };

// The first ledger has the segments 1 and 2, the second has 3.
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-which-'));
  places = ledgerPlaces('desk', { HOME: root });
  const first = await openLedger({ places, software });
  await first.rotate();
  await first.close();
  const second = await newLedger({ places, software }, 'tested');
  await second.intent(click);
  await second.close();
  keys = [first, second].map(({ id }) => (readTrust(places.state, id) as Trust).fingerprint);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const lastIn = (log: Buffer): { seq: number; line: string } => {
  const line = log.toString().trimEnd().split('\n').at(-1)!;
  return { seq: (JSON.parse(line) as { seq: number }).seq, line };
};
const last = (segment: number) => lastIn(readFileSync(segmentPath(places.logs, segment)));

describe('the ledger of a log that is named', () => {
  it.each([
    ['by the first file of the first', '000001.jsonl', 0, ['000001', '000002']],
    ['by the last file of the first', '000002.jsonl', 0, ['000001', '000002']],
    ['by the file of the second', '000003.jsonl', 1, ['000003']],
    ['by its directory: the last', '', 1, ['000003']],
  ])('%s', (_, file, which, files) => {
    for (const state of [{ state: places.state }, {}]) {
      const verified = verifyLog({ log: join(places.logs, file), ...state });
      expect(verified.ok).toBe('state' in state);
      expect(verified.fingerprint).toBe(keys[which]);
      expect(verified.segments.map((line) => line.slice(0, 6))).toEqual(files);
      const before = 'an earlier ledger precedes it, up to segment 2';
      expect(verified.notes.includes(before)).toBe(which === 1);
    }
  });

  it('by the desktop: its current one, whatever else is there', () => {
    expect(verifyDesktop(places)).toMatchObject({ ok: true, fingerprint: keys[1], records: last(3).seq });
    const second = readFileSync(segmentPath(places.logs, 3));
    const planted = segmentPath(places.logs, 4);
    writeFileSync(planted, readFileSync(segmentPath(places.logs, 1)));
    expect(verifyDesktop(places).verdict).toMatch(/^broken at line 1 of 000004\.jsonl .*: chain$/);
    rmSync(planted);
    rmSync(segmentPath(places.logs, 3));
    expect(verifyDesktop(places).verdict).toBe(`cut: head names ${lastIn(second).seq}, log ends at 0`);
    writeFileSync(segmentPath(places.logs, 3), second);
  });

  it('that was just started, or whose first lines no head names yet', () => {
    const ledger = readCurrent(places)!;
    const headFile = join(places.state, ledger, 'head');
    const [head, log] = [readFileSync(headFile), readFileSync(segmentPath(places.logs, 3))];
    const key = loadKey(keyPath(places.state, ledger, 3))!;
    writeFirstHead(places.state, sign({ ledger, segment: 3, seq: 0, hash: NO_HASH }, key));
    expect(verifyDesktop(places).ok).toBe(true);
    rmSync(segmentPath(places.logs, 3));
    expect(verifyDesktop(places)).toMatchObject({ ok: false, verdict: 'no records' });
    writeFileSync(headFile, head);
    writeFileSync(segmentPath(places.logs, 3), log);
  });

  it('is not trusted without evidence about its key', () => {
    const file = join(places.state, readCurrent(places)!, 'trust.json');
    const trust = readFileSync(file);
    rmSync(file);
    expect(verifyDesktop(places)).toMatchObject({ ok: false, verdict: expect.stringMatching(/^no head/) as string });
    writeFileSync(file, trust);
  });

  it.each([
    ['nothing', 'nothing', /nothing is not there\.$/],
    ['something else', 'other', /other is not a log\.$/],
    ['a file that is gone', '000009.jsonl', /000009.jsonl is not there\.$/],
  ])('cannot be that of %s', (_, name, message) => {
    writeFileSync(join(root, 'other'), '');
    expect(() => verifyLog({ log: join(root, name) })).toThrow(message);
  });
});

describe('a log by itself', () => {
  let logs: string;
  beforeEach(() => {
    logs = mkdtempSync(join(tmpdir(), 'dp-which-'));
  });
  afterEach(() => rmSync(logs, { recursive: true, force: true }));
  const verify = (other: Partial<VerifyOptions> = {}) => verifyLog({ log: logs, ...other });

  it.each([
    ['of no file', []],
    ['of an empty file', ['']],
  ])('%s has no records', (_, files) => {
    for (const [at, text] of files.entries()) writeFileSync(segmentPath(logs, at + 1), text);
    expect(verify()).toMatchObject({ ok: false, verdict: 'no records', records: 0 });
    expect(verify({ state: places.state })).toMatchObject({ ok: false, verdict: 'no records' });
    expect(verify()).not.toHaveProperty('fingerprint');
  });

  it('without a ledger id of ours is searched for nowhere else', () => {
    const outside = join(root, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'trust.json'), 'damaged');
    const first = JSON.parse(readFileSync(segmentPath(places.logs, 1), 'utf8').split('\n')[0]!) as { ledger: string };
    for (const ledger of ['../outside', [first.ledger], 5]) {
      writeFileSync(segmentPath(logs, 1), `${canonicalJson({ ...first, ledger })}\n`);
      expect(verify({ state: join(root, 'x') }).verdict).toMatch(
        /^this is not the log of the desktop|^broken at line 1 .*: not a record$/,
      );
    }
  });

  it('with another key than the trusted one is refused', () => {
    writeFileSync(segmentPath(logs, 3), readFileSync(segmentPath(places.logs, 3)));
    expect(verify({ key: keys[0]! }).verdict).toBe('key is not the trusted one');
    expect(verify({ key: keys[1]! }).verdict).toMatch(/^no head/);
  });
});

it('records after the head are being written, or were left by a crash', () => {
  headOfACrash(places, readCurrent(places)!);
  const path = segmentPath(places.logs, 3);
  const before = readFileSync(path);
  const { seq, line } = last(3);
  const more = canonicalJson({
    ...(JSON.parse(line) as object),
    kind: 'intent',
    seq: seq + 1,
    prev: hashOf(Buffer.from(line)),
  });
  const lock = takeLedgerLock(lockPath(places.logs));
  try {
    expect(verifyDesktop(places).notes.join()).not.toMatch(/since the head|after crash/);
    writeFileSync(path, `${before.toString()}${more}\n`);
    expect(verifyDesktop(places).notes).toContain('being written: 1 since the head');
    lock.release();
    expect(verifyDesktop(places).notes).toContain('unsigned after crash: 1');
  } finally {
    lock.release();
    writeFileSync(path, before);
  }
});

it.runIf(process.platform === 'linux')('leaves no file open', () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  verifyDesktop(places);
  expect(open()).toBe(before);
});

describe('the ledger before the current one of a desktop', () => {
  const files = [1, 2].map((segment) => () => segmentPath(places.logs, segment));

  it('is intact', () => {
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
    expect(verifyDesktop(places).notes).toContain('the log before it, up to segment 2, is intact');
  });

  it.each<[string, number, (bytes: Buffer) => Buffer | undefined]>([
    ['edited', 0, (bytes) => Buffer.from(bytes.toString().replace('"open"', '"opem"'))],
    [
      'edited in its last file',
      1,
      (bytes) => Buffer.from(bytes.toString().replace('deskproof/test', 'deskproof/tesu')),
    ],
    ['cut', 1, (bytes) => bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1)],
    ['gone in part', 0, () => undefined],
    ['gone at its end', 1, () => undefined],
  ])('%s: reported', (_, which, change) => {
    const file = files[which]!();
    const bytes = readFileSync(file);
    const changed = change(bytes);
    if (changed) {
      expect(changed.equals(bytes)).toBe(false);
      writeFileSync(file, changed);
    } else rmSync(file);
    try {
      for (const verified of [verifyDesktop(places), verifyLog({ log: places.logs, state: places.state })]) {
        expect(verified.ok).toBe(false);
        expect(verified.verdict).toMatch(
          /^the log before it, up to segment 2, was changed after this one was started: /,
        );
      }
    } finally {
      writeFileSync(file, bytes);
    }
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('can no longer be signed, also if starting the new one was interrupted', async () => {
    const ended = ledgerPlaces('ended', { HOME: root });
    const first = await openLedger({ places: ended, software });
    await first.close();
    const keys = (ledger: string): string[] =>
      readdirSync(join(ended.state, ledger)).filter((file) => file.endsWith('.key'));
    const [key] = keys(first.id);
    const kept = readFileSync(join(ended.state, first.id, key!));
    const second = await newLedger({ places: ended, software }, 'tested');
    await second.close();
    expect([keys(first.id), keys(second.id)]).toEqual([[], ['000002.key']]);
    writeFileSync(join(ended.state, first.id, key!), kept);
    await (await openLedger({ places: ended, software })).close();
    expect([keys(first.id), keys(second.id)]).toEqual([[], ['000002.key']]);
    expect(verifyDesktop(ended).ok).toBe(true);
    rmSync(join(ended.state, first.id), { recursive: true });
    await (await openLedger({ places: ended, software })).close();
  });

  it('that was already broken may stay so, and may not change any more', async () => {
    const broken = ledgerPlaces('broken', { HOME: root });
    const old = await openLedger({ places: broken, software });
    await old.intent(click);
    await old.close();
    const file = segmentPath(broken.logs, 1);
    const cut = readFileSync(file).subarray(0, -20);
    writeFileSync(file, cut);
    await (await newLedger({ places: broken, software }, 'it was cut')).close();
    const verified = verifyDesktop(broken);
    expect(verified.ok).toBe(true);
    expect(verified.notes).toContainEqual(
      expect.stringMatching(/is unchanged since this one was started: cut: head names/),
    );
    writeFileSync(file, cut.subarray(0, -1));
    expect(verifyDesktop(broken)).toMatchObject({ ok: false });
    writeFileSync(file, cut);
    // A third one after it covers both.
    await (await newLedger({ places: broken, software }, 'once more')).close();
    expect(verifyDesktop(broken).ok).toBe(true);
    rmSync(file);
    expect(verifyDesktop(broken)).toMatchObject({
      ok: false,
      verdict: expect.stringMatching(/^the log before it/) as string,
    });
    // A fault of the current ledger is reported first.
    writeFileSync(segmentPath(broken.logs, 3), readFileSync(segmentPath(broken.logs, 3)).subarray(0, -20));
    expect(verifyDesktop(broken)).toMatchObject({ ok: false, verdict: expect.stringMatching(/^cut: head/) as string });
  });
});
