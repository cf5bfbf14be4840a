import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DesktopError, type Deadline } from '../../../../shared/index.js';
import { DBus, DBusError } from '../../dbus/connection.js';
import type { Isolation } from './isolation.js';
import { startService, type ServiceProcess } from './process.js';

/** Session services that apps need. Any other service starts only if it is an app itself. */
const NEEDED_SERVICES: ReadonlySet<string> = new Set(['org.a11y.Bus', 'ca.desrt.dconf']);

interface BusRequest {
  runtimeDir: string;
  env: Record<string, string>;
  isolation?: Isolation | undefined;
  /** Called at once, before the bus is ready. */
  onStarted: (bus: ServiceProcess) => void;
}

/** The XDG_RUNTIME_DIR of the desktop. All of its programs see it, so the files of its services are there too. */
export const sessionRuntimeDir = (runtimeDir: string): string => join(runtimeDir, 'run');

const busSocket = (runtimeDir: string): string => join(sessionRuntimeDir(runtimeDir), 'bus');
export const busAddress = (runtimeDir: string): string => `unix:path=${escapeAddress(busSocket(runtimeDir))}`;

export async function startBus(request: BusRequest, deadline: Deadline): Promise<ServiceProcess> {
  const services = join(sessionRuntimeDir(request.runtimeDir), 'services');
  copyAllowedServices(services, dataDirs(request.env));
  const config = join(sessionRuntimeDir(request.runtimeDir), 'bus.conf');
  writeFileSync(config, busConfig(busAddress(request.runtimeDir), services), { mode: 0o600 });
  const args = [`--config-file=${config}`, '--nofork', '--nopidfile', '--nosyslog', '--print-address=3'];
  const bus = await startService('dbus-daemon', args, { ...request, report: true });
  request.onStarted(bus);
  try {
    await deadline.race(bus.firstLine, 'Starting the bus');
    return bus;
  } catch (error) {
    await bus.end();
    if (error instanceof DesktopError) throw error;
    throw new DesktopError('driver_unavailable', 'The private bus (dbus-daemon) did not start.', {
      hint: bus.stderrTail() ? `It reported: ${bus.stderrTail()}` : undefined,
      cause: error,
    });
  }
}

/** Starts the accessibility bus and switches accessibility on for all apps. Returns the address of that bus. */
export async function enableAccessibility(runtimeDir: string, deadline: Deadline): Promise<string> {
  const target = { destination: 'org.a11y.Bus', path: '/org/a11y/bus' };
  let bus: DBus | undefined;
  try {
    bus = await DBus.connect(busAddress(runtimeDir), { timeoutMs: deadline.remaining() });
    const set = (member: string, value: boolean): Promise<unknown[]> =>
      bus!.call(
        {
          ...target,
          interface: 'org.freedesktop.DBus.Properties',
          member: 'Set',
          signature: 'ssv',
          body: ['org.a11y.Status', member, { signature: 'b', value }],
        },
        deadline.remaining(),
      );
    const [[address]] = await Promise.all([
      bus.call({ ...target, interface: 'org.a11y.Bus', member: 'GetAddress' }, deadline.remaining()),
      set('IsEnabled', true),
    ]);
    return String(address);
  } catch (error) {
    const reason = error instanceof DBusError ? error.message : String(error);
    throw new DesktopError('driver_unavailable', 'The accessibility bus of the private desktop did not start.', {
      hint: `The bus reported: ${reason.slice(0, 200)}. Check that the package at-spi2-core is installed completely.`,
      cause: error,
    });
  } finally {
    bus?.close();
  }
}

export function dataDirs(env: Readonly<Record<string, string | undefined>>): string[] {
  const dirs = (env.XDG_DATA_DIRS ?? '').split(':').filter((dir) => dir.startsWith('/'));
  return dirs.length > 0 ? dirs : ['/usr/local/share', '/usr/share'];
}

/**
 * Portals, file-system daemons and key rings of the user's session would mount file systems in our runtime directory,
 * ask for passwords, or wait for a desktop shell that does not exist. So the bus may start only the services in
 * `NEEDED_SERVICES`, and apps: services with a .desktop file of the same name.
 */
function copyAllowedServices(into: string, dirs: readonly string[]): void {
  mkdirSync(into, { mode: 0o700 });
  for (const dir of [...dirs].reverse()) {
    const folder = join(dir, 'dbus-1', 'services');
    for (const file of existsSync(folder) ? readdirSync(folder) : []) {
      const name = file.endsWith('.service') ? serviceName(join(folder, file)) : undefined;
      if (name === undefined) continue;
      const isApp = dirs.some((data) => existsSync(join(data, 'applications', `${name}.desktop`)));
      if (!NEEDED_SERVICES.has(name) && !isApp) continue;
      const [from, to] = [join(folder, file), join(into, `${name}.service`)];
      if (name === 'org.a11y.Bus') writeFileSync(to, withMemorySettings(readFileSync(from, 'utf8')), { mode: 0o600 });
      else copyFileSync(from, to);
    }
  }
}

/**
 * The accessibility switch must not be stored in the settings file that the desktop's apps share. Each app rewrites the
 * whole file as it last read it, so an app that saves its window size could switch accessibility off again.
 */
function withMemorySettings(service: string): string {
  return service.replace(/^Exec=/m, 'Exec=/usr/bin/env GSETTINGS_BACKEND=memory ');
}

function serviceName(file: string): string | undefined {
  try {
    return /^Name=([A-Za-z0-9_.-]+)\s*$/m.exec(readFileSync(file, 'utf8'))?.[1];
  } catch {
    return undefined; // A dangling link: this service could not start anyway.
  }
}

function busConfig(address: string, services: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>${escapeXml(address)}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>${escapeXml(services)}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">1000000000</limit>
  <limit name="service_start_timeout">30000</limit>
  <limit name="max_completed_connections">10000</limit>
  <limit name="max_connections_per_user">10000</limit>
  <limit name="max_match_rules_per_connection">50000</limit>
  <limit name="max_replies_per_connection">50000</limit>
</busconfig>
`;
}

/** All other bytes must be written as %XX in a D-Bus address. */
function escapeAddress(path: string): string {
  return [...Buffer.from(path)]
    .map((byte) => (/[-0-9A-Za-z_/.\\*]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join('');
}

const hex = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
