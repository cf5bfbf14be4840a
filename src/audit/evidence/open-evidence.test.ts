// @module-tag safety

import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clickOn, content, EvidenceLog } from '../../../tests/scenes/evidence-log.js';
import { readLog } from '../read/read-log.js';
import type { RecordOf } from '../record.js';
import { newLedger } from '../write/open-ledger.js';
import { MAX_BLOB_BYTES } from './blob-store.js';
import { openEvidence } from './open-evidence.js';

let scene: EvidenceLog;
beforeEach(async () => {
  scene = new EvidenceLog();
  await scene.start();
});
afterEach(() => scene.remove());

describe('opening a stored snapshot', () => {
  const failing: [string, (seq: number) => void, RegExp, string][] = [
    ['was changed', (seq) => flip(scene.fileOf(seq)), /was changed after it was stored\.$/, 'audit_unavailable'],
    [
      'was cut',
      (seq) => writeFileSync(scene.fileOf(seq), readFileSync(scene.fileOf(seq)).subarray(0, 60)),
      /was changed/,
      'audit_unavailable',
    ],
    ['was emptied', (seq) => writeFileSync(scene.fileOf(seq), ''), /is not a stored snapshot\.$/, 'audit_unavailable'],
    [
      'is another snapshot',
      (seq) => copy(scene.fileOf(seq, 'after'), scene.fileOf(seq)),
      /belongs to another record\.$/,
      'audit_unavailable',
    ],
    ['is missing', (seq) => unlinkSync(scene.fileOf(seq)), /is missing: its file is not in/, 'audit_unavailable'],
    ['has another key', () => replaceKey(), /was encrypted with another key\.$/, 'audit_unavailable'],
    ['has no key', () => unlinkSync(scene.keyFile), /^The key for .* is missing\.$/, 'audit_unavailable'],
    ['is open to others', (seq) => chmodSync(scene.fileOf(seq), 0o644), /is open to other users/, 'audit_unavailable'],
    ['is a link', (seq) => link(scene.fileOf(seq)), /is not a plain file/, 'audit_unavailable'],
    [
      'is too large',
      (seq) => writeFileSync(scene.fileOf(seq), Buffer.alloc(MAX_BLOB_BYTES + 1)),
      /is not a stored/,
      'audit_unavailable',
    ],
    ['is of a newer version', (seq) => flip(scene.fileOf(seq), 4, 3), /by a newer Deskproof\.$/, 'not_supported'],
  ];
  it.each(failing)('fails with one sentence when it %s', async (_, damage, message, code) => {
    const seq = await scene.act();
    damage(seq);
    expect(() => scene.open(seq)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    );
    expect(() => scene.open(seq)).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/^[A-Z].*\.|latest$/) as string }),
    );
  });

  it('compares the text with the record, not only with the key', async () => {
    const seq = await scene.act();
    const lines = [...readLog(scene.places.logs)];
    const intent = lines.find(({ record }) => record?.kind === 'intent')!.record as RecordOf<'intent'>;
    intent.evidence!.blob!.hash = 'a'.repeat(64);
    expect(() => openEvidence({ ...scene.places, lines, seq })).toThrow('was changed after it was stored');
  });

  it.each<[string, (seq: number) => number, RegExp]>([
    ['an unknown number', () => 999, /^The log has no record 999\.$/],
    ['a record that is not an act', () => 1, /^Record 1 is of kind open\. Only acts have evidence\.$/],
  ])('%s is a wrong argument', async (_, which, message) => {
    const seq = await scene.act();
    expect(() => scene.open(which(seq))).toThrow(
      expect.objectContaining({ code: 'bad_arguments', message: expect.stringMatching(message) as string }),
    );
  });

  it('a ledger that was replaced by audit new keeps its snapshots, by the file of its log', async () => {
    const seq = await scene.act();
    await scene.log.close();
    await (await newLedger({ places: scene.places, software: 'deskproof/test' }, 'a test')).close();
    const lines = [...readLog(scene.places.logs)].filter(({ segment }) => segment === 1);
    expect(openEvidence({ ...scene.places, lines, seq }).content).toEqual(content('before'));
    // The same number in the new ledger is another record.
    expect(() => scene.open(1)).toThrow('Only acts have evidence.');
  });

  it('an act without an outcome has no snapshot after it', async () => {
    const seq = await scene.ledger.intent(clickOn(content('x')));
    expect(() => scene.open(seq, true)).toThrow(`The log has no outcome of record ${seq}.`);
    expect(scene.open(seq).content).toEqual(content('x'));
  });

  function flip(path: string, at = 70, bits = 1): void {
    const bytes = readFileSync(path);
    bytes[at]! ^= bits;
    writeFileSync(path, bytes);
  }
  const copy = (from: string, to: string): void => writeFileSync(to, readFileSync(from));
  function link(path: string): void {
    unlinkSync(path);
    symlinkSync(join(scene.root, 'elsewhere'), path);
  }
  function replaceKey(): void {
    const text = `deskproof-evidence-key/1 ${randomBytes(32).toString('base64')}\n`;
    writeFileSync(scene.keyFile, text);
  }
});
