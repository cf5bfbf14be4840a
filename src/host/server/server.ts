import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { debug, DesktopError, errorFor, LineSplitter, systemFault } from '../../shared/index.js';
import { FromClient, type FromHost, type HostHello, LONGEST_REQUEST, PROTOCOL } from './protocol.js';

const MOST_CLIENTS = 128;

export interface ServerOptions {
  socket: string;
  hello: HostHello;
  requests: Requests;
  /** Called with the number of clients whenever it changes. */
  onClients?: (count: number) => void;
}

/** The door of a host. The socket is closed to others from its first moment: umask first, then bind. */
export class HostServer {
  private readonly sessions = new Set<Session>();

  private constructor(private readonly server: Server) {}

  static async listen(options: ServerOptions): Promise<HostServer> {
    const server = createServer();
    const host = new HostServer(server);
    server.on('connection', (socket) => {
      const session = new Session(socket, options.hello, options.requests, () => {
        if (host.sessions.delete(session)) options.onClients?.(host.sessions.size);
      });
      if (host.sessions.size >= MOST_CLIENTS) {
        session.end(new DesktopError('rate_limited', `${MOST_CLIENTS} clients use this desktop already.`));
        return;
      }
      host.sessions.add(session);
      options.onClients?.(host.sessions.size);
    });
    const before = process.umask(0o077);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(options.socket, resolve);
      });
    } finally {
      process.umask(before);
    }
    chmodSync(options.socket, 0o600);
    return host;
  }

  get clients(): number {
    return this.sessions.size;
  }

  /** Every client learns the reason; the socket file goes with the server. */
  async close(reason: DesktopError): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const session of this.sessions) session.end(reason);
    await closed;
  }
}

export interface RequestContext {
  /** Aborts when the client cancels or goes away. */
  signal: AbortSignal;
  /** What the client calls itself; for logs and callers, proof of nothing. */
  client: string;
  /** Where it was started. */
  directory?: string;
  /** Something to do when this client goes, once for each key. */
  atEnd: (key: string, end: () => void) => void;
  progress: (done: number) => void;
  item: (value: unknown) => void;
}

export type Requests = Readonly<Record<string, (params: unknown, context: RequestContext) => Promise<unknown>>>;

/** An MCP server by HTTP has one connection for all of its clients: 64, with 16 calls at once each. */
const MOST_AT_ONCE = 2 * 64 * 16;
/** Others wait for them, and they wait for nobody. */
const ALWAYS_TAKEN: ReadonlySet<string> = new Set(['answer', 'leave', 'stop']);
/** A client that does not read what it asked for is let go before it fills our memory. */
const MOST_UNREAD = 64 * 1024 * 1024;
const HELLO_WITHIN_MS = 5_000;

/** One connected client: hello, then requests until either side ends. Its mistakes end it alone. */
export class Session {
  private readonly lines = new LineSplitter(LONGEST_REQUEST);
  private readonly running = new Map<number, AbortController>();
  private readonly leaving = new Map<string, () => void>();
  private client: string | undefined;
  private directory: string | undefined;
  private ended = false;

  constructor(
    private readonly socket: Socket,
    private readonly hello: HostHello,
    private readonly requests: Requests,
    private readonly onEnd: () => void,
  ) {
    const impatient = setTimeout(() => this.refuse('No hello came.'), HELLO_WITHIN_MS);
    socket.on('data', (chunk) => {
      try {
        for (const line of this.lines.push(chunk)) {
          if (this.ended) return;
          this.take(line);
          if (this.client !== undefined) clearTimeout(impatient);
        }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.refuse('A request is longer than 4 MB.');
      }
    });
    socket.on('error', (error) => debug('host', () => `client: ${error.message}`));
    socket.on('close', () => {
      clearTimeout(impatient);
      this.ended = true;
      for (const call of this.running.values()) call.abort();
      for (const end of this.leaving.values()) end();
      this.leaving.clear();
      this.onEnd();
    });
  }

  /** Says why and hangs up. */
  end(reason: DesktopError): void {
    if (this.ended) return;
    this.send({ bye: errorFor(this.hello.desktop, reason.toJSON()) });
    this.ended = true;
    this.socket.end();
    // A client that never closes its side must not hold the host.
    setTimeout(() => this.socket.destroy(), 500).unref();
  }

  private refuse(what: string): void {
    this.end(new DesktopError('bad_arguments', what, { hint: 'Use a client of the same version.' }));
  }

  private send(message: FromHost): void {
    if (this.ended || this.socket.destroyed) return;
    this.socket.write(`${JSON.stringify(message)}\n`);
    if (this.socket.writableLength > MOST_UNREAD) this.socket.destroy();
  }

  private take(line: string): void {
    let message: FromClient;
    try {
      message = FromClient.parse(JSON.parse(line));
    } catch {
      // Whatever it was, the client gets told; there is nothing else to learn from it.
      return this.refuse('A line is not a request of this protocol.');
    }
    if ('hello' in message) return this.greet(message.hello);
    if (this.client === undefined) return this.refuse('The first line must be a hello.');
    if ('cancel' in message) return this.running.get(message.cancel)?.abort();
    void this.answer(message.id, message.do, message.with);
  }

  private greet(hello: { protocol: number; version: string; client: string; directory?: string }): void {
    this.client = hello.client;
    this.directory = hello.directory;
    // Our hello goes out in any case: it tells the client which version it met.
    this.send({ hello: this.hello });
    debug('host', () => `hello from ${hello.client}, version ${hello.version}`);
    if (hello.protocol !== PROTOCOL) this.refuse(`The client speaks protocol ${hello.protocol}, the host ${PROTOCOL}.`);
  }

  private async answer(id: number, what: string, params: unknown): Promise<void> {
    if (this.running.has(id)) return this.refuse('A request id was used twice at once.');
    const controller = new AbortController();
    try {
      if (this.running.size >= MOST_AT_ONCE && !ALWAYS_TAKEN.has(what)) {
        throw new DesktopError('rate_limited', `More than ${MOST_AT_ONCE} requests at once.`, {
          hint: 'Wait for answers.',
        });
      }
      this.running.set(id, controller);
      const request = Object.hasOwn(this.requests, what) ? this.requests[what] : undefined;
      if (!request) throw new DesktopError('bad_arguments', 'The host does not know this request.');
      const ok = await request(params, {
        signal: controller.signal,
        client: this.client ?? '',
        ...(this.directory !== undefined && { directory: this.directory }),
        atEnd: (key, end) => void this.leaving.set(key, end),
        progress: (progress) => this.send({ id, progress }),
        item: (item) => this.send({ id, item }),
      });
      this.send({ id, ok: ok ?? null });
    } catch (error) {
      this.send({ id, error: errorFor(this.hello.desktop, asDesktopError(error).toJSON()) });
    } finally {
      if (this.running.get(id) === controller) this.running.delete(id);
    }
  }
}

/** A fault of ours becomes an answer too; what it was stays in the debug lines, since it may quote the screen. */
export function asDesktopError(error: unknown): DesktopError {
  const known = error instanceof DesktopError ? error : systemFault(error);
  if (known) return known;
  debug('host', () => (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return new DesktopError('command_failed', 'Deskproof itself failed; this is a fault in it.', {
    hint: 'Run it again with DESKPROOF_DEBUG=host and report what it says.',
    delivered: 'unknown',
    details: { fault: error instanceof Error ? error.message : String(error) },
    cause: error,
  });
}
