import { readFileSync } from 'node:fs';
import { debug, DesktopError, type Deadline } from '../../../shared/index.js';
import { DBus, DBusError, Peer, type CallLimits, type Variant } from '../dbus/index.js';
import { FreshDialogs } from './dialogs.js';
import { PROPERTIES } from './accessible.js';
import { AppCache } from '../cache/app-cache.js';
import type { Toolkit } from './toolkit.js';

/** No answer at all from an app for this long while calls are under way: it hangs. Below the 2 s that we promise. */
export const SILENCE_MS = 1500;

/** One running app on the accessibility bus, and the way to it. */
export class AppLink {
  /** What it has answered to reads of windows and elements. */
  readonly memory: AppCache;
  readonly freshDialogs: FreshDialogs;
  private readonly peer = new Peer();
  private readonly limits: CallLimits;

  constructor(
    readonly busName: string,
    readonly pid: number,
    readonly name: string,
    readonly toolkit: Toolkit,
    private readonly bus: DBus,
    /** Straight to the app; absent where the toolkit has none. */
    private readonly direct: DBus | undefined,
    deadline: Deadline,
  ) {
    this.freshDialogs = new FreshDialogs(toolkit);
    this.limits = { silenceMs: SILENCE_MS, endsAt: deadline.endsAt, peer: this.peer };
    this.memory = new AppCache({
      busName,
      isObjectError,
      lagMs: toolkit.lagMs,
      transientCells: toolkit.name === 'libreoffice',
    });
  }

  /**
   * The same app under another deadline. `use`: what it answered before is enough. `refresh`: it is asked, and its
   * answers are remembered. Otherwise nothing is remembered.
   */
  until(deadline: Deadline, cacheMode?: 'use' | 'refresh'): AppCalls {
    const connection = this.direct && !this.direct.closed ? this.direct : this.bus;
    const limits = { ...this.limits, endsAt: deadline.endsAt, startedAt: performance.now() };
    return new AppCalls(this, connection, limits, cacheMode);
  }

  close(): void {
    this.direct?.close();
  }

  /** What a failed call to this app means for the caller. Its name stays out of the sentence: it could be one itself. */
  async explain(error: unknown): Promise<DesktopError> {
    if (error instanceof DesktopError) return error;
    const kind = error instanceof DBusError ? error.kind : 'unknown';
    debug('atspi', () => `${this.busName} (pid ${this.pid}): ${kind} ${(error as Error).message}`);
    // A socket closes a moment before its process is gone; that of the bus says nothing about the app.
    const lost = kind === CLOSED && (this.bus.closed || !(await endsWithin(this.pid)));
    if ((isGone(kind) && !lost) || processState(this.pid) === undefined) {
      return new DesktopError('process_gone', 'The app has ended.', {
        hint: 'Start it again, then look again.',
        retry: 'no',
        details: { pid: this.pid },
      });
    }
    if (lost) {
      const message = this.bus.closed
        ? 'The accessibility bus is gone.'
        : 'The connection to the app was lost; it runs on.';
      return new DesktopError('driver_unavailable', message, {
        hint: 'Look again: a new connection is opened then.',
        details: { pid: this.pid },
      });
    }
    if (kind === 'timeout') {
      const stopped = processState(this.pid) === 'T' ? ' (it is stopped)' : '';
      return new DesktopError('app_hung', `The app did not answer for ${SILENCE_MS} ms${stopped}.`, {
        hint: 'Wait and look again; other windows can still be read.',
        retry: 'after',
        retryAfter: 'it answers again',
        details: { pid: this.pid },
      });
    }
    if (kind === 'late') {
      return new DesktopError('timeout', 'The app answers too slowly to be read in this time.', {
        hint: 'Give it more time, or look at a part of it.',
        details: { pid: this.pid },
      });
    }
    return new DesktopError('command_failed', 'The app could not be read.', {
      hint: 'Look again.',
      details: { dbus: kind, pid: this.pid },
      cause: error,
    });
  }
}

/** Calls to one app that share one deadline. */
export class AppCalls {
  /** How many calls this took. */
  count = 0;
  /** Answers of another kind than what belongs there. */
  invalidReplies = 0;
  /** What was asked ahead, by object and question. */
  private prefetched?: Map<string, Promise<unknown[]>>;

  constructor(
    readonly app: AppLink,
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
    return this.app.memory.ask({ path, key, member: word }, send, this.cacheMode === 'refresh');
  }

  /**
   * Asks at once, past memory, what an object was asked before and will be asked again: whoever does so here is given
   * the answer that is on its way. `words`: members without arguments, GetExtents, and properties.
   */
  prefetch(path: string, members: ReadonlySet<string>): void {
    if (this.cacheMode !== 'refresh') return;
    this.prefetched ??= new Map();
    for (const key of this.app.memory.cachedKeys(path)) {
      const [iface = '', member = '', ...args] = key.split(' ');
      const word = (member === 'Get' ? args[1] : member) ?? '';
      if (!members.has(word)) continue;
      const [signature, body] = word === 'GetExtents' ? ['u', args.map(Number)] : ['ss', args];
      const send = (): Promise<unknown[]> =>
        args.length > 0 ? this.send(path, iface, member, signature, body) : this.send(path, iface, member);
      const answer = this.app.memory.ask({ path, key, member: word }, send, true);
      answer.catch(() => undefined); // Told to whoever asks; nobody may.
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

  // These two run for each of tens of thousands of answers: chained instead of awaited, they make half the garbage.
  get(path: string, iface: string, property: string): Promise<unknown> {
    return this.call(path, PROPERTIES, 'Get', 'ss', [iface, property]).then(variantValue);
  }

  /** The answer, or undefined where this object cannot say; an app that hangs or died is still an error. */
  maybe<T>(answer: Promise<T>): Promise<T | undefined> {
    return answer.catch(undefinedUnlessFatal);
  }

  /** The value, if it is of the kind that belongs there. Apps answer what they like. */
  understood<T>(value: unknown, isExpected: (value: unknown) => value is T): T | undefined {
    if (value === undefined || isExpected(value)) return value;
    this.invalidReplies++;
    return undefined;
  }
}

function variantValue([variant]: unknown[]): unknown {
  return (variant as Variant | undefined)?.value;
}

/** One object's word, not that of the whole app. */
function isObjectError(error: unknown): boolean {
  return error instanceof DBusError && !isFatal(error.kind);
}

function undefinedUnlessFatal(error: unknown): undefined {
  if (isObjectError(error)) return undefined;
  throw error;
}

/** Our own connection has ended, whoever ended it. */
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

/** The caller's time is up while the app still answers. */
export function isLate(error: unknown): boolean {
  return error instanceof DBusError && error.kind === 'late';
}

/** Errors of the whole app, not of one object. */
export function isFatal(kind: string): boolean {
  return kind === 'timeout' || kind === 'late' || kind === 'garbage' || isGone(kind);
}

/** `R`, `S`, `T` (stopped) …; undefined when there is no such process, or only its zombie (PID 1 may not reap). */
export function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    return state === 'Z' || state === 'X' ? undefined : state;
  } catch {
    // No such file is the answer: the process is gone.
    return undefined;
  }
}

/** Whether the process is gone, or goes now. */
export async function endsWithin(pid: number, patienceMs = 300): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (processState(pid) !== undefined) {
    if (performance.now() > end) return false;
    await new Promise((wake) => setTimeout(wake, 10));
  }
  return true;
}
