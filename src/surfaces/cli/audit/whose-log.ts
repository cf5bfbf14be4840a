import { desktopsWithLog, hasLog, type LedgerPlaces } from '../../../audit/index.js';
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
