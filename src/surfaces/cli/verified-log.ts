import { statSync } from 'node:fs';
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
  return { lines: () => linesAt(places.logs), verify: () => all(verifyDesktop(places)) };
}

/** One that lies anywhere. */
export function logAt(given: string, { env }: Context): VerifiedLog {
  // Heads and keys lie by the ledger's own number, whatever the desktop was called.
  const { state } = ledgerPlaces('any', env);
  const verify = (): Verification => verifyLog({ log: given, state });
  const isFile = statSync(given, { throwIfNoEntry: false })?.isFile() === true;
  return { lines: () => linesAt(given), verify: isFile ? verify : () => all(verify()) };
}

/** The lines of a log that was given up are among them: whatever was wrong with it is wrong with what is made of them. */
function all(found: Verification): Verification {
  return found.earlierFault === undefined ? found : { ...found, ok: false, verdict: found.earlierFault };
}
