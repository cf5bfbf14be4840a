import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileLedger } from './write/file-ledger.js';
import { hashOf, makeLine } from './line.js';
import { newLedger, openLedger } from './write/open-ledger.js';
import { ledgerPlaces, type LedgerPlaces } from './locations.js';
import { verifyDesktop } from './verify/verify.js';

let root: string;
let places: LedgerPlaces;
let ledger: FileLedger;
const options = () => ({ places, software: 'deskproof/test' });
const click = { tool: 'ui_click', caller: 'cli', rule: 'all' };
const FOREIGN = { ok: false, verdict: 'another program wrote into it after record 2' };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-stranger-'));
  places = ledgerPlaces('desk', { HOME: root });
  ledger = await openLedger(options());
  await ledger.intent(click);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A line that fits the chain, as any program can make it that can write the file. */
function forge(): void {
  const last = readFileSync(ledger.path, 'utf8').trimEnd().split('\n').at(-1)!;
  const { seq, at } = JSON.parse(last) as { seq: number; at: string };
  const link = { ledger: ledger.id, seq: seq + 1, prev: hashOf(Buffer.from(last)), at };
  appendFileSync(ledger.path, makeLine({ kind: 'stop', by: 'cli' }, link).bytes);
}

test('foreign lines in a log that is being written are reported, also after it was closed and opened', async () => {
  forge();
  await expect(ledger.intent(click)).rejects.toMatchObject({ code: 'audit_unavailable' });
  expect(verifyDesktop(places)).toMatchObject(FOREIGN);
  await ledger.close().catch(() => undefined);
  expect(verifyDesktop(places)).toMatchObject(FOREIGN);
  await expect(openLedger(options())).rejects.toMatchObject({
    code: 'audit_unavailable',
    message: 'The log cannot be continued: another program wrote into it after record 2.',
  });
  expect(verifyDesktop(places)).toMatchObject(FOREIGN);
  const next = await newLedger(options(), 'foreign lines');
  await next.close();
  expect(verifyDesktop(places)).toMatchObject({ ok: true });
});

test('also if nothing more is written except its end', async () => {
  forge();
  await ledger.close().catch(() => undefined);
  expect(verifyDesktop(places)).toMatchObject(FOREIGN);
});
