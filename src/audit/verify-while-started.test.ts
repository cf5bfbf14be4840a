import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLedger } from './write/open-ledger.js';
import { ledgerPlaces, type LedgerPlaces } from './locations.js';

// Between reading the head and the log, a desktop may start: it removes the end mark from the head, and writes. With
// two processes the order is random (processes.test.ts); here it is fixed.

const reads: { before?: () => void } = {};
let verifyDesktop: typeof import('./verify/verify.js').verifyDesktop;

let root: string;
let places: LedgerPlaces;
const head = (ledger: string): string => join(places.state, ledger, 'head');

beforeEach(async () => {
  // Other tests of the same process have already loaded these.
  vi.resetModules();
  vi.doMock(import('./verify/chain.js'), async (original) => {
    const { walkLog, ...others } = await original();
    return {
      ...others,
      walkLog: (...given) => {
        reads.before?.();
        return walkLog(...given);
      },
    };
  });
  ({ verifyDesktop } = await import('./verify/verify.js'));
  root = mkdtempSync(join(tmpdir(), 'dp-started-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(() => {
  vi.doUnmock('./walk-log.js');
  vi.resetModules();
  delete reads.before;
  rmSync(root, { recursive: true, force: true });
});

/** The head of a log that was ended, and the head after another writer continued it. */
async function twoHeads(): Promise<{ ledger: string; ended: string; now: string }> {
  const first = await openLedger({ places, software: 'deskproof/test' });
  const ledger = first.id;
  await first.close();
  const ended = readFileSync(head(ledger), 'utf8');
  const second = await openLedger({ places, software: 'deskproof/test' });
  await second.note({ kind: 'stop', by: 'test' });
  await second.checkpoint();
  const now = readFileSync(head(ledger), 'utf8');
  await second.close();
  return { ledger, ended, now };
}

it('a desktop that starts while its log is verified breaks nothing', async () => {
  const { ledger, ended, now } = await twoHeads();
  writeFileSync(head(ledger), ended);
  reads.before = () => writeFileSync(head(ledger), now);
  expect(verifyDesktop(places)).toMatchObject({ ok: true });
});

it('a head that is unchanged afterwards counts, and one that is gone or damaged excuses nothing', async () => {
  const { ledger, ended } = await twoHeads();
  for (const then of [ended, 'nonsense', undefined]) {
    writeFileSync(head(ledger), ended);
    reads.before = () => (then === undefined ? rmSync(head(ledger)) : writeFileSync(head(ledger), then));
    const { ok, verdict } = verifyDesktop(places);
    expect([ok, verdict]).toEqual([false, expect.stringMatching(/its writer had ended/)]);
  }
});
