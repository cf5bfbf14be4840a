import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  desktopsWithLog,
  hasLog,
  type LedgerPlaces,
  ledgerPlaces,
  type ReadLine,
  readLog,
  segmentOf,
  type Verification,
  verifyDesktop,
  verifyLog,
} from '../../../audit/index.js';
import { chooseDesktop, userDesktopKey } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { Context, Flags } from '../context.js';

/**
 * The log of the desktop that a command means. Files are all that is looked at: a desktop that has ended has its log
 * still. Where nothing runs and nothing was said, the only log that there is.
 */
export async function whoseLog({ env, desktops }: Context, flags: Flags): Promise<LedgerPlaces> {
  const kept = desktopsWithLog(env);
  const said = flags.desktop ?? (env.DESKPROOF_DESKTOP || undefined);
  // Also what no command can mean any more: `user.1f2e3d4c`, the person's own desktop of an earlier session.
  if (said !== undefined && kept.includes(said)) return desktops.logPlaces(said);
  try {
    const choice = await chooseDesktop(flags.desktop, env, () => desktops.running());
    return await desktops.logPlaces(choice.kind === 'private' ? choice.name : userDesktopKey(env));
  } catch (error) {
    if (!(error instanceof DesktopError) || error.code !== 'driver_unavailable') throw error;
    if (kept.length === 1) return desktops.logPlaces(kept[0]!);
    throw kept.length === 0 ? noLogs() : severalLogs(kept);
  }
}

/** The same, and there must be one. */
export async function whoseWrittenLog(context: Context, flags: Flags): Promise<LedgerPlaces> {
  const places = await whoseLog(context, flags);
  if (hasLog(places)) return places;
  throw new DesktopError('bad_arguments', 'This desktop has no log.', {
    hint: 'Name another: --desktop NAME, or give the log itself.',
  });
}

function noLogs(): DesktopError {
  return new DesktopError('bad_arguments', 'There is no log here yet.', {
    hint: 'A desktop has one from its first start: deskproof desktop start',
  });
}

function severalLogs(names: readonly string[]): DesktopError {
  return new DesktopError('bad_arguments', `${names.length} desktops have a log: ${names.join(', ')}.`, {
    hint: `Say which: --desktop ${names[0]}`,
  });
}

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

/** All lines of a log that was named: a folder, or one file in it. */
export function linesAt(log: string): Iterable<ReadLine> {
  const stat = statSync(log, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readLog(log);
  const segment = segmentOf(basename(log));
  if (!stat || segment === undefined) {
    const what = `${JSON.stringify(log.slice(0, 200))} is ${stat ? 'not a log' : 'not there'}.`;
    throw new DesktopError('bad_arguments', what, {
      hint: 'Give the folder of a log or a file in it such as 000001.jsonl.',
    });
  }
  return [...readLog(dirname(log))].filter((line) => line.segment === segment);
}
