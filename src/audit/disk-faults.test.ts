import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inPlaceOf } from '../../tests/scenes/in-place-of.js';
import { REAL_DISK, type Disk } from './write/log-file.js';
import { openLedger } from './write/open-ledger.js';
import { ledgerPlaces, type LedgerPlaces } from './locations.js';
import { readLog } from './read/read-log.js';
import { verifyDesktop } from './verify/verify.js';

let root: string;
let places: LedgerPlaces;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-fault-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (disk: Disk = REAL_DISK, limits = {}) => openLedger({ places, software: 'deskproof/test', disk, limits });
const kinds = () => [...readLog(places.logs)].map(({ record }) => record!.kind);
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };
const read = { ...click, tool: 'ui_snapshot', status: 'ok' as const };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 12 };
const unavailable = { code: 'audit_unavailable' };
const failure = (code: string): Error => Object.assign(new Error(code), { code });

/** A disk that fails on request. */
class Weak implements Disk {
  writes: 'well' | 'not' | 'half' = 'well';
  syncs = true;
  write(fd: number, bytes: Buffer): number {
    if (this.writes === 'not') throw failure('ENOSPC');
    return REAL_DISK.write(fd, this.writes === 'half' ? bytes.subarray(0, bytes.length >> 1) : bytes);
  }
  async sync(file: FileHandle): Promise<void> {
    if (!this.syncs) throw failure('EIO');
    await REAL_DISK.sync(file);
  }
}

describe('a disk that fails', () => {
  it.each(['not', 'half'] as const)(
    'writes %s: no act is started, and an outcome is written before anything else',
    async (how) => {
      const disk = new Weak();
      const ledger = await open(disk);
      const of = await ledger.intent(click);
      const bytes = readFileSync(ledger.path);
      disk.writes = how;
      await expect(ledger.outcome(of, done)).rejects.toMatchObject({
        ...unavailable,
        message: expect.stringContaining('disk is full') as string,
      });
      for (let at = 0; at < 3; at++) await expect(ledger.intent(click)).rejects.toMatchObject(unavailable);
      await expect(ledger.call(read)).rejects.toMatchObject(unavailable);
      expect(readFileSync(ledger.path).equals(bytes)).toBe(true);
      disk.writes = 'well';
      expect(await ledger.intent(click)).toBe(of + 3);
      expect(kinds()).toEqual(['open', 'intent', 'outcome', 'call', 'intent']);
      await ledger.close();
      expect(verifyDesktop(places)).toMatchObject({ ok: true });
    },
  );

  it('a disk that cannot sync is not written to before the log is opened again', async () => {
    const disk = new Weak();
    const ledger = await open(disk);
    disk.syncs = false;
    await expect(ledger.intent(click)).rejects.toMatchObject(unavailable);
    disk.syncs = true;
    await expect(ledger.intent(click)).rejects.toMatchObject({
      message: expect.stringContaining('did not reach the disk') as string,
    });
    await ledger.close().catch(() => undefined);
    const again = await open();
    expect(kinds()).toEqual(['open', 'intent', 'recovered']);
    await again.close();
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });

  it('a disk that accepts lines but no head: no act is started, nothing is written twice, never more than 64 records behind the head', async () => {
    const ledger = await open();
    const of = await ledger.intent(click);
    const free = inPlaceOf(join(places.state, ledger.id, 'head'));
    await expect(ledger.outcome(of, done)).rejects.toMatchObject(unavailable);
    for (let at = 0; at < 100; at++) await expect(ledger.intent(click)).rejects.toMatchObject(unavailable);
    expect(kinds()).toEqual(['open', 'intent', 'outcome']);
    free();
    await ledger.intent(click);
    expect(kinds()).toEqual(['open', 'intent', 'outcome', 'intent']);
    await ledger.close();
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });

  it('in the middle of a rotation: tried again with the next record', async () => {
    for (const how of ['writes', 'key', 'segment', 'head'] as const) {
      const disk = new Weak();
      const ledger = await open(disk);
      const segment = Number(/(\d+)\.jsonl$/.exec(ledger.path)![1]);
      const inTheWay = join(
        ...(
          {
            key: [places.state, ledger.id, `00000${segment + 1}.key`],
            segment: [places.logs, `00000${segment + 1}.jsonl`],
            head: [places.state, ledger.id, 'head'],
            writes: [root, 'x'],
          } as const
        )[how],
      );
      const free = inPlaceOf(inTheWay);
      if (how === 'writes') disk.writes = 'half';
      await expect(ledger.rotate()).rejects.toMatchObject(unavailable);
      disk.writes = 'well';
      free();
      await ledger.outcome(await ledger.intent(click), done);
      await ledger.rotate();
      await ledger.close();
      expect([how, verifyDesktop(places).ok]).toEqual([how, true]);
    }
  });

  it('keeps refusals without a waiting caller for a retry, up to a limit', async () => {
    const disk = new Weak();
    const ledger = await open(disk, { repeatMs: 0 });
    disk.writes = 'not';
    for (let at = 0; at < 100; at++) await ledger.call({ ...read, tool: `tool-${at}`, status: 'refused' });
    await expect(ledger.note({ kind: 'stop', by: 'test' })).rejects.toMatchObject(unavailable);
    disk.writes = 'well';
    await ledger.close();
    const written = kinds().filter((kind) => kind === 'call').length;
    expect(written).toBeGreaterThan(0);
    expect(kinds().filter((kind) => kind === 'stop')).toHaveLength(1);
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });
});
