import type { Env } from '../../platform/index.js';
import { isDesktopName, ledgerPlaces, logsDirectory, type LedgerPlaces, lockPath, segmentsIn } from '../locations.js';
import { readdirSync } from 'node:fs';
import { desktopOfPointer, readCurrent } from '../write/ledger-state.js';
import { writerOf } from '../write/ledger-lock.js';

/** Whether the desktop has or had a log. Also true if the files of the log are gone. */
export function hasLog(places: LedgerPlaces): boolean {
  return segmentsIn(places.logs).length > 0 || readCurrent(places) !== undefined;
}

/** Pid of the process that writes it now. */
export function writerOfLog({ logs }: LedgerPlaces): number | undefined {
  return writerOf(lockPath(logs))?.pid;
}

/** Every desktop of this user that has a log, whether it runs or not, also if only the keys are left. */
export function desktopsWithLog(env: Env = process.env): string[] {
  const { state } = ledgerPlaces('any', env);
  const named = [...namesIn(logsDirectory(env)), ...namesIn(state).flatMap(desktopOfPointer)];
  return [...new Set(named)].filter((name) => isDesktopName(name) && hasLog(ledgerPlaces(name, env))).sort();
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
