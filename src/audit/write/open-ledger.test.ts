import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headOfACrash } from '../../../tests/scenes/head-of-a-crash.js';
import type { FileLedger, LedgerOptions } from './file-ledger.js';
import { hashOf } from '../line.js';
import { REAL_DISK, type Disk } from './log-file.js';
import { newLedger, openLedger } from './open-ledger.js';
import { ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import { identityOf } from '../../platform/index.js';
import { readLog } from '../read/read-log.js';
import type { AuditRecord, RecordOf } from '../record.js';
import { verifyDesktop } from '../verify/verify.js';

const STRIDE = process.env.SOAK ? 1 : 23;

let root: string;
let places: LedgerPlaces;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-open-'));
  places = ledgerPlaces('desk', { HOME: join(root, 'now') });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (options: Partial<LedgerOptions> = {}) => openLedger({ places, software: 'deskproof/test', ...options });
const records = (): AuditRecord[] => [...readLog(places.logs)].map(({ record }) => record!);
const recoveries = (): RecordOf<'recovered'>[] => records().filter((record) => record.kind === 'recovered');
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all', target: { role: 'button', name: 'Save' } };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 12 };
const act = async (ledger: FileLedger) => ledger.outcome(await ledger.intent(click), done);
const log = (segment = 1): string => segmentPath(places.logs, segment);

/** The writer is dead: its lock stays, of a process that has ended. */
const deadLock = (at: LedgerPlaces = places): void =>
  writeFileSync(join(at.logs, 'lock'), JSON.stringify({ ...identityOf(process.pid), startTime: '1' }));

/** A copy of the disk at one moment, to be opened as after a crash. */
const keep = (name: string): void => cpSync(join(root, 'now'), join(root, name), { recursive: true });
function asOf(name: string): void {
  rmSync(join(root, 'now'), { recursive: true, force: true });
  cpSync(join(root, name), join(root, 'now'), { recursive: true });
}

describe('after a crash', () => {
  it('is recorded also if nothing was lost, with the acts that have no outcome', async () => {
    const ledger = await open();
    const of = await ledger.intent(click);
    keep('crash');
    await ledger.close();
    asOf('crash');
    deadLock();
    const again = await open();
    expect(recoveries()).toMatchObject([{ seq: of + 1, unfinished: [of] }]);
    expect(recoveries()[0]).not.toHaveProperty('unsigned');
    await again.close();
    await (await open()).close();
    expect(recoveries()).toHaveLength(1);
    expect(verifyDesktop(places)).toMatchObject({
      ok: true,
      notes: expect.arrayContaining(['acts whose outcome is not known: 1']) as string[],
    });
  });

  it(
    'handles a record that was cut at every byte: whole ones are reported, half ones moved away',
    { timeout: 600_000 },
    async () => {
      const ledger = await open();
      await act(ledger);
      keep('before');
      const size = readFileSync(log()).length;
      await Promise.all([ledger.intent(click), ledger.intent({ ...click, tool: 'ui_type' })]);
      const all = readFileSync(log());
      await ledger.close();
      const firstEnd = all.indexOf('\n', size) + 1;
      const cuts = new Set([size, size + 1, firstEnd - 1, firstEnd, firstEnd + 1, all.length - 1, all.length]);
      for (let at = size; at < all.length; at += STRIDE) cuts.add(at);
      for (const cut of cuts) {
        asOf('before');
        deadLock();
        writeFileSync(log(), all.subarray(0, cut));
        const again = await open();
        await act(again);
        await again.close();
        const whole = cut === all.length ? 2 : cut >= firstEnd ? 1 : 0;
        const stray = cut - (whole === 2 ? all.length : whole === 1 ? firstEnd : size);
        const [recovered] = recoveries();
        expect([cut, recovered?.unsigned]).toEqual([cut, whole > 0 ? { from: 4, count: whole } : undefined]);
        expect([cut, recovered?.torn?.bytes ?? 0]).toEqual([cut, stray]);
        expect(recovered?.unfinished).toEqual([4, 5].slice(0, whole));
        if (recovered?.torn) {
          const { file, hash } = recovered.torn;
          expect(hashOf(readFileSync(join(places.logs, file)))).toBe(hash);
        }
        const verified = verifyDesktop(places);
        expect([cut, verified.ok]).toEqual([cut, true]);
        expect(verified.notes.includes(`unsigned after crash: ${whole}`)).toBe(whole > 0);
      }
    },
  );

  it(
    'continues from every moment between two steps of a whole life, rotation included',
    { timeout: 600_000 },
    async () => {
      let moments = 0;
      let keeping = true;
      const moment = () => keeping && keep(`moment-${moments++}`);
      const disk: Disk = {
        write(fd, bytes) {
          moment();
          // A kill can come in the middle of a write.
          if (keeping) {
            REAL_DISK.write(fd, bytes.subarray(0, bytes.length >> 1));
            moment();
            return (bytes.length >> 1) + REAL_DISK.write(fd, bytes.subarray(bytes.length >> 1));
          }
          return REAL_DISK.write(fd, bytes);
        },
        async sync(file: FileHandle) {
          moment();
          await REAL_DISK.sync(file);
          moment();
        },
      };
      mkdirSync(join(root, 'now'));
      moment();
      const ledger = await open({ disk });
      await act(ledger);
      await ledger.rotate();
      await act(ledger);
      await ledger.close();
      keeping = false;
      expect(moments).toBeGreaterThan(30);
      for (let at = 0; at < moments; at++) {
        asOf(`moment-${at}`);
        if (readdirSync(join(root, 'now')).length > 0) deadLock();
        const before = verifyDesktop(places).records;
        const again = await open();
        await act(again);
        await again.rotate();
        await again.close();
        const { ok, verdict, records: now } = verifyDesktop(places);
        expect([at, ok, verdict]).toEqual([at, true, verdict]);
        expect(now).toBeGreaterThan(before);
        const keys = readdirSync(join(places.state, again.id)).filter((file) => file.endsWith('.key'));
        expect([at, keys.length]).toEqual([at, 1]);
      }
    },
  );

  it('moves damaged bytes behind the head away, newlines included', async () => {
    const ledger = await open();
    await act(ledger);
    await ledger.close();
    headOfACrash(places, ledger.id);
    deadLock();
    appendFileSync(log(), Buffer.concat([Buffer.alloc(4096), Buffer.from('\n{"v":1}\n'), Buffer.alloc(100)]));
    const again = await open();
    expect(recoveries()).toMatchObject([{ torn: { bytes: 4096 + 9 + 100 } }]);
    await again.close();
    expect(verifyDesktop(places).ok).toBe(true);
  });
});

describe('not a crash', () => {
  let ledger: FileLedger;
  beforeEach(async () => {
    ledger = await open({ limits: { checkpointRecords: 8 } });
    for (let at = 0; at < 5; at++) await act(ledger);
    await ledger.close();
  });
  const head = (): string => join(places.state, ledger.id, 'head');
  const lines = (): string[] => readFileSync(log(), 'utf8').trimEnd().split('\n');

  const refused: [string, RegExp, () => void][] = [
    [
      'a log that was cut',
      /head names record \d+, but it ends at/,
      () => truncateSync(log(), lines().slice(0, 5).join('\n').length + 1),
    ],
    [
      'a log cut within its last line',
      /head names record \d+, but it ends at/,
      () => truncateSync(log(), readFileSync(log()).length - 1),
    ],
    ['a log that is gone', /the file of that record is gone/, () => unlinkSync(log())],
    ['a directory that is gone', /the file of that record is gone/, () => rmSync(places.logs, { recursive: true })],
    [
      'an edited line',
      /line 3 .* is broken/,
      () => writeFileSync(log(), `${lines().with(1, lines()[1]!.replace('Save', 'Sabe')).join('\n')}\n`),
    ],
    [
      'an edited last line',
      /not the one its head names/,
      () => writeFileSync(log(), readFileSync(log(), 'utf8').replace(/"at":"2(?!.*\n.)/, '"at":"1')),
    ],
    ['a head that is gone', /its head is gone/, () => unlinkSync(head())],
    [
      'a head that names another line',
      /not the one its head names/,
      () => writeFileSync(head(), readFileSync(head(), 'utf8').replace(/\n[0-9a-f]{64}\n/, `\n${'0'.repeat(64)}\n`)),
    ],
    ['a head that is empty', /damaged/, () => writeFileSync(head(), '')],
    ['a key that is gone', /key of segment 1 is gone/, () => unlinkSync(join(places.state, ledger.id, '000001.key'))],
    ['all files beside the log gone', /its keys are gone/, () => rmSync(places.state, { recursive: true })],
    ['trust that is damaged', /damaged/, () => writeFileSync(join(places.state, ledger.id, 'trust.json'), '{}')],
    ['65 records behind the head', /more than a crash leaves/, () => (headOfACrash(places, ledger.id), appendMany(65))],
    [
      'a segment that no writer started',
      /segments that its head does not name/,
      () => (writeFileSync(log(2), '', { mode: 0o600 }), writeFileSync(log(3), '', { mode: 0o600 })),
    ],
  ];
  it.each(refused)('%s is refused, and only a new ledger can continue', async (_, why, damage) => {
    damage();
    const before = readdirSync(root, { recursive: true }).filter((file) => String(file).endsWith('jsonl'));
    await expect(open()).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: expect.stringMatching(why) as string,
      hint: expect.stringContaining('audit new') as string,
    });
    const after = readdirSync(root, { recursive: true }).filter((file) => String(file).endsWith('jsonl'));
    expect(after).toEqual(before);
    const next = await newLedger({ places, software: 'deskproof/test' }, 'tested');
    await act(next);
    await next.close();
    await (await open()).close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  function appendMany(count: number): void {
    let prev = hashOf(Buffer.from(lines().at(-1)!));
    let { seq } = JSON.parse(lines().at(-1)!) as AuditRecord;
    for (let at = 0; at < count; at++) {
      const line = JSON.stringify({ ...(JSON.parse(lines()[1]!) as object), seq: ++seq, prev });
      prev = hashOf(Buffer.from(line));
      appendFileSync(log(), `${line}\n`);
    }
  }

  it('64 records behind the head are kept, and reported as unsigned', async () => {
    headOfACrash(places, ledger.id);
    appendMany(64);
    const again = await open();
    expect(recoveries()).toMatchObject([{ unsigned: { count: 64 } }]);
    await again.close();
  });

  const others: [string, RegExp, () => void][] = [
    ['a log that others can read', /open to other users/, () => chmodSync(log(), 0o644)],
    ['a directory that others can enter', /open to other users/, () => chmodSync(places.logs, 0o750)],
    ['keys that others can reach', /open to other users/, () => chmodSync(places.state, 0o755)],
    [
      'a link in its place',
      /not a plain file/,
      () => (cpSync(log(), join(root, 'x')), unlinkSync(log()), symlinkSync(join(root, 'x'), log())),
    ],
    [
      'a file in place of the directory',
      /could not be opened|not a directory/,
      () => (rmSync(places.logs, { recursive: true }), writeFileSync(places.logs, '')),
    ],
  ];
  it.each(others)('%s is refused and not repaired', async (_, why, damage) => {
    damage();
    await expect(open()).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: expect.stringMatching(why) as string,
    });
  });

  it('nothing more is written if the log grew, shrank or was replaced under the writer', async () => {
    for (const harm of [
      () => appendFileSync(log(), 'x'),
      () => truncateSync(log(), readFileSync(log()).length - 2),
      () => (cpSync(log(), join(root, 'y')), unlinkSync(log()), cpSync(join(root, 'y'), log())),
    ]) {
      keep('good');
      const writer = await open();
      harm();
      const bytes = readFileSync(log());
      await expect(writer.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
      await expect(writer.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
      expect(readFileSync(log()).equals(bytes)).toBe(true);
      await writer.close().catch(() => undefined);
      asOf('good');
    }
  });

  it('nothing more is written even if the log was repaired: it may be changed again', async () => {
    const writer = await open();
    const size = readFileSync(log()).length;
    appendFileSync(log(), 'x');
    await expect(writer.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
    truncateSync(log(), size);
    await expect(writer.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(readFileSync(log())).toHaveLength(size);
    await writer.close().catch(() => undefined);
  });

  it('nothing more is written after the lock was taken', async () => {
    const writer = await open();
    const bytes = readFileSync(log());
    deadLock();
    const lock = readFileSync(join(places.logs, 'lock'));
    unlinkSync(join(places.logs, 'lock'));
    writeFileSync(join(places.logs, 'lock'), lock);
    await expect(writer.intent(click)).rejects.toMatchObject({
      message: expect.stringContaining('The lock of the log was taken') as string,
    });
    await expect(writer.close()).resolves.toBeUndefined();
    expect(readFileSync(log()).equals(bytes)).toBe(true);
    expect(readFileSync(join(places.logs, 'lock')).equals(lock)).toBe(true);
  });
});
