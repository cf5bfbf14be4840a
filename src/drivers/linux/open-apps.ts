import { DesktopError, type Deadline } from '../../shared/index.js';
import { Apps } from './atspi/apps.js';
import { announceEvents } from './atspi/signals.js';
import { DBus } from './dbus/index.js';
import { accessibilityBusAddress, type Environment } from './session.js';

const CONNECT_MS = 2000;

export interface OpenedApps {
  apps: Apps;
  busAddress: string;
}

/** A connection to the accessibility bus; asking where it is starts it. Errors are `DesktopError`s. */
export async function openApps(env: Environment, deadline: Deadline): Promise<OpenedApps> {
  try {
    const busAddress = await accessibilityBusAddress(env, deadline);
    const bus = await DBus.connect(busAddress, { timeoutMs: Math.min(CONNECT_MS, deadline.remaining()) });
    try {
      await announceEvents(bus);
    } catch (error) {
      bus.close();
      throw error;
    }
    return { apps: new Apps(bus), busAddress };
  } catch (error) {
    throw asDesktopError(error, 'The accessibility bus does not answer.');
  }
}

export function asDesktopError(error: unknown, message: string): DesktopError {
  if (error instanceof DesktopError) return error;
  return new DesktopError('driver_unavailable', message, {
    hint: 'deskproof doctor',
    cause: error,
    details: { native: (error as Error).message },
  });
}
