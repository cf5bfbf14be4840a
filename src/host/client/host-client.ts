import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { VERSION } from '../../config.js';
import { checkPrivateDirectory, isThere } from '../../platform/index.js';
import { DesktopError, LineSplitter } from '../../shared/index.js';
import { type FromHost, type HostHello, LONGEST_ANSWER, LONGEST_REQUEST, PROTOCOL } from '../server/protocol.js';

export interface RequestOptions {
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
  onItem?: (item: unknown) => void;
  /** It may take for ever: after its first item it is no reason for this process to go on. */
  background?: boolean;
}

/** Whom one talks to, for errors. */
export interface Peer {
  /** `desktop "work"` */
  what: string;
  /** The line that ends it when it does not answer. */
  cure: string;
}

interface Waiting extends RequestOptions {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  begun?: boolean;
}

const HELLO_WITHIN_MS = 5_000;

/** A connection to the host of one desktop. */
export class HostClient {
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private isAnchor = true;
  private gone: DesktopError | undefined;
  private silently = true;
  private greeted: ((hello: HostHello) => void) | undefined;
  private refused: ((error: Error) => void) | undefined;
  hello!: HostHello;

  private constructor(
    private readonly socket: Socket,
    private readonly peer: Peer,
  ) {
    const lines = new LineSplitter(LONGEST_ANSWER);
    socket.on('data', (chunk) => {
      try {
        for (const line of lines.push(chunk)) this.take(JSON.parse(line) as FromHost);
      } catch (error) {
        this.end(this.lost(error));
        socket.destroy();
      }
    });
    socket.on('error', (error) => this.end(this.lost(error)));
    socket.on('close', () => this.end(this.lost()));
  }

  /** Undefined: nobody listens there. */
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
      // It was just ending: for whoever connects that is the same as nobody there.
      if (error instanceof DesktopError && error.code === 'driver_unavailable' && !error.details?.otherVersion) return;
      throw error;
    }
  }

  async request<T>(what: string, params: unknown = {}, options: RequestOptions = {}): Promise<T> {
    if (this.gone) throw this.gone;
    if (options.signal?.aborted) throw new DesktopError('cancelled', 'The call was cancelled.');
    const id = this.nextId++;
    const line = JSON.stringify({ id, do: what, with: params });
    // The host would hang up on it, and with us on every other call of this connection.
    if (Buffer.byteLength(line) > LONGEST_REQUEST) throw tooLong(Buffer.byteLength(line));
    const cancel = () => this.send({ cancel: id });
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<T>((resolve, reject) => {
        this.waiting.set(id, { ...options, resolve: resolve as (value: unknown) => void, reject });
        this.anchor();
        this.write(line);
      });
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      this.waiting.delete(id);
      this.anchor();
    }
  }

  /** False: only a request that somebody waits for keeps this process from ending. */
  keepAlive(always: boolean): void {
    this.isAnchor = always;
    this.anchor();
  }

  /** It did not say that it ends: it was killed, or hung up on us. */
  get vanished(): boolean {
    return this.gone !== undefined && this.silently;
  }

  /** It ended, or was closed: who wants to go on connects again. */
  get isGone(): boolean {
    return this.gone !== undefined;
  }

  close(): void {
    this.silently = false;
    this.end(new DesktopError('cancelled', 'The connection was closed.'));
    this.socket.destroy();
  }

  private pass(item: unknown, call: Waiting | undefined): void {
    if (call?.background && !call.begun) {
      call.begun = true;
      this.anchor();
    }
    call?.onItem?.(item);
  }

  private anchor(): void {
    // Of what is closed it would wait for a connection.
    if (this.socket.destroyed) return;
    const isAwaited = [...this.waiting.values()].some(({ background, begun }) => !(background && begun));
    if (this.isAnchor || isAwaited) this.socket.ref();
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

  private take(message: FromHost): void {
    if ('hello' in message) {
      if (message.hello.protocol === PROTOCOL) return this.greeted?.(message.hello);
      return this.refused?.(otherVersion(this.peer.what, message.hello));
    }
    if ('bye' in message) {
      const reason = DesktopError.fromJSON(message.bye);
      this.silently = reason.code !== 'driver_unavailable';
      return this.end(reason, cutOff(reason));
    }
    const call = this.waiting.get(message.id);
    if ('progress' in message) call?.onProgress?.(message.progress);
    else if ('item' in message) this.pass(message.item, call);
    else if ('error' in message) call?.reject(DesktopError.fromJSON(message.error));
    else call?.resolve(message.ok);
  }

  private lost(cause?: unknown): DesktopError {
    return new DesktopError('driver_unavailable', `The ${this.peer.what} ended during the call.`, {
      hint: 'See what still runs: deskproof desktop list',
      delivered: 'unknown',
      cause,
    });
  }

  /** `underWay`: what those are told whose calls it cuts off. */
  private end(reason: DesktopError, underWay = reason): void {
    this.gone ??= reason;
    this.refused?.(this.gone);
    for (const call of this.waiting.values()) call.reject(underWay);
    this.waiting.clear();
  }
}

/** A call that was not answered may have been done in part, whatever ended the connection; that was not its own fault. */
function cutOff({ message, hint, details }: DesktopError): DesktopError {
  return new DesktopError('driver_unavailable', message, {
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
    delivered: 'unknown',
  });
}

function tooLong(bytes: number): DesktopError {
  const megabytes = (size: number): string => (size / 1024 / 1024).toFixed(1);
  const [has, most] = [megabytes(bytes), Math.floor(LONGEST_REQUEST / 1024 / 1024)];
  return new DesktopError('bad_arguments', `The call is too long: ${has} MB as it is sent, and ${most} MB are taken.`, {
    hint: 'Send it in parts.',
  });
}

/** Where this process works. A directory that is gone has no project. */
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
    `The ${what} was started by Deskproof ${hello.version}, which speaks another protocol than this one (${VERSION}).`,
    {
      hint:
        hello.desktop === 'user'
          ? `End it, and the next command starts its own: kill ${hello.pid}`
          : `Stop it and start it again: deskproof desktop stop ${hello.desktop}`,
      details: { otherVersion: hello.version },
    },
  );
}

/**
 * The policy of the project that this process was started in counts for what it does, on whichever desktop. One that
 * cannot be used ends it here, and not at its first call.
 */
export async function checkProject(host: Pick<HostClient, 'request' | 'close'>): Promise<void> {
  try {
    await host.request('project');
  } catch (error) {
    host.close();
    throw error;
  }
}
