import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { debug, DesktopError, localiseError, LineSplitter, osError } from '../../shared/index.js';
import { FromClient, type FromHost, type HostHello, MAX_REQUEST_BYTES, PROTOCOL } from './protocol.js';

const MAX_CLIENTS = 128;

interface ServerOptions {
  socket: string;
  hello: HostHello;
  requests: Requests;
  /** Called with the number of clients whenever it changes. */
  onClients?: (count: number) => void;
}

/** Accepts the connections of a host. The socket is closed to other users from the start: umask is set before bind. */
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
      if (host.sessions.size >= MAX_CLIENTS) {
        session.end(new DesktopError('rate_limited', `${MAX_CLIENTS} clients already use this desktop.`));
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

  /** Every client gets the reason. The socket file is removed with the server. */
  async close(reason: DesktopError): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const session of this.sessions) session.end(reason);
    await closed;
  }
}

export interface RequestContext {
  /** Aborts when the client cancels or disconnects. */
  signal: AbortSignal;
  /** The name that the client gives itself. It is for logs and callers and is not verified. */
  client: string;
  /** Names this connection among all of this host. */
  connection: string;
  /** Where it was started. */
  directory?: string;
  /** Registers work for when this client disconnects, once per key. */
  atEnd: (key: string, end: () => void) => void;
  progress: (done: number) => void;
  item: (value: unknown) => void;
}

export type Requests = Readonly<Record<string, (params: unknown, context: RequestContext) => Promise<unknown>>>;

/** An MCP server over HTTP has one connection for all its clients: 64, with 16 concurrent calls each. */
const MAX_CONCURRENT = 2 * 64 * 16;
/** Other requests wait for these, and these wait for none. */
const ALWAYS_ACCEPTED: ReadonlySet<string> = new Set(['answer', 'leave', 'stop']);
/** A client that does not read its answers is disconnected before it fills our memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const HELLO_WITHIN_MS = 5_000;

/** One connected client: hello, then requests until either side ends. A faulty client ends only its own session. */
class Session {
  private readonly lines = new LineSplitter(MAX_REQUEST_BYTES);
  private readonly running = new Map<number, AbortController>();
  private readonly onLeave = new Map<string, () => void>();
  private client: string | undefined;
  private directory: string | undefined;
  private ended = false;
  private readonly connection = randomUUID();

  constructor(
    private readonly socket: Socket,
    private readonly hello: HostHello,
    private readonly requests: Requests,
    private readonly onEnd: () => void,
  ) {
    const helloTimer = setTimeout(() => this.refuse('The client sent no hello.'), HELLO_WITHIN_MS);
    socket.on('data', (chunk) => {
      try {
        for (const line of this.lines.push(chunk)) {
          if (this.ended) return;
          this.receive(line);
          if (this.client !== undefined) clearTimeout(helloTimer);
        }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.refuse('A request is longer than 4 MB.');
      }
    });
    socket.on('error', (error) => debug('host', () => `client: ${error.message}`));
    socket.on('close', () => {
      clearTimeout(helloTimer);
      this.ended = true;
      for (const call of this.running.values()) call.abort();
      for (const end of this.onLeave.values()) end();
      this.onLeave.clear();
      this.onEnd();
    });
  }

  /** Sends the reason and disconnects. */
  end(reason: DesktopError): void {
    if (this.ended) return;
    this.send({ bye: localiseError(this.hello.desktop, reason.toJSON()) });
    this.ended = true;
    this.socket.end();
    // A client that never closes its side must not keep the host alive.
    setTimeout(() => this.socket.destroy(), 500).unref();
  }

  private refuse(what: string): void {
    this.end(new DesktopError('bad_arguments', what, { hint: 'Use a client of the same version.' }));
  }

  private send(message: FromHost): void {
    if (this.ended || this.socket.destroyed) return;
    this.socket.write(`${JSON.stringify(message)}\n`);
    if (this.socket.writableLength > MAX_UNREAD_BYTES) this.socket.destroy();
  }

  private receive(line: string): void {
    let message: FromClient;
    try {
      message = FromClient.parse(JSON.parse(line));
    } catch {
      // The client gets the error; its details would not help.
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
    // Our hello is always sent: it shows the client which version it reached.
    this.send({ hello: this.hello });
    debug('host', () => `hello from ${hello.client}, version ${hello.version}`);
    if (hello.protocol !== PROTOCOL) this.refuse(`The client uses protocol ${hello.protocol}, the host ${PROTOCOL}.`);
  }

  private async answer(id: number, what: string, params: unknown): Promise<void> {
    if (this.running.has(id)) return this.refuse('A request id was used twice at the same time.');
    const controller = new AbortController();
    try {
      if (this.running.size >= MAX_CONCURRENT && !ALWAYS_ACCEPTED.has(what)) {
        throw new DesktopError('rate_limited', `More than ${MAX_CONCURRENT} requests at once.`, {
          hint: 'Wait for answers.',
        });
      }
      this.running.set(id, controller);
      const request = Object.hasOwn(this.requests, what) ? this.requests[what] : undefined;
      if (!request) throw new DesktopError('bad_arguments', 'The host does not know this request.');
      const ok = await request(params, {
        signal: controller.signal,
        client: this.client ?? '',
        connection: this.connection,
        ...(this.directory !== undefined && { directory: this.directory }),
        atEnd: (key, end) => void this.onLeave.set(key, end),
        progress: (progress) => this.send({ id, progress }),
        item: (item) => this.send({ id, item }),
      });
      this.send({ id, ok: ok ?? null });
    } catch (error) {
      this.send({ id, error: localiseError(this.hello.desktop, asDesktopError(error).toJSON()) });
    } finally {
      if (this.running.get(id) === controller) this.running.delete(id);
    }
  }
}

/** An internal error becomes an answer too. Its details stay in the debug log, since they may quote the screen. */
export function asDesktopError(error: unknown): DesktopError {
  const known = error instanceof DesktopError ? error : osError(error);
  if (known) return known;
  debug('host', () => (error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return new DesktopError('command_failed', 'Deskproof failed because of an internal error.', {
    hint: 'Run it again with DESKPROOF_DEBUG=host and report the output.',
    delivered: 'unknown',
    details: { fault: error instanceof Error ? error.message : String(error) },
    cause: error,
  });
}
