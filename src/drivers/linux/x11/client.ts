import { createConnection, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import {
  type Client,
  createClient,
  type Extensions,
  type Reply,
  type Screen,
  type Setup,
  type XServerError,
} from 'x11';
import { connect as connectWithDescriptors } from 'x11/lib/fdpass.js';
import { type Deadline, debug, DesktopError } from '../../../shared/index.js';
import { type AuthFile, authOption, cookieFor } from './authority.js';
import { nobodyListens, refusal, serverGone } from './display-errors.js';
import type { DisplayName } from './display.js';
import { createSharedMemory } from './shared-memory.js';

/** The server's answer to a request that could not be carried out. */
export class XRequestError extends Error {
  constructor(readonly code: number) {
    super(`X error ${code}`);
  }
}

/** Value, Window, Pixmap, Match, Drawable: what a request meets when its window went away in the meantime. */
const GONE: ReadonlySet<number> = new Set([2, 3, 4, 8, 9]);

/**
 * One connection to an X server. `ask` sends and waits for the reply; requests made in one tick leave in one write.
 * When the server goes, every open question is answered with the same error, and `onLost` is told once.
 */
export class X11Client {
  readonly screen: Screen;
  private lost?: DesktopError;
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly lostListeners = new Set<(error: DesktopError) => void>();
  private readonly extensions = new Map<keyof Extensions, Promise<unknown>>();

  private constructor(
    readonly name: DisplayName,
    readonly raw: Client,
    readonly setup: Setup,
    /** What was shown at the door; a process of ours that opens the same door gets it through a pipe. */
    readonly cookie: Buffer | undefined,
    private readonly stream: Socket,
    /** Where the server writes pixels. */
    readonly memory: Pick<ReturnType<typeof createSharedMemory>, 'read' | 'closeAll'>,
  ) {
    const screen = setup.screen[name.screen];
    if (!screen) throw new DesktopError('driver_unavailable', `Display ${name.text} has no screen ${name.screen}.`);
    this.screen = screen;
    sweepQuickly(raw);
  }

  static async connect(name: DisplayName, auth: AuthFile, deadline: Deadline): Promise<X11Client> {
    const stream = await openInTime(name, deadline);
    const address = remoteAddress(name, stream);
    const cookie = cookieFor(auth.entries, { number: name.number, hostname: hostname(), address });
    const memory = createSharedMemory();
    let raw: Client | undefined;
    let onError: (error: XServerError) => void = () => undefined;
    let onClose = (): void => undefined;
    const setup = new Promise<Setup>((resolve, reject) => {
      onError = (error) => reject(refusal(name, auth, cookie !== undefined, error));
      onClose = () => reject(serverGone(name));
      stream.on('close', () => onClose());
      raw = createClient(
        {
          display: `:${name.number}`,
          stream,
          auth: authOption(cookie),
          disableBigRequests: true,
          bufferRequests: { flushOnReply: false, maxDelay: Infinity },
          shm: memory,
        },
        (error, value) => (error ? reject(refusal(name, auth, cookie !== undefined, error)) : resolve(value)),
      );
      raw.on('error', (error: XServerError) => onError(error));
    });
    try {
      const value = await deadline.race(setup, `The X server at ${name.text}`);
      const client = new X11Client(name, raw!, value, cookie, stream, memory);
      onError = (error) => client.failed(error);
      onClose = () => client.lose(serverGone(name));
      if (stream.destroyed) onClose();
      return client;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  get root(): number {
    return this.screen.root;
  }

  get hadCookie(): boolean {
    return this.cookie !== undefined;
  }

  get local(): boolean {
    return this.name.socket !== undefined;
  }

  /** How many requests and how many writes have left so far: a batch is one write. */
  get traffic(): { requests: number; writes: number } {
    const { packets, writes } = this.raw.pack_stream.stats;
    return { requests: packets, writes };
  }

  ask<T>(send: (x: Client, reply: Reply<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.lost) return reject(this.lost);
      this.waiting.add(reject);
      send(this.raw, (error, value) => {
        this.waiting.delete(reject);
        if (error) reject(error.error === undefined ? error : new XRequestError(error.error));
        else resolve(value);
        return true;
      });
    });
  }

  /** As `ask`; undefined when the window that it is about has gone. */
  async askGone<T>(send: (x: Client, reply: Reply<T>) => void): Promise<T | undefined> {
    try {
      return await this.ask(send);
    } catch (error) {
      if (error instanceof XRequestError && GONE.has(error.code)) return undefined;
      throw error;
    }
  }

  /** A request that the package does not know. `unpack` gets the reply without its first 8 bytes, and their second. */
  askRaw<T>(request: Buffer, unpack: (body: Buffer, detail: number) => T): Promise<T> {
    return this.ask<T>((x, reply) => {
      x.seq_num += 1;
      x.replies[x.seq_num] = [unpack, reply];
      x.pack_stream.put(request);
      x.pack_stream.submit(true);
    });
  }

  /** A request without an answer. An error that it causes later (its window has gone) is not worth more than a line. */
  tell(send: (x: Client) => void): void {
    if (!this.lost) send(this.raw);
  }

  /** As `tell`, for a request that the package does not know. */
  tellRaw(request: Buffer): void {
    this.tell((x) => {
      x.seq_num += 1;
      x.pack_stream.put(request);
      x.pack_stream.submit(false);
    });
  }

  /** Resolves when the server has dealt with everything sent so far. */
  async sync(): Promise<void> {
    await this.ask<unknown>((x, reply) => x.GetInputFocus(reply));
  }

  /** The extension, or undefined when the server has none of that name. */
  async extension<K extends keyof Extensions>(name: K): Promise<Extensions[K] | undefined> {
    const known = this.extensions.get(name) as Promise<Extensions[K] | undefined> | undefined;
    if (known) return known;
    const loading = this.ask<Extensions[K]>((x, reply) => x.require(name, reply)).catch((error: unknown) => {
      if (error instanceof DesktopError) throw error;
      return undefined;
    });
    this.extensions.set(name, loading);
    return loading;
  }

  async hasExtension(name: string): Promise<boolean> {
    return (await this.ask<{ present: number }>((x, reply) => x.QueryExtension(name, reply))).present !== 0;
  }

  onLost(listener: (error: DesktopError) => void): void {
    if (this.lost) listener(this.lost);
    else this.lostListeners.add(listener);
  }

  close(): void {
    this.lostListeners.clear();
    this.lose(new DesktopError('cancelled', `The connection to display ${this.name.text} was closed.`));
  }

  private failed(error: XServerError): void {
    if (error.error !== undefined) debug('x', () => `X error ${error.error} for request ${error.majorOpcode}`);
    else this.lose(serverGone(this.name, error));
  }

  private lose(error: DesktopError): void {
    if (this.lost) return;
    this.lost = error;
    this.stream.destroy();
    this.memory.closeAll();
    for (const reject of this.waiting) reject(error);
    this.waiting.clear();
    for (const listener of this.lostListeners) listener(error);
    this.lostListeners.clear();
  }
}

/** A socket that opens too late is closed: nobody else knows of it. */
async function openInTime(name: DisplayName, deadline: Deadline): Promise<Socket> {
  const opening = openStream(name);
  try {
    return await deadline.race(opening, `Connecting to display ${name.text}`);
  } catch (error) {
    opening.then(
      (late) => late.destroy(),
      () => undefined, // Never opened: nothing to close.
    );
    throw error;
  }
}

/**
 * The socket is opened here and not by the package: that one falls back to TCP on this machine when the local socket
 * is not there, and would show the cookie to whoever listens on that port.
 */
function openStream(name: DisplayName): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const stream = name.socket
      ? (connectWithDescriptors(name.socket) ?? createConnection(name.socket))
      : createConnection({ host: name.host, port: 6000 + name.number, noDelay: true });
    const onError = (error: Error): void => {
      stream.destroy();
      reject(nobodyListens(name, error));
    };
    stream.once('error', onError);
    stream.once('connect', () => {
      stream.removeListener('error', onError);
      resolve(stream);
    });
  });
}

/** Address of another machine's display in the bytes that an Xauthority file uses; the loopback counts as local. */
function remoteAddress(name: DisplayName, stream: Socket): Buffer | undefined {
  const text = stream.remoteAddress?.replace(/^::ffff:/, '');
  if (name.socket || !text || text === '::1' || text.startsWith('127.')) return undefined;
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('%')[0]!.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const words = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  const bytes = Buffer.alloc(16);
  words.forEach((word, index) => bytes.writeUInt16BE(parseInt(word, 16), index * 2));
  return bytes;
}

/**
 * For every packet that comes in, the package goes through all open requests to find those without a reply; with
 * hundreds of requests on their way that took more time than everything else together (10 ms of 15 for 20 windows).
 * Only the few that asked to be told are remembered here.
 */
export function sweepQuickly(client: Client): void {
  const open: number[] = [];
  const schedule = client._scheduleVoidSync.bind(client);
  client._scheduleVoidSync = (sequence) => {
    open.push(sequence);
    schedule(sequence);
  };
  client._sweepVoid = (upTo) => {
    while (open.length > 0 && open[0]! <= upTo) {
      const sequence = open.shift()!;
      const entry = client.replies[sequence];
      if (!entry) continue;
      delete client.replies[sequence];
      (entry[1] as Reply<undefined>)(null, undefined);
    }
  };
}
