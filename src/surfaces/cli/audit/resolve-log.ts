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
 * The log of the desktop that a command refers to. Reads only files: a desktop that has ended still has its log. If
 * nothing runs and no desktop is named, the only log there is.
 */
export async function resolveLog({ env, desktops }: Context, flags: Flags): Promise<LedgerPlaces> {
  const kept = desktopsWithLog(env);
  const said = flags.desktop ?? (env.DESKPROOF_DESKTOP || undefined);
  // Includes desktops that no command can name any more: `user.1f2e3d4c` is the user's own desktop of an earlier
  // session.
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

/** Like `resolveLog`, but the log must exist. */
export async function existingLog(context: Context, flags: Flags): Promise<LedgerPlaces> {
  const places = await resolveLog(context, flags);
  if (hasLog(places)) return places;
  throw new DesktopError('bad_arguments', 'This desktop has no log.', {
    hint: 'Name another desktop with --desktop NAME, or give the path of a log.',
  });
}

function noLogs(): DesktopError {
  return new DesktopError('bad_arguments', 'There is no log yet.', {
    hint: 'Start a desktop first; it writes a log from then on: deskproof desktop start',
  });
}

function severalLogs(names: readonly string[]): DesktopError {
  return new DesktopError('bad_arguments', `${names.length} desktops have a log: ${names.join(', ')}.`, {
    hint: `Name one: --desktop ${names[0]}`,
  });
}

/** The lines of a log and its verification, as far as that is possible here. */
interface VerifiedLog {
  lines: () => Iterable<ReadLine>;
  verify: () => Verification;
}

/** The log that a desktop currently writes, with its earlier files. */
export async function desktopLog(context: Context, flags: Flags): Promise<VerifiedLog> {
  const places = await existingLog(context, flags);
  return { lines: () => linesAt(places.logs), verify: () => withEarlierFault(verifyDesktop(places)) };
}

/** A log at any path. */
export function logAt(given: string, { env }: Context): VerifiedLog {
  // Heads and keys are stored by ledger id, so the desktop's name does not matter.
  const { state } = ledgerPlaces('any', env);
  const verify = (): Verification => verifyLog({ log: given, state });
  const isFile = statSync(given, { throwIfNoEntry: false })?.isFile() === true;
  return { lines: () => linesAt(given), verify: isFile ? verify : () => withEarlierFault(verify()) };
}

/** The lines include an earlier log that was abandoned, so a fault in it is a fault of the whole. */
function withEarlierFault(found: Verification): Verification {
  return found.earlierFault === undefined ? found : { ...found, ok: false, verdict: found.earlierFault };
}

/** All lines of a log, given as a folder or as one file in it. */
export function linesAt(log: string): Iterable<ReadLine> {
  const stat = statSync(log, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readLog(log);
  const segment = segmentOf(basename(log));
  if (!stat || segment === undefined) {
    const what = `${JSON.stringify(log.slice(0, 200))} ${stat ? 'is not a log' : 'does not exist'}.`;
    throw new DesktopError('bad_arguments', what, {
      hint: 'Give the folder of a log, or a file in it such as 000001.jsonl.',
    });
  }
  return [...readLog(dirname(log))].filter((line) => line.segment === segment);
}
