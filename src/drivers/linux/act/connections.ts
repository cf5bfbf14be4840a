import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import { ACCESSIBLE, APPLICATION, PROPERTIES, readChildren, readStates, ROOT_PATH } from '../atspi/accessible.js';
import { type AppCalls, type AppConnection, SILENCE_MS } from '../atspi/app-connection.js';
import { processState } from '../processes.js';
import type { CallSpec } from '../dbus/message.js';
import { DBus, DBusError } from '../dbus/connection.js';

/** Limit for unanswered connections of one app; no app has this many nested dialogs. */
const MAX_UNANSWERED = 8;
/** How long a connection may stay unanswered. After that the dialog is considered abandoned. */
const MAX_UNANSWERED_MS = 3_600_000;
const OPEN_MS = 1_500;

/** A connection to one app, used only for acts. */
export interface ActionConnection {
  call(spec: Omit<CallSpec, 'destination'>, deadline: Deadline): Promise<unknown[]>;
  /** Ends the act. The connection is reused after the app answers on it again. */
  release(): void;
}

/** A connection whose act is over. */
interface BlockedConnection {
  connection: DBus;
  destination: string | undefined;
  /** The dialogs that opened with the act; undefined while they are unknown. */
  dialogs?: ReadonlySet<string>;
}

interface AppConnections {
  pid: number;
  /** The one connection that the app is known to answer on. */
  free?: DBus;
  /** Connections in use, or not known to be answered. */
  others: Set<DBus>;
  /** Those of `others` on which no request may be sent yet. */
  blocked: Set<BlockedConnection>;
  /** The modal windows at the last check. */
  modal: ReadonlySet<string>;
}

/**
 * Acts never share a connection with reads: after an act opened a modal dialog, GTK 3 answers nothing more on that
 * connection until the dialog is closed. No request may be sent there, and the connection must not be closed either:
 * with a message waiting on it, the first key typed into the dialog blocks the app for good (GTK's accessibility code
 * sends each key event and waits for the reply by processing all its connections, including that one). A connection is
 * reused only after the dialogs that opened with its act are closed and the app has answered another request on it.
 */
export class ActionConnections {
  private readonly apps = new Map<string, AppConnections>();
  private closed = false;

  constructor(
    private readonly bus: DBus,
    /** Address of the accessibility bus, for apps without their own socket. */
    private readonly busAddress: string,
  ) {}

  /** The number of open connections, and how many of them are free. */
  get count(): { open: number; free: number } {
    const all = [...this.apps.values()];
    const free = all.filter((connections) => connections.free).length;
    return { open: free + all.reduce((sum, { others }) => sum + others.size, 0), free };
  }

  async acquire(app: AppConnection, deadline: Deadline): Promise<ActionConnection> {
    this.closeDeadApps();
    const connections = this.connectionsOf(app);
    const free = connections.free;
    delete connections.free;
    const connection = free && !free.closed ? free : await this.open(app, deadline);
    if (this.closed) {
      connection.close();
      throw new DesktopError('driver_unavailable', 'The driver was closed.');
    }
    connections.others.add(connection);
    connection.onClose(() => this.drop(app.busName, connection));
    for (const oldest of connections.others) {
      if (connections.others.size <= MAX_UNANSWERED) break;
      oldest.close();
    }
    const destination = connection.uniqueName === undefined ? undefined : app.busName;
    return {
      // An act may take long; another connection checks whether the app hangs.
      call: (spec, { endsAt }) => connection.call({ ...spec, destination }, { silenceMs: MAX_UNANSWERED_MS, endsAt }),
      release: () => void this.afterAct(app, connection, destination),
    };
  }

  close(): void {
    this.closed = true;
    for (const connections of this.apps.values()) this.closeAll(connections);
    this.apps.clear();
  }

  private connectionsOf({ busName, pid }: AppConnection): AppConnections {
    let connections = this.apps.get(busName);
    if (!connections)
      this.apps.set(busName, (connections = { pid, others: new Set(), blocked: new Set(), modal: new Set() }));
    return connections;
  }

  /** Connects directly to the app if it offers a socket: a bus in between could be slow. */
  private async open(app: AppConnection, deadline: Deadline): Promise<DBus> {
    const timeoutMs = Math.min(OPEN_MS, deadline.remaining());
    const address = app.toolkit.peerToPeer ? await this.ownAddress(app, deadline) : undefined;
    try {
      if (address) return await DBus.connect(address, { timeoutMs, peerToPeer: true });
    } catch (error) {
      // The bus works too. If the app does not answer, the act itself will fail.
      if (!(error instanceof DBusError)) throw error;
    }
    return DBus.connect(this.busAddress, { timeoutMs });
  }

  private async ownAddress({ busName }: AppConnection, deadline: Deadline): Promise<string | undefined> {
    const request = {
      destination: busName,
      path: ROOT_PATH,
      interface: APPLICATION,
      member: 'GetApplicationBusAddress',
    };
    const [address] = await this.bus.call(request, { silenceMs: SILENCE_MS, endsAt: deadline.endsAt });
    return typeof address === 'string' && address !== '' ? address : undefined;
  }

  /**
   * A reply on the connection for reads arrives after the act has begun, so the dialogs that it opened exist by then.
   */
  private async afterAct(app: AppConnection, connection: DBus, destination: string | undefined): Promise<void> {
    const before = this.connectionsOf(app).modal;
    const modal = await modalWindows(app.until(Deadline.in(SILENCE_MS))).catch((error: unknown) => {
      // Another call reports that the app does not answer. A later act checks this connection again.
      debug('atspi', () => `${app.busName}: its dialogs are unknown: ${String(error)}`);
    });
    const connections = this.connectionsOf(app);
    connections.blocked.add({ connection, destination, ...(modal && { dialogs: difference(modal, before) }) });
    if (!modal) return;
    connections.modal = modal;
    for (const entry of connections.blocked) {
      entry.dialogs ??= modal;
      if ([...entry.dialogs].some((path) => modal.has(path))) continue;
      connections.blocked.delete(entry);
      this.checkAnswers(app, entry.connection, entry.destination);
    }
  }

  private checkAnswers(app: AppConnection, connection: DBus, destination: string | undefined): void {
    const request = { destination, path: ROOT_PATH, interface: PROPERTIES, member: 'Get', signature: 'ss' };
    connection.call({ ...request, body: [ACCESSIBLE, 'ChildCount'] }, MAX_UNANSWERED_MS).then(
      () => this.makeFree(app.busName, connection),
      () => connection.close(), // The app is gone or the connection was already closed. The reply itself is not needed.
    );
  }

  private makeFree(busName: string, connection: DBus): void {
    const connections = this.apps.get(busName);
    if (!connections || connections.free || connection.closed) return connection.close();
    connections.others.delete(connection);
    connections.free = connection;
  }

  private drop(busName: string, connection: DBus): void {
    const connections = this.apps.get(busName);
    if (!connections) return;
    connections.others.delete(connection);
    if (connections.free === connection) delete connections.free;
    if (!connections.free && connections.others.size === 0) this.apps.delete(busName);
  }

  /** The app's own socket ends with the app; a connection to the bus does not. */
  private closeDeadApps(): void {
    for (const [busName, connections] of this.apps) {
      if (processState(connections.pid) !== undefined) continue;
      this.apps.delete(busName);
      this.closeAll(connections);
    }
  }

  private closeAll({ free, others }: AppConnections): void {
    free?.close();
    for (const connection of [...others]) connection.close();
  }
}

function difference(all: ReadonlySet<string>, some: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((entry) => !some.has(entry)));
}

/** The modal windows of an app, by path. */
async function modalWindows(calls: AppCalls): Promise<Set<string>> {
  const paths = (await readChildren(calls, ROOT_PATH)).map(([, path]) => path);
  const states = await Promise.all(paths.map((path) => readStates(calls, path)));
  return new Set(paths.filter((_, at) => states[at]?.has('modal')));
}
