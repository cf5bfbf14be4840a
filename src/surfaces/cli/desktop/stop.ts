import { DesktopError } from '../../../shared/index.js';
import { privateName, type Context, type Flags } from '../context.js';

export interface StopFlags extends Flags {
  all?: boolean;
}

export async function desktopStop(context: Context, given: string | undefined, flags: StopFlags): Promise<void> {
  if (flags.all && given !== undefined) {
    throw new DesktopError('bad_arguments', 'A name and --all exclude each other.', { hint: 'Give one of the two.' });
  }
  const names = flags.all ? await context.desktops.running() : [await privateName(context, given ?? flags.desktop)];
  await Promise.all(names.map((name) => context.desktops.stop(name)));
  if (flags.json) context.terminal.out(`${JSON.stringify({ schema: 1, stopped: names })}\n`);
  else context.terminal.out(names.length === 0 ? 'No private desktop runs.\n' : `stopped ${names.join(', ')}\n`);
}

/** For desktops of our own that may have died meanwhile. */
export async function stopIfRunning(context: Context, name: string): Promise<void> {
  try {
    await context.desktops.stop(name);
  } catch (error) {
    // Already gone is what we wanted.
    if (!(error instanceof DesktopError && error.code === 'driver_unavailable')) throw error;
  }
}
