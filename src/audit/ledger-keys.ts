import { fingerprint } from './keys.js';
import { readCurrent, readTrust } from './ledger-state.js';
import type { LedgerPlaces } from './places.js';
import { readLog } from './read-log.js';

export interface KeyLine {
  segment: number;
  fingerprint: string;
  since: string;
  /** Its private half is destroyed. */
  closed: boolean;
}

export interface LedgerKeys {
  ledger: string;
  /** To be kept elsewhere: with it a log that was signed anew is found. */
  fingerprint: string;
  keys: KeyLine[];
}

/** The keys of the desktop's log as it stands; undefined when it never had one. */
export function ledgerKeys(places: LedgerPlaces): LedgerKeys | undefined {
  const ledger = readCurrent(places);
  const trust = ledger === undefined ? undefined : readTrust(places.state, ledger);
  if (ledger === undefined || typeof trust !== 'object') return undefined;
  const keys: KeyLine[] = [];
  for (const { record } of readLog(places.logs)) {
    if (record?.ledger !== ledger) continue;
    if (record.kind === 'open') {
      keys.push({ segment: record.segment, fingerprint: fingerprint(record.key), since: record.at, closed: false });
    }
    if (record.kind === 'close' && keys.length > 0) keys.at(-1)!.closed = true;
  }
  return { ledger, fingerprint: trust.fingerprint, keys };
}
