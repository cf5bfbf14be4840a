import { existsSync } from 'node:fs';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { PROPERTIES } from './atspi/accessible.js';
import { Apps } from './atspi/apps.js';
import { DBus, DBusError } from './dbus/connection.js';
import type { Variant } from './dbus/reader.js';
import { requestEvents } from './events/signals.js';

export type Environment = Record<string, string | undefined>;

const FIX = 'sudo apt-get install -y --no-install-recommends at-spi2-core dbus';

/** Address of the user's session bus, found as programs of the session find it. */
export function sessionBusAddress(env: Environment): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  const path = env.XDG_RUNTIME_DIR && `${env.XDG_RUNTIME_DIR}/bus`;
  return path && existsSync(path) ? `unix:path=${path}` : undefined;
}

/**
 * Address of the accessibility bus. The request for it starts the bus. Setting IsEnabled makes toolkits build their
 * trees if they wait for an accessibility client.
 */
async function accessibilityBusAddress(env: Environment, deadline: Deadline): Promise<string> {
  if (env.AT_SPI_BUS_ADDRESS) return env.AT_SPI_BUS_ADDRESS;
  const address = sessionBusAddress(env);
  if (!address) {
    throw new DesktopError('driver_unavailable', 'There is no session bus, so there is no accessibility tree.', {
      hint: 'Run inside a desktop session, or use a private desktop: deskproof desktop start',
    });
  }
  let session: DBus;
  try {
    session = await DBus.connect(address, { timeoutMs: Math.min(2000, deadline.remaining()) });
  } catch (error) {
    throw new DesktopError('driver_unavailable', 'The session bus does not answer.', {
      hint: 'Check DBUS_SESSION_BUS_ADDRESS, or use a private desktop: deskproof desktop start',
      details: { bus: (error as Error).message },
      cause: error,
    });
  }
  try {
    const bus = { destination: 'org.a11y.Bus', path: '/org/a11y/bus' };
    const [answer] = await session.call(
      { ...bus, interface: 'org.a11y.Bus', member: 'GetAddress' },
      Math.min(5000, deadline.remaining()),
    );
    await enable(session, bus, deadline);
    return answer as string;
  } catch (error) {
    throw new DesktopError('driver_unavailable', 'The accessibility bus is not available.', {
      hint: `Install it: ${FIX}`,
      details: { bus: error instanceof DBusError ? error.kind : 'unknown' },
      cause: error,
    });
  } finally {
    session.close();
  }
}

async function enable(session: DBus, bus: { destination: string; path: string }, deadline: Deadline): Promise<void> {
  const status = 'org.a11y.Status';
  const call = (member: string, signature: string, body: unknown[]) =>
    session.call({ ...bus, interface: PROPERTIES, member, signature, body }, Math.min(2000, deadline.remaining()));
  const [enabled] = await call('Get', 'ss', [status, 'IsEnabled']);
  if ((enabled as Variant).value !== true) {
    await call('Set', 'ssv', [status, 'IsEnabled', { signature: 'b', value: true }]);
  }
}

const CONNECT_MS = 2000;

export interface OpenedApps {
  apps: Apps;
  busAddress: string;
}

/** Connects to the accessibility bus, which starts it if necessary. Errors are `DesktopError`s. */
export async function openApps(env: Environment, deadline: Deadline): Promise<OpenedApps> {
  try {
    const busAddress = await accessibilityBusAddress(env, deadline);
    const bus = await DBus.connect(busAddress, { timeoutMs: Math.min(CONNECT_MS, deadline.remaining()) });
    try {
      await requestEvents(bus);
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
    hint: 'Run deskproof doctor to see why.',
    cause: error,
    details: { native: (error as Error).message },
  });
}
