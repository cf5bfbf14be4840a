import { DesktopError, type Deadline } from '../../../shared/index.js';
import { DBus, DBusError } from '../dbus/connection.js';
import type { Variant } from '../dbus/reader.js';
import { AppConnection, SILENCE_MS } from './app-connection.js';
import { ACCESSIBLE, APPLICATION, PROPERTIES, REGISTRY, ROOT_PATH } from './accessible.js';
import { toolkitFrom } from './toolkit.js';

export interface AppName {
  busName: string;
  pid: number;
}

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

const PEER = 'org.freedesktop.DBus.Peer';
/** Qt waits 100 ms for the registry, then it handles the key anyway. */
const KEY_ANSWER_MS = 500;

/** The apps on the accessibility bus. The list comes from the registry and the bus daemon; no app is asked for it. */
export class Apps {
  private readonly links = new Map<string, Promise<AppConnection>>();
  private readonly opened = new Map<string, AppConnection>();
  private readonly pids = new Map<string, number>();

  /**
   * An earlier bus was replaced by this one. Apps that connected to the old bus do not find the new one by themselves.
   */
  replaced = false;

  constructor(readonly bus: DBus) {}

  async list(deadline: Deadline): Promise<AppName[]> {
    const limits = { silenceMs: SILENCE_MS, endsAt: deadline.endsAt };
    const request = { destination: REGISTRY, path: ROOT_PATH, interface: ACCESSIBLE, member: 'GetChildren' };
    const [children] = (await this.bus.call(request, limits).catch(throwBusError)) as [[string, string][]];
    const names = [...new Set(children.map(([busName]) => busName))];
    const apps = await Promise.all(
      names.map(async (busName) => ({ busName, pid: await this.pidOf(busName, deadline) })),
    );
    this.dropAllExcept(new Set(names));
    return apps.filter((app): app is AppName => app.pid !== undefined);
  }

  /** The process id from the bus daemon, which gets it from the kernel. The app's own claim is not used. */
  async pidOf(busName: string, deadline: Deadline): Promise<number | undefined> {
    const known = this.pids.get(busName);
    if (known !== undefined) return known;
    try {
      const [pid] = await this.bus.call(
        { ...BUS, member: 'GetConnectionUnixProcessID', signature: 's', body: [busName] },
        { silenceMs: SILENCE_MS, endsAt: deadline.endsAt },
      );
      this.pids.set(busName, pid as number);
      return pid as number;
    } catch (error) {
      // The app disconnected after it was listed. A failure of the bus itself is an error.
      if (error instanceof DBusError && error.kind.startsWith('org.freedesktop.DBus.Error')) return undefined;
      return throwBusError(error);
    }
  }

  /** The cached process id. Makes no call, because events can arrive in bursts. */
  knownPid(busName: string): number | undefined {
    return this.pids.get(busName);
  }

  /** The connection to an app. Opened on first use, then kept. */
  connect(app: AppName, deadline: Deadline): Promise<AppConnection> {
    let link = this.links.get(app.busName);
    if (!link) {
      link = this.open(app, deadline);
      this.links.set(app.busName, link);
      link.then(
        (open) => this.links.get(app.busName) === link && this.opened.set(app.busName, open),
        () => this.links.delete(app.busName),
      );
    }
    return link;
  }

  /** The open connection to an app that was read before. Makes no call. */
  knownConnection(busName: string): AppConnection | undefined {
    return this.opened.get(busName);
  }

  /** The open connections to all apps that were read before, or to those of one process. Makes no call. */
  knownConnections(pid?: number): AppConnection[] {
    return [...this.opened.values()].filter((link) => pid === undefined || link.pid === pid);
  }

  /**
   * Waits until the apps that ask the registry about their keys have the answers to all that they asked so far. Each
   * step is answered in order: the app has sent its question, the registry has answered it, the app has the answer.
   * False if there is no such app.
   */
  async waitForKeyAnswers(deadline: Deadline): Promise<boolean> {
    const asking = [...this.opened.values()]
      .filter(({ toolkit }) => toolkit.asksAboutKeys)
      .map(({ busName }) => busName);
    if (asking.length === 0) return false;
    const limits = { silenceMs: KEY_ANSWER_MS, endsAt: deadline.endsAt };
    const ping = (destination: string): Promise<unknown> =>
      this.bus
        .call({ destination, path: ROOT_PATH, interface: PEER, member: 'Ping' }, limits)
        // An app that ended or hangs is reported by the checks that follow.
        .catch((error: unknown) => (error instanceof DBusError ? undefined : Promise.reject(error as Error)));
    await Promise.all(asking.map(ping));
    await ping(REGISTRY);
    await Promise.all(asking.map(ping));
    return true;
  }

  async connectByBusName(busName: string, deadline: Deadline): Promise<AppConnection> {
    const pid = await this.pidOf(busName, deadline);
    if (pid === undefined) {
      throw new DesktopError('process_gone', 'The app that owns this element has ended.', { retry: 'no' });
    }
    return this.connect({ busName, pid }, deadline);
  }

  close(): void {
    this.dropAllExcept(new Set());
  }

  private async open({ busName, pid }: AppName, deadline: Deadline): Promise<AppConnection> {
    const limits = { silenceMs: SILENCE_MS, endsAt: deadline.endsAt };
    const property = async (iface: string, name: string): Promise<string> => {
      const [variant] = await this.bus.call(
        {
          destination: busName,
          path: ROOT_PATH,
          interface: PROPERTIES,
          member: 'Get',
          signature: 'ss',
          body: [iface, name],
        },
        limits,
      );
      const value = (variant as Variant).value;
      return typeof value === 'string' ? value : '';
    };
    let name = '';
    let toolkitName = '';
    try {
      [name, toolkitName] = await Promise.all([property(ACCESSIBLE, 'Name'), property(APPLICATION, 'ToolkitName')]);
    } catch (error) {
      const unnamed = new AppConnection(busName, pid, '', toolkitFrom('', ''), this.bus, undefined, deadline);
      throw await unnamed.toDesktopError(error);
    }
    const toolkit = toolkitFrom(toolkitName, name);
    const direct = toolkit.peerToPeer ? await this.connectDirectly(busName, limits) : undefined;
    return new AppConnection(busName, pid, name, toolkit, this.bus, direct, deadline);
  }

  /** A peer-to-peer connection if the app offers one. The bus works as well. */
  private async connectDirectly(
    busName: string,
    limits: { silenceMs: number; endsAt: number },
  ): Promise<DBus | undefined> {
    try {
      const [address] = await this.bus.call(
        { destination: busName, path: ROOT_PATH, interface: APPLICATION, member: 'GetApplicationBusAddress' },
        limits,
      );
      if (typeof address !== 'string' || address === '') return undefined;
      return await DBus.connect(address, { timeoutMs: 500, peerToPeer: true });
    } catch (error) {
      // A private socket is only a shortcut. Without it the same calls go over the bus.
      if (error instanceof DBusError) return undefined;
      throw error;
    }
  }

  private dropAllExcept(present: ReadonlySet<string>): void {
    for (const busName of this.pids.keys()) if (!present.has(busName)) this.pids.delete(busName);
    for (const [busName, link] of this.links) {
      if (present.has(busName)) continue;
      this.links.delete(busName);
      this.opened.delete(busName);
      link.then(
        (app) => app.close(),
        () => undefined, // The connection was never opened, so there is nothing to close.
      );
    }
  }
}

/** Registry and bus daemon answer these calls, so a failure is not the fault of an app. */
function throwBusError(error: unknown): never {
  if (!(error instanceof DBusError)) throw error;
  const options = { hint: 'Run deskproof doctor for details.', details: { dbus: error.kind }, cause: error };
  if (error.kind === 'timeout') throw new DesktopError('timeout', 'The accessibility bus does not answer.', options);
  throw new DesktopError('driver_unavailable', 'The accessibility bus is gone.', options);
}
