import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import { openLedger } from '../write/open-ledger.js';
import { verifyDesktop, verifyLog } from './verify.js';

let root: string;
let places: LedgerPlaces;
const path = (segment: number): string => segmentPath(places.logs, segment);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-verify-'));
  places = ledgerPlaces('desk', { HOME: root });
  const ledger = await openLedger({ places, software: 'deskproof/test' });
  await ledger.rotate();
  await ledger.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('files that are not what a writer leaves', () => {
  it('notes links, and what other users can write', () => {
    renameSync(path(1), join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), path(1));
    chmodSync(path(2), 0o620);
    chmodSync(places.logs, 0o702);
    const { ok, notes } = verifyDesktop(places);
    expect(ok).toBe(true);
    expect(notes).toEqual(
      expect.arrayContaining([
        `${path(1)} is a symbolic link to ${join(root, 'elsewhere')}`,
        `other users can write ${path(2)} (mode 620)`,
        `other users can write ${places.logs} (mode 702)`,
      ]),
    );
  });

  it('notes nothing about the files of a writer', () => {
    expect(verifyDesktop(places).notes.join('\n')).not.toMatch(/link|other users/);
  });

  it.each<[string, () => void, RegExp]>([
    ['a directory', () => mkdirSync(path(3)), /000003\.jsonl is a directory/],
    ['a link to a device', () => symlinkSync('/dev/null', path(3)), /000003\.jsonl is a device/],
    ['a link to a directory', () => symlinkSync(root, path(3)), /000003\.jsonl is a directory/],
  ])('refuses %s', (_, plant, message) => {
    plant();
    expect(() => verifyDesktop(places)).toThrow(message);
    expect(() => verifyLog({ log: places.logs, state: places.state })).toThrow(message);
  });
});
