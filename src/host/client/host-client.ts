import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { VERSION } from '../../config.js';
import { checkPrivateDirectory, isThere } from '../../platform/index.js';
import { DesktopError, LineSplitter } from '../../shared/index.js';
import { type FromHost, type HostHello, MAX_ANSWER_BYTES, MAX_REQUEST_BYTES, PROTOCOL } from '../server/protocol.js';

export interface RequestOptions {
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
  onItem?: (item: unknown) => void;
  /** The request may run for ever. After its first item it no longer keeps this process alive. */
  background?: boolean;
}

/** The other end of the connection, for error messages. */
interface Peer {
  /** `desktop "work"` */
  what: string;
  /** The command that ends it if it does not answer. */
  cure: string;
}

interface PendingRequest extends RequestOptions {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  hasItem?: boolean;
}

const HELLO_WITHIN_MS = 5_000;

/** A connection to the host of one desktop. */
export class HostClient {
  private readonly pending = new Map<number, PendingRequest>();
  private nextId = 1;
  private keepsProcessAlive = true;
  private endReason: DesktopError | undefined;
  private endedSilently = true;
  private greeted: ((hello: HostHello) => void) | undefined;
  private refused: ((error: Error) => void) | undefined;
  hello!: HostHello;

  private constructor(
    private readonly socket: Socket,
    private readonly peer: Peer,
  ) {
    const lines = new LineSplitter(MAX_ANSWER_BYTES);
    socket.on('data', (chunk) => {
      try {
        for (const line of lines.push(chunk)) this.receive(JSON.parse(line) as FromHost);
      } catch (error) {
        this.end(this.connectionLost(error));
        socket.destroy();
      }
    });
    socket.on('error', (error) => this.end(this.connectionLost(error)));
    socket.on('close', () => this.end(this.connectionLost()));
  }

  /** Undefined: no host listens there. */
  static async connect(
    socketPath: string,
    peer: Peer,
    client: string,
    withinMs = HELLO_WITHIN_MS,
  ): Promise<HostClient | undefined> {
    checkPrivateDirectory(dirname(dirname(socketPath)));
    if (!isThere(dirname(socketPath))) return undefined;
    checkPrivateDirectory(dirname(socketPath));
    const socket = createConnection(socketPath);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
      });
    } catch (error) {
      if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw new DesktopError('driver_unavailable', `The ${peer.what} cannot be reached.`, { cause: error });
    }
    const host = new HostClient(socket, peer);
    try {
      host.hello = await host.greet(client, withinMs);
      return host;
    } catch (error) {
      socket.destroy();
      // It was just ending. For the client this is the same as no host.
      if (error instanceof DesktopError && error.code === 'driver_unavailable' && !error.details?.otherVersion) return;
      throw error;
    }
  }

  async request<T>(what: string, params: unknown = {}, options: RequestOptions = {}): Promise<T> {
    if (this.endReason) throw this.endReason;
    if (options.signal?.aborted) throw new DesktopError('cancelled', 'The call was cancelled.');
    const id = this.nextId++;
    const line = JSON.stringify({ id, do: what, with: params });
    // The host would close the connection, and with it every other call on it.
    if (Buffer.byteLength(line) > MAX_REQUEST_BYTES) throw tooLong(Buffer.byteLength(line));
    const cancel = () => this.send({ cancel: id });
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        this.pending.set(id, { ...options, resolve: resolve as (value: unknown) => void, reject });
        this.updateRef();
        this.write(line);
      });
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      this.pending.delete(id);
      this.updateRef();
    }
  }

  /** False: only a pending request keeps this process alive. */
  keepAlive(always: boolean): void {
    this.keepsProcessAlive = always;
    this.updateRef();
  }

  /** The host did not announce its end: it was killed, or it closed the connection. */
  get vanished(): boolean {
    return this.endReason !== undefined && this.endedSilently;
  }

  /** The host ended or the connection was closed. To continue, connect again. */
  get isGone(): boolean {
    return this.endReason !== undefined;
  }

  close(): void {
    this.endedSilently = false;
    this.end(new DesktopError('cancelled', 'The connection was closed.'));
    this.socket.destroy();
  }

  private deliverItem(item: unknown, call: PendingRequest | undefined): void {
    if (call?.background && !call.hasItem) {
      call.hasItem = true;
      this.updateRef();
    }
    call?.onItem?.(item);
  }

  private updateRef(): void {
    // On a closed socket, ref() would keep the process waiting for a connection.
    if (this.socket.destroyed) return;
    const isAwaited = [...this.pending.values()].some(({ background, hasItem }) => !(background && hasItem));
    if (this.keepsProcessAlive || isAwaited) this.socket.ref();
    else this.socket.unref();
  }

  private greet(client: string, withinMs: number): Promise<HostHello> {
    return new Promise<HostHello>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(
          new DesktopError('timeout', `The ${this.peer.what} does not answer.`, { hint: `End it: ${this.peer.cure}` }),
        );
      }, withinMs);
      const settle = <A>(then: (value: A) => void) => {
        return (value: A) => {
          clearTimeout(late);
          then(value);
        };
      };
      this.greeted = settle(resolve);
      this.refused = settle(reject);
      this.send({ hello: { protocol: PROTOCOL, version: VERSION, client, directory: startDirectory() } });
    });
  }

  private send(message: unknown): void {
    this.write(JSON.stringify(message));
  }

  private write(line: string): void {
    if (!this.socket.destroyed) this.socket.write(`${line}\n`);
  }

  private receive(message: FromHost): void {
    if ('hello' in message) {
      if (message.hello.protocol === PROTOCOL) return this.greeted?.(message.hello);
      return this.refused?.(otherVersion(this.peer.what, message.hello));
    }
    if ('bye' in message) {
      const reason = DesktopError.fromJSON(message.bye);
      this.endedSilently = reason.code !== 'driver_unavailable';
      return this.end(reason, interruptedCall(reason));
    }
    const call = this.pending.get(message.id);
    if ('progress' in message) call?.onProgress?.(message.progress);
    else if ('item' in message) this.deliverItem(message.item, call);
    else if ('error' in message) call?.reject(DesktopError.fromJSON(message.error));
    else call?.resolve(message.ok);
  }

  private connectionLost(cause?: unknown): DesktopError {
    return new DesktopError('driver_unavailable', `The ${this.peer.what} ended during the call.`, {
      hint: 'See what still runs: deskproof desktop list',
      delivered: 'unknown',
      cause,
    });
  }

  /** `underWay`: the error for calls that are cut off. */
  private end(reason: DesktopError, underWay = reason): void {
    this.endReason ??= reason;
    this.refused?.(this.endReason);
    for (const call of this.pending.values()) call.reject(underWay);
    this.pending.clear();
  }
}

/**
 * A call without an answer may have been performed in part, whatever ended the connection. The call itself was not at
 * fault.
 */
function interruptedCall({ message, hint, details }: DesktopError): DesktopError {
  return new DesktopError('driver_unavailable', message, {
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
    delivered: 'unknown',
  });
}

function tooLong(bytes: number): DesktopError {
  const megabytes = (size: number): string => (size / 1024 / 1024).toFixed(1);
  const [has, most] = [megabytes(bytes), Math.floor(MAX_REQUEST_BYTES / 1024 / 1024)];
  return new DesktopError('bad_arguments', `The call is too long: it has ${has} MB, and the limit is ${most} MB.`, {
    hint: 'Send it in parts.',
  });
}

/** The working directory of this process. A directory that was removed has no project. */
function startDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function otherVersion(what: string, hello: HostHello): DesktopError {
  return new DesktopError(
    'driver_unavailable',
    `The ${what} was started by Deskproof ${hello.version}, which uses another protocol than this version (${VERSION}).`,
    {
      hint:
        hello.desktop === 'user'
          ? `End it; the next command starts a new one: kill ${hello.pid}`
          : `Stop it and start it again: deskproof desktop stop ${hello.desktop}`,
      details: { otherVersion: hello.version },
    },
  );
}

/**
 * The policy of the project that this process was started in applies to its calls, on every desktop. If that policy is
 * faulty, this fails now and not at the first call.
 */
export async function checkProject(host: Pick<HostClient, 'request' | 'close'>): Promise<void> {
  try {
    await host.request('project');
  } catch (error) {
    host.close();
    throw error;
  }
}
