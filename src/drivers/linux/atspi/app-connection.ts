import { setTimeout as pause } from 'node:timers/promises';
import { debug, DesktopError, type Deadline } from '../../../shared/index.js';
import { DBus, DBusError, Peer, type CallLimits } from '../dbus/connection.js';
import type { Variant } from '../dbus/reader.js';
import { FreshDialogs } from './dialogs.js';
import { type Address, PROPERTIES } from './accessible.js';
import { processState } from '../processes.js';
import { AppCache } from '../cache/app-cache.js';
import type { Toolkit } from './toolkit.js';

/** If an app sends no reply at all for this long while calls are pending, it hangs. Below the 2 s that we promise. */
export const SILENCE_MS = 1500;

/** One running app on the accessibility bus and the connection to it. */
export class AppConnection {
  /** Cached replies of the app to reads of windows and elements. */
  readonly cache: AppCache;
  readonly freshDialogs: FreshDialogs;
  private readonly peer: Peer;
  /** Where the toolkit makes a new object for an item at every request: the first one, by parent. */
  readonly firstItems = new Map<string, readonly Address[]>();
  private readonly limits: CallLimits;

  constructor(
    readonly busName: string,
    readonly pid: number,
    readonly name: string,
    readonly toolkit: Toolkit,
    private readonly bus: DBus,
    /** A peer-to-peer connection to the app. Absent where the toolkit does not offer one. */
    private readonly direct: DBus | undefined,
    deadline: Deadline,
  ) {
    this.peer = new Peer(toolkit.callsInFlight);
    this.freshDialogs = new FreshDialogs(toolkit);
    this.limits = { silenceMs: SILENCE_MS, endsAt: deadline.endsAt, peer: this.peer };
    this.cache = new AppCache({
      busName,
      isObjectError,
      lagMs: toolkit.lagMs,
      transientCells: toolkit.name === 'libreoffice',
    });
  }

  /**
   * Calls to the same app under another deadline. `use`: cached replies are returned without a call. `refresh`: every
   * call is sent and its reply is cached. Without a mode nothing is cached.
   */
  until(deadline: Deadline, cacheMode?: 'use' | 'refresh'): AppCalls {
    const connection = this.direct && !this.direct.closed ? this.direct : this.bus;
    const limits = { ...this.limits, endsAt: deadline.endsAt, startedAt: performance.now() };
    return new AppCalls(this, connection, limits, cacheMode);
  }

  close(): void {
    this.direct?.close();
  }

  /**
   * Converts a failed call to this app into an error for the caller. The message leaves out the app's name, because an
   * app could choose a sentence as its name.
   */
  async toDesktopError(error: unknown): Promise<DesktopError> {
    if (error instanceof DesktopError) return error;
    const kind = error instanceof DBusError ? error.kind : 'unknown';
    debug('atspi', () => `${this.busName} (pid ${this.pid}): ${kind} ${(error as Error).message}`);
    // A socket closes shortly before its process exits. A closed bus connection says nothing about the app.
    const lost = kind === CLOSED && (this.bus.closed || !(await endsWithin(this.pid)));
    if ((isGone(kind) && !lost) || processState(this.pid) === undefined) {
      return new DesktopError('process_gone', 'The app has ended.', {
        hint: 'Start it again, then run ui_snapshot.',
        retry: 'no',
        details: { pid: this.pid },
      });
    }
    if (lost) {
      const message = this.bus.closed
        ? 'The accessibility bus is gone.'
        : 'The connection to the app was lost; the app is still running.';
      return new DesktopError('driver_unavailable', message, {
        hint: 'Run ui_snapshot again; it opens a new connection.',
        details: { pid: this.pid },
      });
    }
    if (kind === 'timeout') {
      const stopped = processState(this.pid) === 'T' ? ' (it is stopped)' : '';
      return new DesktopError('app_hung', `The app did not answer for ${SILENCE_MS} ms${stopped}.`, {
        hint: 'Wait, then run ui_snapshot again. Other windows can still be read.',
        retry: 'after',
        retryAfter: 'it answers again',
        details: { pid: this.pid },
      });
    }
    if (kind === 'late') {
      return new DesktopError('timeout', 'The app answers too slowly to be read within the time limit.', {
        hint: 'Increase the timeout, or read only a part of the window.',
        details: { pid: this.pid },
      });
    }
    return new DesktopError('command_failed', 'The app could not be read.', {
      hint: 'Run ui_snapshot again.',
      details: { dbus: kind, pid: this.pid },
      cause: error,
    });
  }
}

/** Calls to one app that share a deadline. */
export class AppCalls {
  /** Number of calls sent. */
  count = 0;
  /** Number of replies that had an unexpected type. */
  invalidReplies = 0;
  /** Pending or finished prefetches by object path and call. */
  private prefetched?: Map<string, Promise<unknown[]>>;

  constructor(
    readonly app: AppConnection,
    private readonly connection: DBus,
    private readonly limits: CallLimits,
    private readonly cacheMode?: 'use' | 'refresh',
  ) {}

  call(path: string, iface: string, member: string, signature?: string, body?: readonly unknown[]): Promise<unknown[]> {
    if (!this.cacheMode) return this.send(path, iface, member, signature, body);
    const key = body ? `${iface} ${member} ${body.join(' ')}` : `${iface} ${member}`;
    const known = this.prefetched?.get(path + key);
    if (known) return known;
    const word = member === 'Get' ? String(body?.[1]) : member;
    const send = (): Promise<unknown[]> => this.send(path, iface, member, signature, body);
    return this.app.cache.ask({ path, key, member: word }, send, this.cacheMode === 'refresh');
  }

  /**
   * Sends the calls that an object was asked in earlier reads, without using cached replies. Later calls of this read
   * share the pending replies. `members`: methods without arguments, GetExtents, and properties.
   */
  prefetch(path: string, members: ReadonlySet<string>): void {
    if (this.cacheMode !== 'refresh') return;
    this.prefetched ??= new Map();
    for (const key of this.app.cache.cachedKeys(path)) {
      const [iface = '', member = '', ...args] = key.split(' ');
      const word = (member === 'Get' ? args[1] : member) ?? '';
      if (!members.has(word)) continue;
      const [signature, body] = word === 'GetExtents' ? ['u', args.map(Number)] : ['ss', args];
      const send = (): Promise<unknown[]> =>
        args.length > 0 ? this.send(path, iface, member, signature, body) : this.send(path, iface, member);
      const answer = this.app.cache.ask({ path, key, member: word }, send, true);
      answer.catch(() => undefined); // Avoids an unhandled rejection; the caller that awaits the reply gets the error.
      this.prefetched.set(path + key, answer);
    }
  }

  private send(
    path: string,
    iface: string,
    member: string,
    signature?: string,
    body?: readonly unknown[],
  ): Promise<unknown[]> {
    this.count++;
    return this.connection.call(
      {
        destination: this.connection.uniqueName ? this.app.busName : undefined,
        path,
        interface: iface,
        member,
        signature,
        body,
      },
      this.limits,
    );
  }

  // `get` and `maybe` run for each of tens of thousands of replies. Chained promises create half the garbage of
  // `await`.
  get(path: string, iface: string, property: string): Promise<unknown> {
    return this.call(path, PROPERTIES, 'Get', 'ss', [iface, property]).then(variantValue);
  }

  /** The reply, or undefined when this object cannot answer. A hung or dead app is still an error. */
  maybe<T>(answer: Promise<T>): Promise<T | undefined> {
    return answer.catch(undefinedUnlessFatal);
  }

  /** The value if it has the expected type. Apps may answer with anything. */
  understood<T>(value: unknown, isExpected: (value: unknown) => value is T): T | undefined {
    if (value === undefined || isExpected(value)) return value;
    this.invalidReplies++;
    return undefined;
  }
}

function variantValue([variant]: unknown[]): unknown {
  return (variant as Variant | undefined)?.value;
}

/** An error of one object, not of the whole app. */
function isObjectError(error: unknown): boolean {
  return error instanceof DBusError && !isFatal(error.kind);
}

function undefinedUnlessFatal(error: unknown): undefined {
  if (isObjectError(error)) return undefined;
  throw error;
}

/** Our own connection was closed, by either side. */
const CLOSED = 'closed';

const GONE = new Set([
  CLOSED,
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
  'org.freedesktop.DBus.Error.NoReply',
  'org.freedesktop.DBus.Error.Disconnected',
]);

function isGone(kind: string): boolean {
  return GONE.has(kind);
}

/** The caller's deadline passed while the app was still answering. */
export function isLate(error: unknown): boolean {
  return error instanceof DBusError && error.kind === 'late';
}

/** Errors that concern the whole app, not one object. */
function isFatal(kind: string): boolean {
  return kind === 'timeout' || kind === 'late' || kind === 'garbage' || isGone(kind);
}

/** Whether the process has ended or ends within the given time. */
export async function endsWithin(pid: number, patienceMs = 300): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (processState(pid) !== undefined) {
    if (performance.now() > end) return false;
    await pause(10);
  }
  return true;
}
