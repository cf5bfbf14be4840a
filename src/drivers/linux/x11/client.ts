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
import { noServerError, refusedError, serverGoneError } from './display-errors.js';
import type { DisplayName } from './display.js';
import { createSharedMemory } from './shared-memory.js';

/** The server's error reply to a request. */
export class XRequestError extends Error {
  constructor(readonly code: number) {
    super(`X error ${code}`);
  }
}

/**
 * BadValue, BadWindow, BadPixmap, BadMatch, BadDrawable: the errors of a request whose window was destroyed in the
 * meantime.
 */
const WINDOW_GONE_ERRORS: ReadonlySet<number> = new Set([2, 3, 4, 8, 9]);

/**
 * One connection to an X server. `request` sends and waits for the reply; requests made in one tick are sent in one
 * write. When the server goes away, every pending request fails with the same error, and the `onLost` listeners are
 * called once.
 */
export class X11Client {
  readonly screen: Screen;
  private lost?: DesktopError;
  private readonly pending = new Set<(error: Error) => void>();
  private readonly lostListeners = new Set<(error: DesktopError) => void>();
  private readonly extensions = new Map<keyof Extensions, Promise<unknown>>();

  private constructor(
    readonly name: DisplayName,
    readonly raw: Client,
    readonly setup: Setup,
    /**
     * The cookie that this connection used. Our child processes that connect to the same server get it through a pipe.
     */
    readonly cookie: Buffer | undefined,
    private readonly stream: Socket,
    /** The memory that the server writes pixels to. */
    readonly memory: Pick<ReturnType<typeof createSharedMemory>, 'read' | 'closeAll'>,
  ) {
    const screen = setup.screen[name.screen];
    if (!screen) throw new DesktopError('driver_unavailable', `Display ${name.text} has no screen ${name.screen}.`);
    this.screen = screen;
    replaceVoidSweep(raw);
  }

  static async connect(name: DisplayName, auth: AuthFile, deadline: Deadline): Promise<X11Client> {
    const stream = await openStreamInTime(name, deadline);
    const address = remoteAddress(name, stream);
    const cookie = cookieFor(auth.entries, { number: name.number, hostname: hostname(), address });
    const memory = createSharedMemory();
    let raw: Client | undefined;
    let onError: (error: XServerError) => void = () => undefined;
    let onClose = (): void => undefined;
    const setup = new Promise<Setup>((resolve, reject) => {
      onError = (error) => reject(refusedError(name, auth, cookie !== undefined, error));
      onClose = () => reject(serverGoneError(name));
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
        (error, value) => (error ? reject(refusedError(name, auth, cookie !== undefined, error)) : resolve(value)),
      );
      raw.on('error', (error: XServerError) => onError(error));
    });
    try {
      const value = await deadline.race(setup, `The X server at ${name.text}`);
      const client = new X11Client(name, raw!, value, cookie, stream, memory);
      onError = (error) => client.handleError(error);
      onClose = () => client.handleLost(serverGoneError(name));
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

  /** How many requests and writes were sent so far. A batch is one write. */
  get traffic(): { requests: number; writes: number } {
    const { packets, writes } = this.raw.pack_stream.stats;
    return { requests: packets, writes };
  }

  request<T>(send: (x: Client, reply: Reply<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.lost) return reject(this.lost);
      this.pending.add(reject);
      send(this.raw, (error, value) => {
        this.pending.delete(reject);
        if (error) reject(error.error === undefined ? error : new XRequestError(error.error));
        else resolve(value);
        return true;
      });
    });
  }

  /** Like `request`; undefined if the window of the request no longer exists. */
  async requestIfExists<T>(send: (x: Client, reply: Reply<T>) => void): Promise<T | undefined> {
    try {
      return await this.request(send);
    } catch (error) {
      if (error instanceof XRequestError && WINDOW_GONE_ERRORS.has(error.code)) return undefined;
      throw error;
    }
  }

  /**
   * A request that the package does not support. `unpack` gets the reply without its first 8 bytes, and the second of
   * those.
   */
  requestRaw<T>(request: Buffer, unpack: (body: Buffer, detail: number) => T): Promise<T> {
    return this.request<T>((x, reply) => {
      x.seq_num += 1;
      x.replies[x.seq_num] = [unpack, reply];
      x.pack_stream.put(request);
      x.pack_stream.submit(true);
    });
  }

  /** Sends a request that has no reply. If it fails later (its window was destroyed), the error is only logged. */
  send(send: (x: Client) => void): void {
    if (!this.lost) send(this.raw);
  }

  /** Like `send`, for an encoded request that the package does not support. */
  sendRaw(request: Buffer): void {
    this.send((x) => {
      x.seq_num += 1;
      x.pack_stream.put(request);
      x.pack_stream.submit(false);
    });
  }

  /** Resolves when the server has processed everything sent so far. */
  async sync(): Promise<void> {
    await this.request<unknown>((x, reply) => x.GetInputFocus(reply));
  }

  /** The extension, or undefined if the server does not have it. */
  async extension<K extends keyof Extensions>(name: K): Promise<Extensions[K] | undefined> {
    const loaded = this.extensions.get(name) as Promise<Extensions[K] | undefined> | undefined;
    if (loaded) return loaded;
    const loading = this.request<Extensions[K]>((x, reply) => x.require(name, reply)).catch((error: unknown) => {
      if (error instanceof DesktopError) throw error;
      return undefined;
    });
    this.extensions.set(name, loading);
    return loading;
  }

  async hasExtension(name: string): Promise<boolean> {
    return (await this.request<{ present: number }>((x, reply) => x.QueryExtension(name, reply))).present !== 0;
  }

  onLost(listener: (error: DesktopError) => void): void {
    if (this.lost) listener(this.lost);
    else this.lostListeners.add(listener);
  }

  close(): void {
    this.lostListeners.clear();
    this.handleLost(new DesktopError('cancelled', `The connection to display ${this.name.text} was closed.`));
  }

  private handleError(error: XServerError): void {
    if (error.error !== undefined) debug('x', () => `X error ${error.error} for request ${error.majorOpcode}`);
    else this.handleLost(serverGoneError(this.name, error));
  }

  private handleLost(error: DesktopError): void {
    if (this.lost) return;
    this.lost = error;
    this.stream.destroy();
    this.memory.closeAll();
    for (const reject of this.pending) reject(error);
    this.pending.clear();
    for (const listener of this.lostListeners) listener(error);
    this.lostListeners.clear();
  }
}

/** Closes a socket that opens too late, since its caller no longer waits for it. */
async function openStreamInTime(name: DisplayName, deadline: Deadline): Promise<Socket> {
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
 * Opens the socket here rather than in the package. The package falls back to TCP on this machine if the local socket
 * is missing, and would send the cookie to any process that listens on that port.
 */
function openStream(name: DisplayName): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const stream = name.socket
      ? (connectWithDescriptors(name.socket) ?? createConnection(name.socket))
      : createConnection({ host: name.host, port: 6000 + name.number, noDelay: true });
    const onError = (error: Error): void => {
      stream.destroy();
      reject(noServerError(name, error));
    };
    stream.once('error', onError);
    stream.once('connect', () => {
      stream.removeListener('error', onError);
      resolve(stream);
    });
  });
}

/** The address of a remote display in the bytes that an Xauthority file uses. Loopback counts as local. */
function remoteAddress(name: DisplayName, stream: Socket): Buffer | undefined {
  const text = stream.remoteAddress?.replace(/^::ffff:/, '');
  if (name.socket || !text || text === '::1' || text.startsWith('127.')) return undefined;
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('%')[0]!.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const readTitleProperty = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  const bytes = Buffer.alloc(16);
  readTitleProperty.forEach((word, index) => bytes.writeUInt16BE(parseInt(word, 16), index * 2));
  return bytes;
}

/**
 * For every incoming packet, the package searches all pending requests for those without a reply. With hundreds of
 * pending requests, that took more time than everything else together (10 ms of 15 for 20 windows). This replacement
 * keeps a list of the few requests that want to be notified.
 */
function replaceVoidSweep(client: Client): void {
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
