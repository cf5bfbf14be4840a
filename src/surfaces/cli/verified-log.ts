import { ledgerPlaces, verifyDesktop, verifyLog } from '../../audit/index.js';
import type { ReadLine, Verification } from '../../audit/index.js';
import { linesAt } from './audit/log-at.js';
import { whoseWrittenLog } from './audit/whose-log.js';
import type { Context, Flags } from './context.js';

/** A log to make something of, and whether it is what was written, as far as one can know here. */
export interface VerifiedLog {
  lines: () => Iterable<ReadLine>;
  verify: () => Verification;
}

/** The one that a desktop writes now, with the files before it. */
export async function desktopsLog(context: Context, flags: Flags): Promise<VerifiedLog> {
  const places = await whoseWrittenLog(context, flags);
  return { lines: () => linesAt(places.logs), verify: () => verifyDesktop(places) };
}

/** One that lies anywhere. */
export function logAt(given: string, { env }: Context): VerifiedLog {
  // Heads and keys lie by the ledger's own number, whatever the desktop was called.
  const { state } = ledgerPlaces('any', env);
  return { lines: () => linesAt(given), verify: () => verifyLog({ log: given, state }) };
}
