import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readCurrent } from './ledger-state.js';
import { writerOf } from './lock.js';
import { ledgerPlaces, lockPath, segmentsIn, type LedgerPlaces } from './places.js';

type Env = Readonly<Record<string, string | undefined>>;

/** It has or had a log; true also when the files of the log are gone. */
export function hasLog(places: LedgerPlaces): boolean {
  return segmentsIn(places.logs).length > 0 || readCurrent(places) !== undefined;
}

/** The process that writes it now. */
export function writerOfLog({ logs }: LedgerPlaces): number | undefined {
  return writerOf(lockPath(logs))?.pid;
}

/** Every desktop of this person that has a log, whether it runs or not. */
export function desktopsWithLog(env: Env = process.env): string[] {
  let names: string[];
  try {
    names = readdirSync(dirname(ledgerPlaces('any', env).logs));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names.filter((name) => /^[a-z0-9][a-z0-9.-]{0,63}$/i.test(name) && hasLog(ledgerPlaces(name, env))).sort();
}
