import type { FileHandle } from 'node:fs/promises';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerOptions } from './file-ledger.js';
import { hashOf } from '../line.js';
import { REAL_DISK } from './log-file.js';
import { newLedger, openLedger } from './open-ledger.js';
import { ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import { readLog } from '../read/read-log.js';
import type { AuditRecord } from '../record.js';
import { verifyDesktop } from '../verify/verify.js';

let root: string;
let places: LedgerPlaces;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-ledger-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (options: Partial<LedgerOptions> = {}) => openLedger({ places, software: 'deskproof/test', ...options });
const records = (): AuditRecord[] => [...readLog(places.logs)].map(({ record, problem }) => record ?? fail(problem));
const kinds = (): string[] => records().map(({ kind }) => kind);
const fail = (why = 'unreadable'): never => {
  throw new Error(why);
};
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all', target: { role: 'button', name: 'Save' } };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 12 };
const read = { tool: 'ui_snapshot', caller: 'cli', rule: 'private/all', status: 'ok' as const };
const refusal = { ...read, status: 'refused' as const, error: 'policy_denied' as const };

describe('a ledger on disk', () => {
  it('writes an act as intent and outcome, in canonical lines that contain the previous hash', async () => {
    const ledger = await open();
    const of = await ledger.intent(click);
    await ledger.outcome(of, done);
    await ledger.close();
    expect(kinds()).toEqual(['open', 'intent', 'outcome', 'checkpoint']);
    const lines = readFileSync(ledger.path, 'utf8').trimEnd().split('\n');
    let prev = '0'.repeat(64);
    for (const [at, line] of lines.entries()) {
      expect(JSON.parse(line)).toMatchObject({ v: 2, seq: at + 1, prev, ledger: ledger.id });
      const sorted = Object.keys(JSON.parse(line) as object);
      expect(sorted).toEqual([...sorted].sort());
      prev = hashOf(Buffer.from(line));
    }
    expect(verifyDesktop(places)).toMatchObject({
      ok: true,
      verdict: expect.stringMatching(/^ok 4 records, 1 checkpoint, head at 4, key SHA256:/) as string,
    });
  });

  it('continues in the same file, without a recovery record if there was no crash', async () => {
    for (let round = 0; round < 3; round++) {
      const ledger = await open();
      await ledger.outcome(await ledger.intent(click), done);
      await ledger.close();
    }
    expect(kinds().filter((kind) => kind === 'recovered')).toEqual([]);
    expect(records().map(({ seq }) => seq)).toEqual([...Array(10).keys()].map((at) => at + 1));
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('is closed to other users: 0600 and 0700, with any umask', async () => {
    const before = process.umask(0);
    try {
      const ledger = await open({ limits: { checkpointRecords: 2 } });
      await ledger.outcome(await ledger.intent(click), done);
      await ledger.rotate();
      await ledger.close();
    } finally {
      process.umask(before);
    }
    for (const base of [places.logs, places.state]) {
      expect(statSync(base).mode & 0o777).toBe(0o700);
      for (const entry of readdirSync(base, { recursive: true, withFileTypes: true })) {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
        expect([entry.name, mode.toString(8)]).toEqual([entry.name, entry.isDirectory() ? '700' : '600']);
      }
    }
  });

  it('has every record on the disk before it resolves, and the head after that', async () => {
    const order: string[] = [];
    const head = () => readFileSync(join(places.state, ledger.id, 'head'), 'utf8').split('\n')[3];
    const disk = {
      write: (fd: number, bytes: Buffer) => (order.push('write'), REAL_DISK.write(fd, bytes)),
      sync: async (file: FileHandle) => {
        order.push('sync');
        await REAL_DISK.sync(file);
        order.push('synced');
      },
    };
    const ledger = await open({ disk });
    order.length = 0;
    const of = await ledger.intent(click);
    order.push('resolved');
    expect(order).toEqual(['write', 'sync', 'synced', 'resolved']);
    expect(head()).toBe(String(of));
    await ledger.close();
  });

  it('groups reads: in the log at once, on the disk after 63 of them or a moment', async () => {
    const sync = vi.fn((file: FileHandle) => REAL_DISK.sync(file));
    const ledger = await open({ disk: { ...REAL_DISK, sync }, limits: { groupMs: 1e6 } });
    sync.mockClear();
    for (let at = 0; at < 61; at++) await ledger.call(read);
    expect(sync).not.toHaveBeenCalled();
    expect(kinds()).toHaveLength(62);
    await Promise.all(Array.from({ length: 3 }, () => ledger.call(read)));
    expect(sync).toHaveBeenCalledTimes(1);
    expect(ledger.seq).toBeGreaterThanOrEqual(64);
    await ledger.close();
    const soon = await open({ disk: { ...REAL_DISK, sync }, limits: { groupMs: 1 } });
    const { seq } = soon;
    await soon.call(read);
    await vi.waitFor(() => expect(soon.seq).toBe(seq + 1));
    await soon.close();
  });

  it('syncs many waiting records together', async () => {
    const sync = vi.fn((file: FileHandle) => REAL_DISK.sync(file));
    const ledger = await open({ disk: { ...REAL_DISK, sync } });
    sync.mockClear();
    const seqs = await Promise.all(Array.from({ length: 200 }, () => ledger.intent(click)));
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(sync.mock.calls.length).toBeLessThan(8);
    for (const seq of seqs) expect(records()[seq - 1]).toMatchObject({ kind: 'intent', seq });
    await ledger.close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('signs every 64 records, after a quiet time, on stop and at the end', async () => {
    const ledger = await open({ limits: { checkpointMs: 1 } });
    await vi.waitFor(async () => {
      await ledger.call(read);
      expect(kinds()).toContain('checkpoint');
    });
    await ledger.close();
    const other = await open();
    for (let at = 0; at < 130; at++) await other.call(read);
    await other.note({ kind: 'stop', by: 'escape' });
    expect(kinds().slice(-2)).toEqual(['stop', 'checkpoint']);
    await other.close();
    const gaps = records().flatMap((record) => (record.kind === 'checkpoint' ? record.seq : []));
    for (const [at, seq] of gaps.entries()) expect(seq - (gaps[at - 1] ?? 0)).toBeLessThanOrEqual(65);
  });

  it('makes one record of equal refusals within a second', async () => {
    const ledger = await open({ limits: { repeatMs: 1e6 } });
    for (let at = 0; at < 1_000; at++) await ledger.call(refusal);
    await ledger.call({ ...refusal, tool: 'ui_click' });
    await ledger.close();
    const calls = records().filter((record) => record.kind === 'call');
    expect(calls).toMatchObject([{ tool: 'ui_snapshot', status: 'refused' }, { tool: 'ui_click' }, { repeat: 999 }]);
    expect(calls[0]).not.toHaveProperty('repeat');
    expect(calls[1]).not.toHaveProperty('repeat');
    expect(calls[2]).toMatchObject({ tool: 'ui_snapshot', status: 'refused' });
  });

  it('writes a refusal as soon as any read, and in order', async () => {
    const ledger = await open({ limits: { repeatMs: 1e6, groupMs: 1 } });
    await ledger.call(refusal);
    await vi.waitFor(() => expect(ledger.seq).toBe(2), { timeout: 20_000 });
    await ledger.call(refusal);
    const first = await ledger.intent(click);
    await ledger.call(refusal);
    await ledger.call(refusal);
    await ledger.outcome(first, done);
    await ledger.call(refusal);
    await ledger.close();
    const kinds = records().map((record) => (record.kind === 'call' ? `call ${record.repeat ?? 1}` : record.kind));
    expect(kinds).toEqual(['open', 'call 1', 'call 1', 'intent', 'call 2', 'outcome', 'call 1', 'checkpoint']);
    const times = records().map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  it('has one writer at a time', async () => {
    const ledger = await open();
    await expect(open()).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: expect.stringContaining(`pid ${process.pid}`) as string,
    });
    await ledger.close();
    await (await open()).close();
    expect(existsSync(join(places.logs, 'lock'))).toBe(false);
  });

  it('accepts nothing after it was closed', async () => {
    const ledger = await open();
    await ledger.close();
    await ledger.close();
    await expect(ledger.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
    await expect(ledger.call(refusal)).rejects.toMatchObject({ code: 'audit_unavailable' });
  });

  it('refuses an invalid record, and writes the others', async () => {
    const ledger = await open();
    const bad = { ...done, status: 5 } as never;
    const results = await Promise.allSettled([ledger.intent(click), ledger.outcome(2, bad), ledger.intent(click)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await ledger.close();
    expect(verifyDesktop(places)).toMatchObject({ ok: true, records: 4 });
  });
});

describe('rotation', () => {
  const keyFiles = (id: string) => readdirSync(join(places.state, id)).filter((file) => file.endsWith('.key'));

  it('closes a segment with its own key, destroys that, and continues in the next', async () => {
    const ledger = await open();
    await ledger.outcome(await ledger.intent(click), done);
    await ledger.rotate();
    await ledger.outcome(await ledger.intent(click), done);
    expect(keyFiles(ledger.id)).toEqual(['000002.key']);
    expect(ledger.path).toBe(segmentPath(places.logs, 2));
    await ledger.close();
    expect(kinds()).toEqual([
      'open',
      'intent',
      'outcome',
      'close',
      'checkpoint',
      'open',
      'intent',
      'outcome',
      'checkpoint',
    ]);
    const [first, second] = records().filter((record) => record.kind === 'open');
    expect(records().find((record) => record.kind === 'close')).toMatchObject({ next: second!.key, reason: 'command' });
    expect(first!.key).not.toBe(second!.key);
    const verified = verifyDesktop(places);
    expect(verified).toMatchObject({ ok: true, records: 9 });
    expect(verified.segments).toHaveLength(2);
  });

  it('rotates by size and by age', async () => {
    let now = Date.UTC(2026, 0, 1);
    const ledger = await open({ limits: { segmentBytes: 2_000 }, now: () => now });
    for (let at = 0; at < 20; at++) await ledger.outcome(await ledger.intent(click), done);
    await ledger.close();
    expect(new Set(records().flatMap((record) => (record.kind === 'close' ? record.reason : [])))).toEqual(
      new Set(['size']),
    );
    const before = readdirSync(places.logs).length;
    now += 8 * 24 * 3600_000;
    const later = await open({ now: () => now });
    await later.intent(click);
    expect(records().findLast((record) => record.kind === 'close')).toMatchObject({ reason: 'age' });
    expect(readdirSync(places.logs).filter((file) => file.endsWith('jsonl'))).toHaveLength(before + 1);
    await later.close();
    expect(verifyDesktop(places).ok).toBe(true);
  });

  it('does not delay the end of a ledger if an act never ended', async () => {
    const ledger = await open();
    await ledger.intent(click);
    const rotated = ledger.rotate();
    await Promise.all([expect(rotated).rejects.toMatchObject({ code: 'audit_unavailable' }), ledger.close()]);
  });

  it('waits for the outcome of an act in progress', async () => {
    const ledger = await open();
    const of = await ledger.intent(click);
    const rotated = ledger.rotate();
    await ledger.call(read);
    expect(kinds()).not.toContain('close');
    await ledger.outcome(of, done);
    await rotated;
    expect(kinds().slice(2)).toEqual(['call', 'outcome', 'close', 'checkpoint', 'open']);
    await ledger.close();
  });
});

describe('a new ledger', () => {
  it('names the previous one and the reason, and leaves its files', async () => {
    const old = await open();
    await old.intent(click);
    await old.close();
    const ledger = await newLedger({ places, software: 'deskproof/test' }, 'lost disk');
    await ledger.intent(click);
    await ledger.close();
    expect(
      records()
        .filter((record) => record.kind === 'open')
        .at(-1),
    ).toMatchObject({
      ...{ seq: 1, prev: '0'.repeat(64), segment: 2, after: { ledger: old.id, head: 3, reason: 'lost disk' } },
    });
    expect(verifyDesktop(places)).toMatchObject({
      ok: true,
      records: 3,
      notes: expect.arrayContaining([expect.stringContaining('an earlier ledger precedes it')]) as string[],
    });
    await (await open()).close();
    await expect(newLedger({ places, software: 'x' }, ' ')).rejects.toMatchObject({ code: 'bad_arguments' });
  });
});
