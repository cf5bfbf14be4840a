import { createConnection, type Socket } from 'node:net';
import { type CallSpec, encodeCall, ERROR, type Incoming, MessageStream, REPLY, SIGNAL } from './message.js';

/** Why a call has no reply. Stays inside the driver; callers outside get a DesktopError. */
export class DBusError extends Error {
  /**
   * The peer's error name, or one of ours: `timeout` (the peer is silent), `late` (the peer answers, but the caller's
   * deadline passed), `closed`, `too-big`, `garbage`.
   */
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
    this.name = 'DBusError';
  }
}

/**
 * The app that answers, shared by all calls to it. Distinguishes a moving queue from an app that hangs, and keeps a
 * hanging app from blocking the calls to others on a shared connection.
 */
export class Peer {
  /** performance.now() of the last answer. */
  lastAnswerAt = 0;
  inFlight = 0;
  waiting: QueuedCall[] = [];

  /** `most`: calls in flight. Further calls wait here. */
  constructor(readonly most = MAX_IN_FLIGHT) {}
}

export interface CallLimits {
  /** The peer counts as hung if it answers nothing at all for this long. */
  silenceMs: number;
  /** The call ends at this time at the latest (performance.now()). */
  endsAt: number;
  peer?: Peer;
  /** When the caller's work began (performance.now()): a peer that answered since then is slow, not silent. */
  startedAt?: number;
}

interface Pending {
  resolve: (body: unknown[]) => void;
  reject: (error: DBusError) => void;
  sentAt: number;
  limits: CallLimits;
}

/**
 * Limit of calls in flight to one app. Further calls wait here, so that a caller that gives up leaves little in the
 * app's queue.
 */
const MAX_IN_FLIGHT = 400;
const SWEEP_MS = 50;

/** Encoded only when it is sent: a walk may have tens of thousands of calls waiting. */
interface QueuedCall {
  spec: CallSpec;
  entry: Pending;
}

/** One connection to a bus, or directly to an app. Calls are pipelined; each has its own deadline. */
export class DBus {
  uniqueName?: string;
  /** Number of calls made, for the cost reported in answers. */
  calls = 0;
  private serial = 0;
  private readonly pending = new Map<number, Pending>();
  /** Peers with queued calls. */
  private readonly congestedPeers = new Set<Peer>();
  private output: Buffer[] = [];
  private sweeper: NodeJS.Timeout | undefined;
  private closedBy: DBusError | undefined;
  private signalListener: ((signal: Incoming) => void) | undefined;
  private closeListener: ((why: DBusError) => void) | undefined;

  private constructor(private readonly socket: Socket) {}

  /** `peerToPeer`: there is no bus at the other end, so no Hello is sent. */
  static async connect(address: string, options: { timeoutMs: number; peerToPeer?: boolean }): Promise<DBus> {
    const path = socketPath(address);
    if (path === undefined) throw new DBusError('unreachable', `no Unix socket in the address ${address}`);
    const socket = createConnection({ path });
    try {
      await authenticate(socket, options.timeoutMs);
    } catch (error) {
      socket.destroy();
      throw error instanceof DBusError ? error : new DBusError('unreachable', (error as Error).message);
    }
    const bus = new DBus(socket);
    bus.listen();
    if (!options.peerToPeer) {
      const [name] = await bus.call(
        {
          destination: 'org.freedesktop.DBus',
          path: '/org/freedesktop/DBus',
          interface: 'org.freedesktop.DBus',
          member: 'Hello',
        },
        options.timeoutMs,
      );
      bus.uniqueName = name as string;
    }
    return bus;
  }

  get closed(): boolean {
    return this.closedBy !== undefined;
  }

  onSignal(listener: (signal: Incoming) => void): void {
    this.signalListener = listener;
  }

  onClose(listener: (why: DBusError) => void): void {
    if (this.closedBy) listener(this.closedBy);
    else this.closeListener = listener;
  }

  addMatch(rule: string, timeoutMs: number): Promise<unknown[]> {
    return this.call(
      {
        destination: 'org.freedesktop.DBus',
        path: '/org/freedesktop/DBus',
        interface: 'org.freedesktop.DBus',
        member: 'AddMatch',
        signature: 's',
        body: [rule],
      },
      timeoutMs,
    );
  }

  /** Returns the values of the reply. Rejects with DBusError; never hangs. */
  call(spec: CallSpec, limits: CallLimits | number): Promise<unknown[]> {
    const now = performance.now();
    const bounds = typeof limits === 'number' ? { silenceMs: limits, endsAt: now + limits } : limits;
    return new Promise((resolve, reject) => {
      if (this.closedBy) return reject(this.closedBy);
      if (now > bounds.endsAt) return reject(expiryErrors()[expiryAtDeadline(bounds)]);
      this.calls++;
      const entry: Pending = { resolve, reject, sentAt: now, limits: bounds };
      const peer = bounds.peer;
      if (peer && peer.inFlight >= peer.most) {
        peer.waiting.push({ spec, entry });
        this.congestedPeers.add(peer);
      } else this.send(spec, entry, now);
      this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS);
    });
  }

  close(): void {
    this.end(new DBusError('closed', 'the connection was closed'));
  }

  private send(spec: CallSpec, entry: Pending, now: number): void {
    const serial = (this.serial + 1) >>> 0 || 1;
    let message: Buffer;
    try {
      message = encodeCall(spec, serial);
    } catch (error) {
      return entry.reject(new DBusError('bad-call', (error as Error).message));
    }
    this.serial = serial;
    entry.sentAt = now;
    this.pending.set(serial, entry);
    if (entry.limits.peer) entry.limits.peer.inFlight++;
    if (this.output.push(message) === 1) process.nextTick(() => this.flush());
  }

  private flush(): void {
    const output = this.output;
    this.output = [];
    if (!this.closedBy) this.socket.write(output.length === 1 ? output[0]! : Buffer.concat(output));
  }

  private listen(): void {
    let now = 0;
    const messages = new MessageStream((incoming, tooBig) => this.dispatch(incoming, tooBig, now));
    this.socket.on('data', (chunk) => {
      // One clock reading for all messages that arrived together.
      now = performance.now();
      try {
        messages.push(chunk);
      } catch (error) {
        this.end(new DBusError('garbage', (error as Error).message));
      }
    });
    this.socket.on('error', (error) => this.end(new DBusError('closed', error.message)));
    this.socket.on('close', () => this.end(new DBusError('closed', 'the other side closed the connection')));
    // An open connection must not keep the process alive.
    this.socket.unref();
  }

  private dispatch(incoming: Incoming, tooBig: boolean, now: number): void {
    if (incoming.type === SIGNAL) {
      if (!tooBig) this.signalListener?.(incoming);
      return;
    }
    if (incoming.type !== REPLY && incoming.type !== ERROR) return;
    const entry = this.pending.get(incoming.replySerial ?? 0);
    if (!entry) return;
    this.pending.delete(incoming.replySerial!);
    if (entry.limits.peer) this.answered(entry.limits.peer, now);
    try {
      if (tooBig) entry.reject(new DBusError('too-big', 'the answer was too large'));
      else if (incoming.type === REPLY) entry.resolve(incoming.body());
      else entry.reject(new DBusError(incoming.errorName ?? 'unknown', errorText(incoming)));
    } catch (error) {
      entry.reject(new DBusError('garbage', (error as Error).message));
    }
  }

  private answered(peer: Peer, now: number): void {
    peer.lastAnswerAt = now;
    peer.inFlight--;
    while (peer.inFlight < peer.most) {
      // Newest first: a walk continues where it is instead of opening every branch, so that far fewer calls are pending
      // at once, and a small read does not wait behind a whole tree.
      const next = peer.waiting.pop();
      if (!next) return void this.congestedPeers.delete(peer);
      this.send(next.spec, next.entry, now);
    }
  }

  private sweep(): void {
    const now = performance.now();
    // Created once for all: there may be tens of thousands of calls to reject.
    const end = expiryErrors();
    for (const [serial, entry] of this.pending) {
      const why = expiryOf(entry, now);
      if (!why) continue;
      this.pending.delete(serial);
      if (entry.limits.peer) entry.limits.peer.inFlight--;
      entry.reject(end[why]);
    }
    for (const peer of this.congestedPeers) {
      // Calls queued behind a silent app, or past their own deadline, are not sent any more.
      const silent = peer.inFlight === 0;
      const kept: QueuedCall[] = [];
      for (const queued of peer.waiting) {
        if (now > queued.entry.limits.endsAt) queued.entry.reject(end[expiryAtDeadline(queued.entry.limits)]);
        else if (silent) queued.entry.reject(end.timeout);
        else kept.push(queued);
      }
      peer.waiting = kept;
      if (kept.length === 0) this.congestedPeers.delete(peer);
    }
    if (this.pending.size === 0 && this.congestedPeers.size === 0) {
      clearInterval(this.sweeper);
      this.sweeper = undefined;
    }
  }

  private end(why: DBusError): void {
    if (this.closedBy) return;
    this.closedBy = why;
    clearInterval(this.sweeper);
    this.socket.destroy();
    for (const entry of this.pending.values()) entry.reject(why);
    for (const peer of this.congestedPeers) for (const { entry } of peer.waiting.splice(0)) entry.reject(why);
    for (const { limits } of this.pending.values()) if (limits.peer) limits.peer.inFlight = 0;
    this.pending.clear();
    this.congestedPeers.clear();
    this.closeListener?.(why);
  }
}

type Expiry = 'timeout' | 'late';

function expiryErrors(): Record<Expiry, DBusError> {
  return {
    timeout: new DBusError('timeout', 'no answer in time'),
    late: new DBusError('late', 'the time was up'),
  };
}

function expiryOf(entry: Pending, now: number): Expiry | undefined {
  const { silenceMs, endsAt, peer } = entry.limits;
  if (now - Math.max(entry.sentAt, peer?.lastAnswerAt ?? 0) > silenceMs) return 'timeout';
  return now > endsAt ? expiryAtDeadline(entry.limits) : undefined;
}

/** At the deadline: the peer is to blame only if it answered nothing at all since the work began. */
function expiryAtDeadline({ peer, startedAt = Infinity }: CallLimits): Expiry {
  return peer && peer.lastAnswerAt > startedAt ? 'late' : 'timeout';
}

function errorText(incoming: Incoming): string {
  const [text] = incoming.body();
  return typeof text === 'string' ? text : '';
}

/** The first transport of a bus address that a Unix socket can reach. */
export function socketPath(address: string): string | undefined {
  for (const alternative of address.split(';')) {
    const [transport, rest = ''] = splitOnce(alternative, ':');
    if (transport !== 'unix') continue;
    const options = new Map(rest.split(',').map((pair) => splitOnce(pair, '=')));
    const path = options.get('path');
    if (path !== undefined) return unescape(path);
    const abstract = options.get('abstract');
    // Node writes abstract sockets with a leading NUL.
    if (abstract !== undefined) return `\0${unescape(abstract)}`;
  }
  return undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Escapes are bytes, and several of them may form one character. */
function unescape(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}

/** The D-Bus handshake, EXTERNAL only: the kernel identifies us to the other side. */
function authenticate(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const timer = setTimeout(() => finish(new Error('no answer to the handshake')), timeoutMs);
    const onError = (error: Error) => finish(error);
    const onClose = () => finish(new Error('refused: the other side closed the connection'));
    const onConnect = () => {
      const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
      socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    };
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (answer.length > 4096) return finish(new Error('handshake answer too long'));
      if (!answer.includes('\r\n')) return;
      if (!answer.startsWith('OK')) return finish(new Error('refused: this user may not connect'));
      socket.write('BEGIN\r\n');
      finish();
    };
    const finish = (error?: Error) => {
      clearTimeout(timer);
      socket.off('error', onError).off('close', onClose).off('connect', onConnect).off('data', onData);
      if (error) reject(error);
      else resolve();
    };
    socket.on('error', onError).on('close', onClose).on('connect', onConnect).on('data', onData);
  });
}
