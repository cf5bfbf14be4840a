// @module-tag safety

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clickOn, content, done, EvidenceLog } from '../../../tests/scenes/evidence-log.js';
import { snapshotHash, type Redactor } from '../ledger.js';
import { recordText } from '../read/format-record.js';
import { verifyDesktop } from '../verify/verify.js';
import { MAX_BLOB_BYTES } from './blob-store.js';

let scene: EvidenceLog;
beforeEach(async () => {
  scene = new EvidenceLog();
  await scene.start();
});
afterEach(() => scene.remove());

const mode = (path: string): number => statSync(path).mode & 0o777;

describe('evidence: blobs', () => {
  it('stores both snapshots of an act, and each opens to what was seen', async () => {
    const seq = await scene.act();
    expect(scene.open(seq)).toMatchObject({ seq, side: 'before', tool: 'ui_click', redacted: false });
    expect(scene.open(seq).content).toEqual(content('before'));
    expect(scene.open(seq, true)).toMatchObject({ seq, side: 'after', content: content('after'), redacted: false });
    // The number of the outcome names the snapshot after the act.
    expect(scene.open(scene.last('outcome').seq)).toEqual(scene.open(seq, true));
  });

  it('keeps the hashes in the records as they were', async () => {
    await scene.act();
    expect(scene.last('intent').evidence).toEqual({
      snapshot: snapshotHash(content('before')),
      blob: { hash: snapshotHash(content('before')) },
    });
    expect(scene.last('outcome')).toMatchObject({ after: snapshotHash(content('after')) });
    expect(recordText(scene.last('intent'))).toMatch(/evidence stored$/);
  });

  it('uses private files, and a key apart from the log', async () => {
    const seq = await scene.act();
    const key = scene.keyFile;
    expect([scene.fileOf(seq), scene.fileOf(seq, 'after'), key].map(mode)).toEqual([0o600, 0o600, 0o600]);
    expect(mode(scene.directory)).toBe(0o700);
    expect(key.startsWith(scene.places.logs)).toBe(false);
    expect(readFileSync(scene.fileOf(seq)).includes('before')).toBe(false);
  });

  it('continues with the same key after a restart', async () => {
    const seq = await scene.act();
    await scene.start();
    const next = await scene.act(content('next'));
    expect(scene.open(seq).content).toEqual(content('before'));
    expect(scene.open(next).content).toEqual(content('next'));
  });

  it('continues in the next file of the log', async () => {
    const seq = await scene.act();
    await scene.log.rotate();
    const next = await scene.act(content('next'));
    expect([scene.open(seq).content, scene.open(next).content]).toEqual([content('before'), content('next')]);
    expect(verifyDesktop(scene.places)).toMatchObject({ ok: true });
  });

  it('stores nothing where the log has no hash, and nothing for launches', async () => {
    const seq = await scene.ledger.intent({ tool: 'ui_launch', caller: 'cli', rule: 'private/all' });
    await scene.ledger.outcome(seq, done());
    expect(() => scene.files).toThrow('ENOENT');
    expect(scene.last('outcome').blob).toBeUndefined();
  });

  it('evidence: hashes stores nothing', async () => {
    await scene.start({ evidence: 'hashes' });
    const seq = await scene.act();
    expect(() => scene.files).toThrow('ENOENT');
    expect(() => scene.open(seq)).toThrow(`The snapshot before record ${seq} was not stored.`);
  });

  it('follows a reload of the policy', async () => {
    scene.ledger.use({ evidence: 'hashes', keepDays: 90 });
    await scene.act();
    scene.ledger.use({ evidence: 'blobs', keepDays: 90 });
    const seq = await scene.act();
    expect(scene.files).toHaveLength(2);
    expect(scene.open(seq).content).toEqual(content('before'));
  });
});

describe('text that must not be stored', () => {
  const redactor: Redactor = { text: (text) => text.replaceAll(/hunter2|7|\S+@\S+/g, '‹removed›') };

  it('is removed before encryption; the record names the hash of what is left', async () => {
    await scene.start({ redactor });
    const seen = content('mail ada@example.org, password hunter2');
    const seq = await scene.act(seen);
    const { content: stored, redacted, hash } = scene.open(seq);
    expect(JSON.stringify(stored)).not.toMatch(/hunter2|ada@|7/);
    expect(stored.roots).toMatchObject([
      { children: [{ name: 'mail ‹removed› password ‹removed›', value: '‹removed›' }] },
    ]);
    expect(redacted).toBe(true);
    expect(scene.last('intent').evidence).toEqual({ snapshot: snapshotHash(seen), blob: { hash } });
  });

  it('is searched in its window, by the id of that window', async () => {
    const asked: (string | undefined)[] = [];
    await scene.start({ redactor: { text: (text, { window }) => (asked.push(window), text) } });
    const two = {
      windows: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B' },
      ],
      roots: [{ name: 'x' }, { name: 'y' }],
    };
    await scene.ledger.intent(clickOn(two));
    expect(asked.slice(0, 4)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('a word that is also a role does not damage the tree', async () => {
    await scene.start({ redactor: { text: (text) => text.replaceAll('label', '‹removed›') } });
    const seq = await scene.act(content('label'));
    expect(scene.open(seq).content.roots).toMatchObject([{ children: [{ role: 'label', name: '‹removed›' }] }]);
  });

  it('is left out as a whole if a window of the snapshot is hidden now', async () => {
    const seq = await scene.ledger.intent(clickOn());
    await scene.ledger.outcome(seq, { ...done(), after: snapshotHash(content('gone')) });
    expect([scene.last('intent').evidence?.blob, scene.last('outcome').blob]).toEqual([
      { omitted: 'hidden' },
      { omitted: 'hidden' },
    ]);
    expect(() => scene.files).toThrow('ENOENT');
    expect(() => scene.open(seq)).toThrow('was not stored: policy hid one of its windows at that moment.');
  });

  it('a snapshot above the limit is left out with the reason in the listing', async () => {
    const seq = await scene.act(content(randomBytes(MAX_BLOB_BYTES).toString('base64')));
    expect(recordText(scene.last('intent'))).toMatch(/evidence left out \(too large\)$/);
    expect(() => scene.open(seq)).toThrow('was not stored: it was too large.');
    expect(scene.open(seq, true).content).toEqual(content('after'));
  });
});

describe('a snapshot that cannot be stored', () => {
  const full = (): Promise<void> => Promise.reject(Object.assign(new Error('disk'), { code: 'ENOSPC' }));

  it('before the act: the act is refused, and the log says that it was not done', async () => {
    await scene.start({ disk: { write: full } });
    await expect(scene.ledger.intent(clickOn(content('x')))).rejects.toMatchObject({
      code: 'audit_unavailable',
      message: expect.stringMatching(
        /^The snapshot before the act could not be stored, .*\. The disk is full/,
      ) as string,
    });
    expect(scene.last('outcome')).toMatchObject({
      ...{ of: scene.last('intent').seq, status: 'failed', delivered: 'no', error: 'audit_unavailable' },
    });
    expect(scene.files).toEqual([]);
  });

  it('after the act: the outcome is written and says so, and the caller gets an error', async () => {
    const seq = await scene.ledger.intent(clickOn(content('x')));
    chmodSync(scene.directory, 0o755);
    await expect(scene.ledger.outcome(seq, done(content('y')))).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(scene.last('outcome')).toMatchObject({
      of: seq,
      status: 'ok',
      delivered: 'yes',
      blob: { omitted: 'not written' },
    });
    expect(recordText(scene.last('outcome'))).toMatch(/evidence left out \(not written\)$/);
    expect(() => scene.open(seq, true)).toThrow('was not stored: the disk did not accept it.');
    chmodSync(scene.directory, 0o700);
    expect(scene.open(await scene.act()).content).toEqual(content('before'));
  });

  it.each<[string, () => void, RegExp]>([
    ['a directory that others can enter', () => mkdirSync(scene.directory, { mode: 0o755 }), /is open to other/],
    ['a link in its place', () => symlinkSync(scene.root, scene.directory), /is not a directory/],
    ['a file in its place', () => writeFileSync(scene.directory, ''), /is not a directory/],
    [
      'a key that others can read',
      () => writeFileSync(scene.keyFile, 'x', { mode: 0o644 }),
      /evidence\.key is open to other users/,
    ],
    ['a damaged key', () => writeFileSync(scene.keyFile, 'x', { mode: 0o600 }), /evidence\.key, is damaged/],
    ['a link in place of the key', () => symlinkSync('/dev/zero', scene.keyFile), /is not a plain/],
  ])('%s refuses the act', async (_, prepare, why) => {
    prepare();
    await expect(scene.ledger.intent(clickOn(content('x')))).rejects.toThrow(why);
    expect(scene.last('outcome')).toMatchObject({ delivered: 'no', error: 'audit_unavailable' });
  });

  it('never overwrites a file that is there', async () => {
    const seq = await scene.act();
    writeFileSync(scene.fileOf(seq + 2), 'kept', { mode: 0o600 });
    await expect(scene.act()).rejects.toThrow('exists already');
    expect(readFileSync(scene.fileOf(seq + 2), 'utf8')).toBe('kept');
  });
});
