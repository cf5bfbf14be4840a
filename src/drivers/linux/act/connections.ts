import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import { ACCESSIBLE, APPLICATION, PROPERTIES, readChildren, readStates, ROOT_PATH } from '../atspi/accessible.js';
import { type AppCalls, type AppLink, processState, SILENCE_MS } from '../atspi/app-connection.js';
import { type CallSpec, DBus, DBusError } from '../dbus/index.js';

/** More lines that an app has gone silent on than it could have dialogs open one above the other. */
const MOST_MUTE = 8;
/** So long a line may stay silent; then nobody waits for the dialog any more. */
const MUTE_MS = 3_600_000;
const OPEN_MS = 1_500;

/** A connection to one app that acts alone use. */
export interface ActLine {
  call(spec: Omit<CallSpec, 'destination'>, deadline: Deadline): Promise<unknown[]>;
  /** The act is over: the line is kept once the app answers on it again. */
  release(): void;
}

/** A line whose act is over. */
interface Quiet {
  connection: DBus;
  destination: string | undefined;
  /** What opened with the act; undefined while that is not known. */
  dialogs?: ReadonlySet<string>;
}

interface Lines {
  pid: number;
  /** Proved to be answered: at most one. */
  free?: DBus;
  /** In use, or not known to be answered. */
  others: Set<DBus>;
  /** Those of them on which nothing may be asked yet. */
  quiet: Set<Quiet>;
  /** The modal windows when they were last looked for. */
  modal: ReadonlySet<string>;
}

/**
 * Acts never share a connection with reads: GTK 3 answers nothing more on the one that opened a modal dialog until the
 * dialog is closed. Nothing may even be asked there, and the line may not be closed: with a message waiting on it, the
 * first key that is typed into the dialog blocks the app for good (its accessibility asks about each key, and hears the
 * answer by working off all its connections, that one too). A line is used again only after the dialogs that opened
 * with its act are gone and the app has answered something else on it.
 */
export class ActLines {
  private readonly apps = new Map<string, Lines>();
  private closed = false;

  constructor(
    private readonly bus: DBus,
    /** Of the accessibility bus, for apps that offer no socket of their own. */
    private readonly busAddress: string,
  ) {}

  /** How many connections are open, and how many of them can be used. */
  get count(): { open: number; free: number } {
    const all = [...this.apps.values()];
    const free = all.filter((lines) => lines.free).length;
    return { open: free + all.reduce((sum, { others }) => sum + others.size, 0), free };
  }

  async take(app: AppLink, deadline: Deadline): Promise<ActLine> {
    this.forgetDead();
    const lines = this.linesOf(app);
    const kept = lines.free;
    delete lines.free;
    const connection = kept && !kept.closed ? kept : await this.open(app, deadline);
    if (this.closed) {
      connection.close();
      throw new DesktopError('driver_unavailable', 'The driver was closed.');
    }
    lines.others.add(connection);
    connection.onClose(() => this.drop(app.busName, connection));
    for (const oldest of lines.others) {
      if (lines.others.size <= MOST_MUTE) break;
      oldest.close();
    }
    const destination = connection.uniqueName === undefined ? undefined : app.busName;
    return {
      // An act may take its time; whether the app hangs is asked elsewhere.
      call: (spec, { endsAt }) => connection.call({ ...spec, destination }, { silenceMs: MUTE_MS, endsAt }),
      release: () => void this.rest(app, connection, destination),
    };
  }

  close(): void {
    this.closed = true;
    for (const lines of this.apps.values()) this.end(lines);
    this.apps.clear();
  }

  private linesOf({ busName, pid }: AppLink): Lines {
    let lines = this.apps.get(busName);
    if (!lines) this.apps.set(busName, (lines = { pid, others: new Set(), quiet: new Set(), modal: new Set() }));
    return lines;
  }

  /** Straight to the app where it offers that: a bus in between is one more that could be slow. */
  private async open(app: AppLink, deadline: Deadline): Promise<DBus> {
    const timeoutMs = Math.min(OPEN_MS, deadline.remaining());
    const address = app.toolkit.peerToPeer ? await this.ownAddress(app, deadline) : undefined;
    try {
      if (address) return await DBus.connect(address, { timeoutMs, peerToPeer: true });
    } catch (error) {
      // The bus does as well; if it is the app that does not answer, the act will tell.
      if (!(error instanceof DBusError)) throw error;
    }
    return DBus.connect(this.busAddress, { timeoutMs });
  }

  private async ownAddress({ busName }: AppLink, deadline: Deadline): Promise<string | undefined> {
    const asked = { destination: busName, path: ROOT_PATH, interface: APPLICATION, member: 'GetApplicationBusAddress' };
    const [address] = await this.bus.call(asked, { silenceMs: SILENCE_MS, endsAt: deadline.endsAt });
    return typeof address === 'string' && address !== '' ? address : undefined;
  }

  /** An answer on the connection of the reads comes after the act has begun: what it opened is there by then. */
  private async rest(app: AppLink, connection: DBus, destination: string | undefined): Promise<void> {
    const before = this.linesOf(app).modal;
    const modal = await modalWindows(app.until(Deadline.in(SILENCE_MS))).catch((error: unknown) => {
      // That the app does not answer is told elsewhere. A later act finds the line as it is.
      debug('atspi', () => `${app.busName}: its dialogs are not known: ${String(error)}`);
    });
    const lines = this.linesOf(app);
    lines.quiet.add({ connection, destination, ...(modal && { dialogs: without(modal, before) }) });
    if (!modal) return;
    lines.modal = modal;
    for (const one of lines.quiet) {
      one.dialogs ??= modal;
      if ([...one.dialogs].some((path) => modal.has(path))) continue;
      lines.quiet.delete(one);
      this.prove(app, one.connection, one.destination);
    }
  }

  private prove(app: AppLink, connection: DBus, destination: string | undefined): void {
    const question = { destination, path: ROOT_PATH, interface: PROPERTIES, member: 'Get', signature: 'ss' };
    connection.call({ ...question, body: [ACCESSIBLE, 'ChildCount'] }, MUTE_MS).then(
      () => this.keep(app.busName, connection),
      () => connection.close(), // Its app is gone, or it was closed already; nothing was asked for the answer's sake.
    );
  }

  private keep(busName: string, connection: DBus): void {
    const lines = this.apps.get(busName);
    if (!lines || lines.free || connection.closed) return connection.close();
    lines.others.delete(connection);
    lines.free = connection;
  }

  private drop(busName: string, connection: DBus): void {
    const lines = this.apps.get(busName);
    if (!lines) return;
    lines.others.delete(connection);
    if (lines.free === connection) delete lines.free;
    if (!lines.free && lines.others.size === 0) this.apps.delete(busName);
  }

  /** A socket of the app's own ends with it; a connection to the bus does not. */
  private forgetDead(): void {
    for (const [busName, lines] of this.apps) {
      if (processState(lines.pid) !== undefined) continue;
      this.apps.delete(busName);
      this.end(lines);
    }
  }

  private end({ free, others }: Lines): void {
    free?.close();
    for (const connection of [...others]) connection.close();
  }
}

function without(all: ReadonlySet<string>, some: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((one) => !some.has(one)));
}

/** The windows of an app that make its others wait, by path. */
export async function modalWindows(calls: AppCalls): Promise<Set<string>> {
  const paths = (await readChildren(calls, ROOT_PATH)).map(([, path]) => path);
  const states = await Promise.all(paths.map((path) => readStates(calls, path)));
  return new Set(paths.filter((_, at) => states[at]?.has('modal')));
}
