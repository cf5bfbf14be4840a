// @module-tag safety

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EvidenceLog, NOW } from '../../../tests/scenes/evidence-log.js';
import { recordText } from '../read/format-record.js';
import type { AuditRecord } from '../record.js';
import { verifyDesktop } from '../verify/verify.js';

const DAY_MS = 24 * 60 * 60_000;

let scene: EvidenceLog;
beforeEach(async () => {
  scene = new EvidenceLog();
  await scene.start();
});
afterEach(() => scene.remove());

describe('keepDays', () => {
  const aged = (path: string, ms: number): void => utimesSync(path, (NOW - ms) / 1000, (NOW - ms) / 1000);
  const retentions = (): AuditRecord[] => scene.records.filter(({ kind }) => kind === 'retention');

  it.each<[string, number, boolean]>([
    ['a day younger', 89 * DAY_MS, true],
    ['exactly as old', 90 * DAY_MS, true],
    ['a second older', 90 * DAY_MS + 1_000, false],
    ['from the future', -DAY_MS, true],
  ])('a snapshot that is %s (%i ms): kept %s', async (_, age, kept) => {
    const seq = await scene.act();
    aged(scene.fileOf(seq), age);
    aged(scene.fileOf(seq, 'after'), 0);
    await scene.ledger.startRetention();
    expect(scene.files).toHaveLength(kept ? 2 : 1);
    expect(retentions()).toHaveLength(kept ? 0 : 1);
  });

  it('deletes no line of the log, and the log says what was deleted', async () => {
    scene.now = NOW - 91 * DAY_MS;
    const seq = await scene.act();
    for (const side of ['before', 'after']) aged(scene.fileOf(seq, side), 91 * DAY_MS);
    scene.now = NOW;
    const lines = scene.records.length;
    await scene.ledger.deleteExpired();
    expect(scene.records).toHaveLength(lines + 1);
    expect(scene.last('retention')).toMatchObject({ before: new Date(NOW - 90 * DAY_MS).toISOString(), deleted: 2 });
    expect(recordText(scene.last('retention'))).toMatch(/deleted 2 stored snapshots from before 2026-08-17$/);
    expect(() => scene.open(seq)).toThrow(
      `The snapshot before record ${seq} was deleted on 2026-11-15, when it was older than audit.keepDays.`,
    );
    const checked = verifyDesktop(scene.places);
    expect(checked).toMatchObject({ ok: true });
    expect(checked.notes).toContain('stored snapshots: 0 present, 2 expired, 0 missing');
  });

  it('verify counts what is there and what is missing without a reason', async () => {
    const seq = await scene.act();
    await scene.act();
    unlinkSync(scene.fileOf(seq));
    expect(verifyDesktop(scene.places)).toMatchObject({ ok: true });
    expect(verifyDesktop(scene.places).notes).toContain('stored snapshots: 3 present, 0 expired, 1 missing');
  });

  it('touches only files with the name of a blob, and follows no link', async () => {
    await scene.act();
    const folder = scene.directory;
    const target = join(scene.root, 'target');
    writeFileSync(target, 'kept');
    aged(target, 900 * DAY_MS);
    symlinkSync(target, scene.fileOf(900));
    mkdirSync(scene.fileOf(901));
    writeFileSync(join(folder, 'notes.txt'), 'kept');
    for (const name of readdirSync(folder)) if (name !== scene.files.at(-1)) aged(join(folder, name), 900 * DAY_MS);
    symlinkSync(target, scene.fileOf(902));
    await scene.ledger.deleteExpired();
    const left = scene.files.map((name) => name.replace(`${scene.log.id}-`, ''));
    expect(left).toEqual(['000900-before.blob', '000901-before.blob', '000902-before.blob', 'notes.txt']);
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('does nothing in a directory that is a link', async () => {
    const seq = await scene.act();
    aged(scene.fileOf(seq), 900 * DAY_MS);
    const elsewhere = join(scene.root, 'elsewhere');
    mkdirSync(elsewhere);
    const name = scene.files[0]!;
    writeFileSync(join(elsewhere, name), readFileSync(scene.fileOf(seq)));
    aged(join(elsewhere, name), 900 * DAY_MS);
    rmSync(scene.directory, { recursive: true });
    symlinkSync(elsewhere, scene.directory);
    await scene.ledger.deleteExpired();
    expect(readdirSync(elsewhere)).toEqual([name]);
  });

  it('does nothing once another process has the lock of the log', async () => {
    const seq = await scene.act();
    aged(scene.fileOf(seq), 900 * DAY_MS);
    const lock = join(scene.places.logs, 'lock');
    const ours = readFileSync(lock);
    renameSync(lock, `${lock}.away`);
    writeFileSync(lock, ours, { mode: 0o600 });
    await scene.ledger.deleteExpired();
    expect(scene.files).toHaveLength(2);
    renameSync(`${lock}.away`, lock);
  });
});
