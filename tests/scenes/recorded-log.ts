import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerPlaces, openLedger, type LedgerPlaces } from '../../src/audit/index.js';
import { recordSession, SessionClock } from './recorded-session.js';

/** A home of its own with the log of the recorded session in it, of a desktop named `work`. */
export interface RecordedLog {
  root: string;
  env: Record<string, string>;
  places: LedgerPlaces;
  remove(): void;
}

export async function recordedLog(): Promise<RecordedLog> {
  const root = mkdtempSync(join(tmpdir(), 'dp-log-'));
  const env = { HOME: root, DESKPROOF_RUNTIME: join(root, 'run') };
  const places = ledgerPlaces('work', env);
  const clock = new SessionClock();
  const ledger = await openLedger({ places, software: 'deskproof/test', now: clock.now });
  await recordSession(ledger, clock);
  await ledger.close();
  return { root, env, places, remove: () => rmSync(root, { recursive: true, force: true }) };
}
