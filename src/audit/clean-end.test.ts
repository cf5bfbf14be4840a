import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inPlaceOf } from '../../tests/scenes/in-place-of.js';
import type { FileLedger } from './write/file-ledger.js';
import { loadKey } from './keys.js';
import { readHead, replaceHead } from './write/ledger-state.js';
import { hashOf, makeLine } from './line.js';
import { REAL_DISK, type Disk } from './write/log-file.js';
import { newLedger, openLedger } from './write/open-ledger.js';
import { keyPath, ledgerPlaces, segmentPath, type LedgerPlaces } from './locations.js';
import { readLog } from './read/read-log.js';
import { parseHead, sign, type SignedStatement } from './signed-head.js';
import { verifyDesktop } from './verify/verify.js';

// A writer that ended cleanly signs that. Anything after it is not the desktop's, and no crash explains it.

let root: string;
let places: LedgerPlaces;
let ledger: string;
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all', target: { role: 'button', name: 'Save' } };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 1 };
const open = (disk: Disk = REAL_DISK): Promise<FileLedger> => openLedger({ places, software: 'deskproof/test', disk });
const act = async (into: FileLedger): Promise<void> => into.outcome(await into.intent(click), done);
const log = (segment = 1): string => segmentPath(places.logs, segment);
const head = (): SignedStatement => readHead(places.state, ledger) as SignedStatement;
const headFile = (): string => join(places.state, ledger, 'head');
const kinds = (): string[] => [...readLog(places.logs)].map(({ record }) => record!.kind);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-ended-'));
  places = ledgerPlaces('desk', { HOME: root });
  const made = await open();
  ledger = made.id;
  await act(made);
  await made.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Lines that fit the chain, as any program can make them that can write the file. */
function forge(count: number): void {
  for (let at = 0; at < count; at++) {
    const last = readFileSync(log(), 'utf8').trimEnd().split('\n').at(-1)!;
    const { seq, at: when } = JSON.parse(last) as { seq: number; at: string };
    const link = { ledger, seq: seq + 1, prev: hashOf(Buffer.from(last)), at: when };
    appendFileSync(log(), makeLine({ kind: 'stop', by: 'forged' }, link).bytes);
  }
}

const NOT_OURS: [string, () => void][] = [
  ['a line', () => forge(1)],
  ['as many lines as a crash may leave', () => forge(64)],
  ['half a line', () => appendFileSync(log(), '{"at":')],
  ['another file', () => writeFileSync(log(2), '', { mode: 0o600 })],
];

describe('after a clean end', () => {
  it.each(NOT_OURS)('%s is found, and only a new log can continue', async (_, add) => {
    const { seq } = head();
    add();
    const found = { ok: false, verdict: `broken after seq ${seq}: its writer had ended there` };
    expect(verifyDesktop(places)).toMatchObject(found);
    await expect(open()).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: `The log cannot be continued: something follows record ${seq}, with which its writer ended.`,
      hint: expect.stringContaining('audit new') as string,
    });
    expect(verifyDesktop(places)).toMatchObject(found);
    const next = await newLedger({ places, software: 'deskproof/test' }, 'foreign lines');
    await next.close();
    expect(verifyDesktop(places)).toMatchObject({
      ok: true,
      earlierFault: expect.stringContaining('broken') as string,
    });
  });

  it('the lock of a dead process does not make it a crash', async () => {
    forge(1);
    writeFileSync(join(places.logs, 'lock'), '');
    expect(verifyDesktop(places).ok).toBe(false);
    await expect(open()).rejects.toMatchObject({ code: 'audit_unavailable' });
  });

  it('it continues normally, many times, and nothing is lost', async () => {
    for (let at = 0; at < 3; at++) {
      const again = await open();
      expect(head().ended).toBeUndefined();
      await act(again);
      await again.close();
      expect(head().ended).toBe(true);
      expect(verifyDesktop(places).ok).toBe(true);
    }
    expect(kinds()).not.toContain('recovered');
  });

  it('it names the last line, also if the head could not be written before', async () => {
    const again = await open();
    await act(again);
    const free = inPlaceOf(headFile());
    await expect(again.checkpoint()).rejects.toMatchObject({ code: 'audit_unavailable' });
    free();
    await again.close();
    expect(head()).toMatchObject({ ended: true, seq: [...readLog(places.logs)].length });
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('the mark is removed before the first line: a kill right then is a crash like any other', async () => {
    const disk: Disk = { ...REAL_DISK };
    const again = await open(disk);
    let crashed = false;
    disk.write = (fd, bytes) => {
      const written = REAL_DISK.write(fd, bytes);
      if (!crashed) cpSync(root, `${root}-crash`, { recursive: true });
      crashed = true;
      return written;
    };
    await again.intent(click);
    await again.close();
    rmSync(root, { recursive: true });
    cpSync(`${root}-crash`, root, { recursive: true });
    rmSync(`${root}-crash`, { recursive: true });
    writeFileSync(join(places.logs, 'lock'), '');
    expect(verifyDesktop(places)).toMatchObject({ ok: true, unsigned: { from: 5, count: 1 } });
    await (await open()).close();
    expect(kinds().slice(-3)).toEqual(['intent', 'recovered', 'checkpoint']);
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('a mark that was removed or added is a damaged head', () => {
    const text = readFileSync(headFile(), 'utf8');
    expect(text).toMatch(/^deskproof-ledger\/2\n[^]*\nended\n/);
    for (const other of [text.replace('ended\n', ''), text.replace('/2\n', '/1\n'), text.replace('ended', 'ENDED')]) {
      expect(parseHead(other)).toBeUndefined();
    }
    writeFileSync(headFile(), text.replace('ended\n', '').replace('/2\n', '/1\n'));
    expect(verifyDesktop(places).verdict).toBe('head is not signed by the key of the log');
  });
});

describe('not a clean end', () => {
  it('a head from before there were marks: read as before', async () => {
    const key = loadKey(keyPath(places.state, ledger, 1))!;
    const { ended: _, ...statement } = head();
    replaceHead(places.state, sign(statement, key));
    expect(readFileSync(headFile(), 'utf8')).toMatch(/^deskproof-ledger\/1\n/);
    forge(2);
    expect(verifyDesktop(places)).toMatchObject({ ok: true, unsigned: { count: 2 } });
    await (await open()).close();
    expect(kinds()).toContain('recovered');
  });

  it('a log that could not be brought to its end', async () => {
    const disk: Disk = { ...REAL_DISK };
    const again = await open(disk);
    await act(again);
    disk.sync = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    await expect(again.close()).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(head().ended).toBeUndefined();
    expect(existsSync(join(places.logs, 'lock'))).toBe(false);
    await (await open()).close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('an end in the middle of a rotation', async () => {
    const again = await open();
    mkdirSync(log(2));
    await expect(again.rotate()).rejects.toMatchObject({ code: 'audit_unavailable' });
    await again.close();
    rmdirSync(log(2));
    expect([head().ended, kinds().at(-2)]).toEqual([undefined, 'close']);
    await (await open()).close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('a writer that lost its lock: the head stays that of the other writer', async () => {
    const again = await open();
    rmSync(join(places.logs, 'lock'));
    const other = await open();
    await again.close();
    expect(head().ended).toBeUndefined();
    await act(other);
    await other.close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('an end after another program wrote: noticed at the end too', async () => {
    const again = await open();
    await again.checkpoint();
    forge(1);
    await expect(again.close()).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(verifyDesktop(places).verdict).toMatch(/^another program wrote into it after record \d+$/);
  });
});
