import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerPlaces, type LedgerPlaces } from '../../audit/index.js';
import { RECORD_DIRECTORY } from '../server/sweep-leftovers.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Where the host of a desktop writes its log. `own`: the desktop was started for one command, and its log is removed
 * with it.
 */
export function logPlaces(
  { key, directory, own }: { key: string; directory: string; own: boolean },
  env: Env = process.env,
): LedgerPlaces {
  const desktop = key.replace(/[^a-z0-9.-]+/gi, '-').replace(/^[^a-z0-9]+/i, '') || 'user';
  if (own)
    return {
      desktop,
      logs: join(directory, RECORD_DIRECTORY, 'audit'),
      state: join(directory, RECORD_DIRECTORY, 'ledger'),
    };
  return ledgerPlaces(desktop, env);
}

/** The same for a process that did not start the desktop. */
export function logPlacesOf(base: string, key: string, env: Env = process.env): LedgerPlaces {
  const directory = join(base, key);
  return logPlaces({ key, directory, own: existsSync(join(directory, RECORD_DIRECTORY)) }, env);
}
