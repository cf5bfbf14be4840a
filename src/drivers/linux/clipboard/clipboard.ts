import { type Deadline, DesktopError } from '../../../shared/index.js';
import type { CallOptions, Clipboard, ClipboardOwner } from '../../contract/index.js';
import type { Environment } from '../x11/display.js';
import { identifyProcess } from '../processes.js';
import { ownerBase, readPids } from '../x11/windows/properties.js';
import { getSelectionOwner, setSelectionOwner } from '../x11/wire.js';
import { convertSelection, type SelectionEvent } from './requests.js';
import { SelectionOwner } from './selection-owner.js';
import { SelectionWindow, tooLongError } from './selection-window.js';

/** An app that owns the clipboard and sends nothing for this long is hung. */
const OWNER_TIMEOUT_MS = 3_000;

/**
 * The desktop's clipboard. X does not store its content: the app that copied sends the text to each app that pastes.
 * Our text is therefore available until another app copies something, or until this is closed.
 */
export class XClipboard implements Clipboard {
  private opening?: Promise<SelectionWindow>;
  private own?: SelectionOwner;
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly env: Environment) {}

  /** One read at a time, since all answers arrive in properties of one window. */
  read({ deadline }: CallOptions): Promise<string | undefined> {
    const reading = this.queue.then(() => this.readNow(deadline));
    this.queue = reading.catch(() => undefined); // The caller gets the error; the next read is not affected.
    return reading;
  }

  async write(text: string, { deadline }: CallOptions): Promise<void> {
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new DesktopError('bad_arguments', 'The clipboard accepts at most 10 MB of text.', {
        retry: 'no',
      });
    }
    const window = await this.window(deadline);
    const time = await window.serverTime(deadline);
    const { CLIPBOARD } = window.atoms;
    this.own?.end();
    const owner = new SelectionOwner(window, text, time, () => this.drop(owner));
    this.own = owner;
    window.client.sendRaw(setSelectionOwner(window.id, CLIPBOARD, time));
    if ((await this.ownerWindow(window, deadline)) === window.id) return;
    this.drop(owner);
    throw new DesktopError('command_failed', 'Another app took over the clipboard at the same moment.', {
      hint: 'Try again.',
    });
  }

  async owner({ deadline }: CallOptions): Promise<ClipboardOwner | undefined> {
    const window = await this.window(deadline);
    const xid = await this.ownerWindow(window, deadline);
    if (xid === 0 || xid === window.id) return undefined;
    const { client } = window;
    const pids = await deadline.race(readPids(client, [xid]), 'Finding the owner of the clipboard');
    const pid = pids.get(ownerBase(client, xid));
    const process = pid === undefined ? undefined : identifyProcess(pid);
    const marked = (await this.isMarkedSecret(window, deadline)) && { secret: true };
    if (!process) return { ...marked };
    return {
      ...marked,
      pid: process.pid,
      name: process.app,
      ...(process.program !== undefined && { program: process.program }),
    };
  }

  /** One request at a time, like reads. An app that does not answer has no mark; reading its text fails as well. */
  private isMarkedSecret(window: SelectionWindow, deadline: Deadline): Promise<boolean> {
    const asking = this.queue.then(() => offersPassword(window, deadline.atMost(OWNER_TIMEOUT_MS)));
    this.queue = asking.catch(() => undefined);
    return asking.catch((error: unknown) => {
      if (error instanceof DesktopError && error.code === 'timeout') return false;
      throw error;
    });
  }

  close(): void {
    this.closed = true;
    this.own?.end();
    delete this.own;
    this.opening?.then(
      (window) => window.close(),
      () => undefined, // Never opened: nothing to close.
    );
  }

  private async readNow(deadline: Deadline): Promise<string | undefined> {
    const window = await this.window(deadline);
    const owner = await this.ownerWindow(window, deadline);
    if (owner === 0) return undefined;
    if (owner === window.id) return this.own?.text;
    try {
      return await requestText(window, deadline.atMost(OWNER_TIMEOUT_MS));
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code !== 'timeout') throw error;
      throw new DesktopError('app_hung', 'The app that owns the clipboard does not send its content.', {
        hint: 'Wait until the app responds, or copy something else.',
        cause: error,
      });
    }
  }

  private ownerWindow({ client, atoms }: SelectionWindow, deadline: Deadline): Promise<number> {
    const request = client.requestRaw(getSelectionOwner(atoms.CLIPBOARD), (body) => body.readUInt32LE(0));
    return deadline.race(request, 'Finding the owner of the clipboard');
  }

  private drop(owner: SelectionOwner): void {
    owner.end();
    if (this.own === owner) delete this.own;
  }

  /** Opened on first use, and opened again after the server was lost. */
  private async window(deadline: Deadline): Promise<SelectionWindow> {
    if (this.closed) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    this.opening ??= this.open(deadline);
    return this.opening;
  }

  private open(deadline: Deadline): Promise<SelectionWindow> {
    const opening = SelectionWindow.open(this.env, deadline);
    const forget = (): void => {
      if (this.opening === opening) delete this.opening;
    };
    opening.then((window) => window.client.onLost(forget), forget);
    return opening;
  }
}

const MAX_BYTES = 10 * 1024 * 1024;

/** Whether the app marks what it offers as a password. */
async function offersPassword(window: SelectionWindow, deadline: Deadline): Promise<boolean> {
  const answer = await requestTarget(window, window.atoms.TARGETS, deadline);
  const targets = Array.from({ length: Math.floor((answer?.length ?? 0) / 4) }, (_, at) =>
    answer!.readUInt32LE(4 * at),
  );
  return targets.some((target) => window.passwordTargets.has(target));
}

/** The text that another app offers; undefined if it offers no text. */
async function requestText(window: SelectionWindow, deadline: Deadline): Promise<string | undefined> {
  const { UTF8_STRING, STRING } = window.atoms;
  for (const target of [UTF8_STRING, STRING]) {
    const answer = await requestTarget(window, target, deadline);
    if (answer) return answer.toString(target === STRING ? 'latin1' : 'utf8');
  }
  return undefined;
}

async function requestTarget(window: SelectionWindow, target: number, deadline: Deadline): Promise<Buffer | undefined> {
  const { client, atoms, id } = window;
  const property = window.nextProperty();
  const writes = new PropertyWrites(window, property);
  try {
    const answered = window.next(
      (event): event is Extract<SelectionEvent, { kind: 'answered' }> =>
        event.kind === 'answered' &&
        event.selection === atoms.CLIPBOARD &&
        event.target === target &&
        (event.property === property || event.property === 0),
      deadline,
      'Reading the clipboard',
    );
    client.sendRaw(convertSelection(id, atoms.CLIPBOARD, target, property, 0));
    if ((await answered).property === 0) return undefined;
    writes.reset();
    const first = await deadline.race(window.takeProperty(property, MAX_BYTES), 'Reading the clipboard');
    if (first.type !== atoms.INCR) return first.data;
    return await readIncremental(window, writes, property, deadline);
  } finally {
    writes.stop();
  }
}

/**
 * Reads an incremental transfer. The owner writes each piece after the previous one was deleted; an empty piece is the
 * end.
 */
async function readIncremental(
  window: SelectionWindow,
  writes: PropertyWrites,
  property: number,
  deadline: Deadline,
): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for (;;) {
    await deadline.race(writes.next(), 'Reading the clipboard');
    const { data } = await deadline.race(window.takeProperty(property, MAX_BYTES), 'Reading the clipboard');
    if (data.length === 0) return Buffer.concat(all);
    size += data.length;
    if (size > MAX_BYTES) throw tooLongError();
    all.push(data);
  }
}

/** Counts writes to our property from the start, so that none is missed between two awaits. */
class PropertyWrites {
  private count = 0;
  private wake?: () => void;
  readonly stop: () => void;

  constructor(window: SelectionWindow, property: number) {
    this.stop = window.listen((event) => {
      if (event.kind !== 'property' || event.window !== window.id || event.atom !== property) return;
      if (event.state !== 'new') return;
      this.count += 1;
      this.wake?.();
    });
  }

  reset(): void {
    this.count = 0;
  }

  async next(): Promise<void> {
    while (this.count === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    this.count -= 1;
  }
}
