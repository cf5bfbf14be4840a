import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerPlaces, logsDirectory, segmentPath, type LedgerPlaces } from './locations.js';
import { verifyDesktop, verifyLog } from './verify/verify.js';
import { readCurrent } from './write/ledger-state.js';
import { newLedger, openLedger } from './write/open-ledger.js';

let root: string;
let places: LedgerPlaces;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-earlier-'));
  places = ledgerPlaces('desk', { HOME: root });
  await (await openLedger({ places, software: 'deskproof/test' })).close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const rewrite = (file: string): void =>
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('deskproof', 'deskwright'));
const pointer = (): string => join(places.state, 'desk.current');
const head = (): string => join(places.state, readCurrent(places)!, 'head');
const log = (): string => segmentPath(places.logs, 1);
const options = () => ({ places, software: 'deskproof/test' });
const refused = (): string =>
  `The log ${places.logs} belongs to an earlier name of this program. ` +
  `Move it and ${pointer()} away; then a new log begins in ${places.logs}.`;

describe.each<[string, () => void]>([
  ['its open record names the earlier program', () => rewrite(log())],
  ['its head names the earlier format', () => rewrite(head())],
  ['it came without its keys', () => (rewrite(log()), unlinkSync(pointer()))],
])('a log of the earlier name, when %s', (_, make) => {
  beforeEach(make);

  it('is not continued', async () => {
    const error = expect.objectContaining({ code: 'audit_unavailable', message: refused(), retry: 'no' }) as Error;
    await expect(openLedger(options())).rejects.toEqual(error);
    await expect(newLedger(options(), 'another name')).rejects.toEqual(error);
  });

  it('is not verified', () => expect(() => verifyDesktop(places)).toThrow(refused()));

  it('a new log starts after the steps in the error', async () => {
    rmSync(places.logs, { recursive: true });
    rmSync(pointer(), { force: true });
    await (await openLedger(options())).close();
    expect(verifyDesktop(places).ok).toBe(true);
  });
});

it.each([
  ['its open record', () => rewrite(log()), {}],
  ['its head', () => rewrite(head()), { state: () => places.state }],
])('a log in any location is refused by %s, and the error names the new location', (_, make, more) => {
  make();
  const state = 'state' in more ? { state: more.state() } : {};
  expect(() => verifyLog({ log: places.logs, ...state })).toThrow(
    `The log ${places.logs} belongs to an earlier name of this program. ` +
      `The logs of this program are in ${logsDirectory()}.`,
  );
});
