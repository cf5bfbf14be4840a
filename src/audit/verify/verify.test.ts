import { cpSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { headOfACrash } from '../../../tests/scenes/head-of-a-crash.js';
import { canonicalJson } from '../../shared/index.js';
import { fingerprint, loadKey, makeKey, type SegmentKey } from '../keys.js';
import { readTrust, writeTrust, type Trust } from '../write/ledger-state.js';
import { hashOf, NO_HASH } from '../line.js';
import { openLedger } from '../write/open-ledger.js';
import { keyPath, ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import type { AuditRecord } from '../record.js';
import { headText, sign } from '../signed-head.js';
import { verificationLines, verifyDesktop, verifyLog } from './verify.js';

const SOAK = Boolean(process.env.SOAK);
/** In the open segment; a full run checks every byte of 200 lines. */
const ACTS = SOAK ? 98 : 12;
const STRIDE = SOAK ? 1 : 23;

let template: string;
let ledger: string;
let root: string;
let places: LedgerPlaces;
let anchorFile: string;

// Two segments, the first closed; an anchor that received everything. Attackers get copies of it.
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'dp-verify-'));
  const command = ['sh', '-c', `cat >> ${join(template, 'anchor')}`];
  const made = await openLedger({
    ...{ places: ledgerPlaces('desk', { HOME: template }), software: 'deskproof/test', anchor: { command } },
    limits: { checkpointRecords: 10 },
  });
  const act = async (name: string) => {
    const target = { role: 'button', name };
    const of = await made.intent({ tool: 'ui_click', caller: 'mcp', rule: 'private/all', target });
    await made.outcome(of, { status: 'ok', delivered: 'yes', changed: 'yes', durationMs: 5 });
  };
  for (let at = 0; at < 6; at++) await act(`Früh ${at}`);
  await made.rotate();
  for (let at = 0; at < ACTS; at++) await act(`Spät ${at}`);
  ledger = made.id;
  await made.close();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-verify-'));
  cpSync(template, root, { recursive: true });
  places = ledgerPlaces('desk', { HOME: root });
  anchorFile = join(root, 'anchor');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = (segment = 2): string => segmentPath(places.logs, segment);
const lines = (segment = 2): string[] => readFileSync(path(segment), 'utf8').trimEnd().split('\n');
const writeLines = (all: readonly string[], segment = 2): void => writeFileSync(path(segment), `${all.join('\n')}\n`);
const verdict = (options = {}): string => verifyDesktop(places, options).verdict;
const headFile = (): string => join(places.state, ledger, 'head');
const parsed = (segment = 2): AuditRecord[] => lines(segment).map((line) => JSON.parse(line) as AuditRecord);

/** Links and signs records as the writer would, with a key that the attacker has. */
function forge(records: readonly AuditRecord[], key: SegmentKey, from = { seq: 0, prev: NO_HASH }): string[] {
  let { seq, prev } = from;
  return records.map((record) => {
    const { segment } = record.kind === 'checkpoint' ? record.signed : { segment: 0 };
    const linked = { ...record, seq: seq + 1, prev } as AuditRecord;
    if (linked.kind === 'open') linked.key = key.publicKey;
    if (linked.kind === 'checkpoint') {
      const { signature } = sign({ ledger, segment, seq, hash: prev }, key);
      linked.signed = { segment, seq, hash: prev, signature };
    }
    const line = canonicalJson(linked);
    seq += 1;
    prev = hashOf(Buffer.from(line));
    return line;
  });
}

function writeForgedHead(segment: number, line: string, key: SegmentKey): void {
  const { seq } = JSON.parse(line) as AuditRecord;
  writeFileSync(headFile(), headText(sign({ ledger, segment, seq, hash: hashOf(Buffer.from(line)) }, key)));
}

const lie = (record: AuditRecord): AuditRecord =>
  record.kind === 'intent' ? { ...record, target: { role: 'button', name: 'Cancel' } } : record;

describe('an unchanged log', () => {
  it('is ok, with one line per segment', () => {
    const verified = verifyDesktop(places, { key: readTrustKey(), anchor: anchorFile });
    const total = lines(1).length + lines(2).length;
    expect(verificationLines(verified)).toEqual([
      expect.stringMatching(/^000001\.jsonl {2}ok {2}records 1 to \d+, \d+ checkpoints, closed, key SHA256:\S{43}$/),
      expect.stringMatching(/^000002\.jsonl {2}ok {2}records \d+ to \d+, \d+ checkpoints, open, key SHA256:\S{43}$/),
      expect.stringMatching(
        new RegExp(
          `^ok ${total} records, \\d+ checkpoints, head at ${total}, key SHA256:\\S{43}, anchored to ${total}$`,
        ),
      ),
    ]);
    expect(verified.ok).toBe(true);
  });

  it('without an anchor, the notes name what cannot be known', () => {
    expect(verifyDesktop(places).notes).toEqual([expect.stringContaining('only an outside anchor')]);
  });

  it('copied elsewhere with only a public key, the verdict names what cannot be known', () => {
    const elsewhere = join(root, 'copy');
    cpSync(places.logs, elsewhere, { recursive: true });
    for (const log of [elsewhere, join(elsewhere, '000002.jsonl')]) {
      const verified = verifyLog({ log, key: readTrustKey() });
      expect(verified).toMatchObject({
        ok: false,
        verdict: expect.stringMatching(/^no head: signed to \d+, 1 records after it could have been cut$/) as string,
      });
    }
    expect(verifyLog({ log: elsewhere, key: fingerprint(makeKey().publicKey) }).verdict).toBe(
      'key is not the trusted one',
    );
    expect(() => verifyLog({ log: join(root, 'nothing') })).toThrow('not there');
  });
});

const readTrustKey = (): string => {
  const trust = readTrust(places.state, ledger);
  return typeof trust === 'object' ? trust.fingerprint : 'none';
};

describe('an attacker who can write the log', () => {
  it('edits a line', () => {
    const all = lines();
    all[3] = all[3]!.replace('ui_click', 'ui_clicc');
    writeLines(all);
    expect(verdict()).toMatch(/^broken at line 5 of 000002\.jsonl \(seq \d+\): chain$/);
  });

  it('writes the same text in other bytes', () => {
    const all = lines();
    all[3] = all[3]!.replace('ä', '\\u00e4');
    expect(JSON.parse(all[3])).toEqual(JSON.parse(lines()[3]!));
    writeLines(all);
    expect(verdict()).toMatch(/^broken at line 5 .*chain$/);
  });

  it('edits the last line', () => {
    const all = lines();
    all[all.length - 1] = all.at(-1)!.replace(/"at":"20/, '"at":"21');
    writeLines(all);
    expect(verdict()).toMatch(/^broken at seq \d+: head$/);
  });

  it('drops, doubles or inserts any line', () => {
    const all = lines();
    for (let at = 0; at < all.length; at++) {
      for (const changed of [all.toSpliced(at, 1), all.toSpliced(at, 0, all[at]!), all.toSpliced(at, 0, '{}')]) {
        writeLines(changed);
        expect([at, verifyDesktop(places).ok]).toEqual([at, false]);
      }
    }
  });

  it('swaps any two lines', { timeout: 3_600_000 }, () => {
    const all = lines();
    for (let a = 0; a < all.length; a++) {
      for (let b = a + 1; b < all.length; b += SOAK ? 1 : 5) {
        writeLines(all.with(a, all[b]!).with(b, all[a]!));
        expect([a, b, verifyDesktop(places).ok]).toEqual([a, b, false]);
      }
    }
  });

  it.each([1, 2])('flips a bit of any byte of segment %i', { timeout: 3_600_000 }, (segment) => {
    const bytes = readFileSync(path(segment));
    for (let at = segment; at < bytes.length; at += STRIDE) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(path(segment), flipped);
      expect([at, verifyDesktop(places).ok]).toEqual([at, false]);
    }
  });

  it('flips a bit of any byte of the head', () => {
    const bytes = readFileSync(headFile());
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(headFile(), flipped);
      expect([at, verifyDesktop(places).ok]).toEqual([at, false]);
    }
  });

  it.each([1, 2])('cuts segment %i at any length', { timeout: 3_600_000 }, (segment) => {
    const bytes = readFileSync(path(segment));
    for (let length = 0; length < bytes.length; length += STRIDE) {
      writeFileSync(path(segment), bytes.subarray(0, length));
      expect([length, verifyDesktop(places).ok]).toEqual([length, false]);
    }
  });

  it('cuts off whole records at the end', () => {
    const last = parsed().at(-1)!.seq;
    writeLines(lines().slice(0, -4));
    expect(verdict()).toBe(`cut: head names ${last}, log ends at ${last - 4}`);
  });

  it('removes a segment', () => {
    for (const segment of [1, 2]) {
      const bytes = readFileSync(path(segment));
      unlinkSync(path(segment));
      expect(verdict()).toMatch(segment === 1 ? /broken at line 1.*chain/ : /^cut: head names/);
      writeFileSync(path(segment), bytes);
    }
    rmSync(places.logs, { recursive: true });
    expect(verdict()).toMatch(/^cut: head names \d+, log ends at 0$/);
  });

  it('appends unsigned records: found; after a crash reported up to 64, refused beyond', () => {
    const last = parsed().at(-1)!;
    const call = { ...parsed()[1]!, kind: 'intent' } as AuditRecord;
    const prev = hashOf(Buffer.from(lines().at(-1)!));
    const more = forge(
      Array.from({ length: 65 }, () => call),
      makeKey(),
      { seq: last.seq, prev },
    );
    const all = lines();
    writeLines([...all, more[0]!]);
    expect(verdict()).toBe(`broken after seq ${last.seq}: its writer had ended there`);
    headOfACrash(places, ledger);
    writeLines([...all, ...more.slice(0, 64)]);
    expect(verifyDesktop(places)).toMatchObject({
      ok: true,
      notes: expect.arrayContaining(['unsigned after crash: 64']) as string[],
    });
    writeLines([...all, ...more]);
    expect(verdict()).toMatch(/^head is old: it names \d+, log ends at \d+$/);
  });
});

describe('an attacker who can write the head too', () => {
  it('removes it', () => {
    unlinkSync(headFile());
    expect(verdict()).toMatch(/^no head: signed to \d+, 1 records after it could have been cut$/);
  });

  it('has no key and makes the head name no line at all: not signed', () => {
    const { signature } = sign({ ledger, segment: 1, seq: 0, hash: NO_HASH }, makeKey());
    writeFileSync(headFile(), headText({ ledger, segment: 1, seq: 0, hash: NO_HASH, signature }));
    writeLines(lines(1).slice(0, 1), 1);
    unlinkSync(path(2));
    expect(verdict({ key: readTrustKey() })).toBe('head is not signed by the key of the log');
  });

  it('makes a new key and signs everything again: found by the fingerprint', () => {
    const key = makeKey();
    const first = forge(parsed(1).map(lie), key).slice(0, -2);
    writeLines(first, 1);
    unlinkSync(path(2));
    writeForgedHead(1, first.at(-1)!, key);
    expect(verdict()).toBe('key is not the trusted one');
    const trusted = readTrustKey();
    const trust = readTrust(places.state, ledger) as Trust;
    writeTrust(places.state, { ...trust, key: key.publicKey, fingerprint: fingerprint(key.publicKey) });
    expect(verifyDesktop(places).ok).toBe(true);
    expect(verdict({ key: trusted })).toBe('key is not the trusted one');
  });

  const todays = (): SegmentKey => loadKey(keyPath(places.state, ledger, 2))!;

  it("has today's key and rewrites the open segment: found by the anchor only", () => {
    const prev = hashOf(Buffer.from(lines(1).at(-1)!));
    const forged = forge(parsed(2).map(lie), todays(), { seq: lines(1).length, prev });
    writeLines(forged);
    writeForgedHead(2, forged.at(-1)!, todays());
    expect(verifyDesktop(places, { key: readTrustKey() }).ok).toBe(true);
    expect(verdict({ anchor: anchorFile })).toMatch(/^broken at seq \d+: anchor$/);
  });

  it("has today's key and rewrites a closed segment: cannot sign it", () => {
    const before = forge(parsed(1).map(lie), todays());
    const fixed = before.map((line, at) => (at === 0 ? lines(1)[0]! : line));
    expect(loadKey(keyPath(places.state, ledger, 1))).toBeUndefined();
    for (const first of [before, fixed]) {
      writeLines(first, 1);
      const forged = forge(parsed(2), todays(), { seq: first.length, prev: hashOf(Buffer.from(first.at(-1)!)) });
      writeLines(forged, 2);
      writeForgedHead(2, forged.at(-1)!, todays());
      expect(verifyDesktop(places, { key: readTrustKey() }).ok).toBe(false);
    }
  });

  it('has no key and ends a segment, naming a key of their own for the next: that end is not signed', () => {
    const key = makeKey();
    const [open, ...rest] = parsed(1).filter(({ kind }) => kind !== 'checkpoint');
    const end = { ...rest.find(({ kind }) => kind === 'close')!, next: key.publicKey } as AuditRecord;
    const link = { seq: 1, prev: hashOf(Buffer.from(lines(1)[0]!)) };
    const lies = forge([...rest.filter(({ kind }) => kind === 'intent').map(lie), end], key, link);
    expect(open!.kind).toBe('open');
    writeLines([lines(1)[0]!, ...lies], 1);
    const forged = forge(parsed(2).map(lie), key, {
      seq: 1 + lies.length,
      prev: hashOf(Buffer.from(lies.at(-1)!)),
    });
    writeLines(forged);
    writeForgedHead(2, forged.at(-1)!, key);
    expect(verdict({ key: readTrustKey() })).toMatch(/^broken at line 1 of 000002\.jsonl \(seq \d+\): signature$/);
  });

  it('restores an older log: found by the head; with its older head by the anchor only', () => {
    const kept = lines().slice(0, 12);
    writeLines(kept);
    expect(verdict()).toMatch(/^cut: head names/);
    const older = JSON.parse(kept.findLast((line) => line.includes('"checkpoint"'))!) as AuditRecord & {
      kind: 'checkpoint';
    };
    writeLines(kept.filter((line) => (JSON.parse(line) as AuditRecord).seq <= older.signed.seq));
    writeFileSync(headFile(), headText({ ledger, ...older.signed }));
    expect(verifyDesktop(places).ok).toBe(true);
    expect(verdict({ anchor: anchorFile })).toMatch(/^cut: anchor names \d+, log ends at \d+$/);
  });

  it('restores the end of an earlier segment with its head: found by the anchor only', () => {
    const last = JSON.parse(lines(1).at(-1)!) as AuditRecord & { kind: 'checkpoint' };
    writeLines(lines(1).slice(0, -1), 1);
    unlinkSync(path(2));
    writeFileSync(headFile(), headText({ ledger, ...last.signed }));
    expect(verifyDesktop(places).ok).toBe(true);
    expect(verdict({ anchor: anchorFile })).toMatch(/^cut: anchor names \d+, log ends at \d+$/);
  });

  it("swaps in another desktop's log", async () => {
    const other = ledgerPlaces('other', { HOME: root });
    await (await openLedger({ places: other, software: 'deskproof/test' })).close();
    rmSync(places.logs, { recursive: true });
    cpSync(other.logs, places.logs, { recursive: true });
    expect(verdict()).toBe('this is not the log of the desktop');
  });

  it('damages the files beside the keys', () => {
    const head = readFileSync(headFile());
    writeFileSync(headFile(), '');
    expect(verdict()).toBe('head is damaged');
    writeFileSync(headFile(), head);
    writeFileSync(join(places.state, ledger, 'trust.json'), '{}');
    expect(verdict()).toBe('trust.json is damaged');
  });

  it('deletes everything and starts again: found by the anchor only', async () => {
    rmSync(places.logs, { recursive: true });
    rmSync(places.state, { recursive: true });
    await (await openLedger({ places, software: 'deskproof/test' })).close();
    expect(verifyDesktop(places).ok).toBe(true);
    expect(verdict({ anchor: anchorFile })).toMatch(/^anchor does not know this log/);
    expect(verdict({ key: 'SHA256:kept-elsewhere' })).toBe('key is not the trusted one');
  });

  it('changes what the anchor kept: reported as its damage', () => {
    const kept = readFileSync(anchorFile, 'utf8');
    writeFileSync(anchorFile, kept.replace(/ [0-9a-f]{64} /, ` ${'0'.repeat(64)} `));
    expect(verdict({ anchor: anchorFile })).toMatch(/^anchor damaged: line 1/);
    writeFileSync(anchorFile, kept.slice(0, -20));
    expect(verdict({ anchor: anchorFile })).toMatch(/^anchor damaged: line \d+/);
    writeFileSync(anchorFile, kept.replaceAll(/^/gm, 'Nov 16 02:00:00 host deskproof[7]: '));
    expect(verifyDesktop(places, { anchor: anchorFile }).ok).toBe(true);
  });

  it('restores a log up to where the anchor reaches: not found, and a note says so', () => {
    const all = verifyDesktop(places, { anchor: anchorFile });
    expect(all.verdict).toMatch(new RegExp(`, anchored to ${all.records}$`));
    expect(all.notes).toEqual([]);
    const lines = readFileSync(anchorFile, 'utf8').split('\n');
    writeFileSync(anchorFile, lines.filter((line) => line.split(' ')[3] !== String(all.records)).join('\n'));
    const reached = verifyDesktop(places, { anchor: anchorFile });
    const [, upTo] = /anchored to (\d+)/.exec(reached.verdict)!;
    expect(Number(upTo)).toBeLessThan(all.records);
    expect(reached.notes).toContainEqual(
      expect.stringContaining(
        `the anchor knows it up to ${upTo}; only its own head proves that it ends at ${all.records}`,
      ),
    );
  });
});
