import { type Deadline, DesktopError } from '../../../shared/index.js';
import type { CallOptions, Clipboard, FoundApp } from '../../contract/index.js';
import { type Environment, identifyProcess } from '../x11/index.js';
import { ownerBase, readPids } from '../x11/windows/properties.js';
import { convert, getOwner, type SelectionEvent, setOwner } from './requests.js';
import { OfferedText } from './selection-owner.js';
import { SelectionWindow, tooLong } from './selection-window.js';

/** A program that holds the clipboard and hands nothing over for so long hangs. */
const SILENCE_MS = 3_000;

/**
 * The desktop's clipboard. X has no store for it: who copied gives the text to each who pastes, so ours is there until
 * another program copies something, or until this is closed.
 */
export class XClipboard implements Clipboard {
  private opening?: Promise<SelectionWindow>;
  private offered?: OfferedText;
  private turn: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(private readonly env: Environment) {}

  /** One at a time: the answers come through one property. */
  read({ deadline }: CallOptions): Promise<string | undefined> {
    const reading = this.turn.then(() => this.readNow(deadline));
    this.turn = reading.catch(() => undefined); // Told to who asked; the next one has a turn of its own.
    return reading;
  }

  async write(text: string, { deadline }: CallOptions): Promise<void> {
    if (Buffer.byteLength(text) > MOST_BYTES) {
      throw new DesktopError('bad_arguments', 'More than 10 MB of text do not fit into the clipboard.', {
        retry: 'no',
      });
    }
    const window = await this.window(deadline);
    const time = await window.now(deadline);
    const { CLIPBOARD } = window.atoms;
    this.offered?.end();
    const offered = new OfferedText(window, text, time, () => this.drop(offered));
    this.offered = offered;
    window.client.sendRaw(setOwner(window.id, CLIPBOARD, time));
    if ((await this.ownerWindow(window, deadline)) === window.id) return;
    this.drop(offered);
    throw new DesktopError('command_failed', 'Another program took the clipboard at the same moment.', {
      hint: 'Try again.',
    });
  }

  async owner({ deadline }: CallOptions): Promise<Partial<FoundApp> | undefined> {
    const window = await this.window(deadline);
    const xid = await this.ownerWindow(window, deadline);
    if (xid === 0 || xid === window.id) return undefined;
    const { client } = window;
    const pids = await deadline.race(readPids(client, [xid]), 'Asking who holds the clipboard');
    const pid = pids.get(ownerBase(client, xid));
    const known = pid === undefined ? undefined : identifyProcess(pid);
    if (!known) return {};
    return { pid: known.pid, name: known.app, ...(known.program !== undefined && { program: known.program }) };
  }

  close(): void {
    this.closed = true;
    this.offered?.end();
    delete this.offered;
    this.opening?.then(
      (window) => window.close(),
      () => undefined, // Never opened: nothing to close.
    );
  }

  private async readNow(deadline: Deadline): Promise<string | undefined> {
    const window = await this.window(deadline);
    const owner = await this.ownerWindow(window, deadline);
    if (owner === 0) return undefined;
    if (owner === window.id) return this.offered?.text;
    try {
      return await askOwner(window, deadline.atMost(SILENCE_MS));
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code !== 'timeout') throw error;
      throw new DesktopError('app_hung', 'The program that holds the clipboard does not hand it over.', {
        hint: 'Wait, or copy something else.',
        cause: error,
      });
    }
  }

  private ownerWindow({ client, atoms }: SelectionWindow, deadline: Deadline): Promise<number> {
    const asked = client.requestRaw(getOwner(atoms.CLIPBOARD), (body) => body.readUInt32LE(0));
    return deadline.race(asked, 'Asking who holds the clipboard');
  }

  private drop(offered: OfferedText): void {
    offered.end();
    if (this.offered === offered) delete this.offered;
  }

  /** Opened at the first need; again when the server was gone. */
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

export const MOST_BYTES = 10 * 1024 * 1024;

/** The text that another program offers; undefined when it offers something else. */
export async function askOwner(window: SelectionWindow, deadline: Deadline): Promise<string | undefined> {
  const { UTF8_STRING, STRING } = window.atoms;
  for (const target of [UTF8_STRING, STRING]) {
    const answer = await receive(window, target, deadline);
    if (answer) return answer.toString(target === STRING ? 'latin1' : 'utf8');
  }
  return undefined;
}

async function receive(window: SelectionWindow, target: number, deadline: Deadline): Promise<Buffer | undefined> {
  const { client, atoms, id } = window;
  const place = window.nextPlace();
  const pieces = new Arrivals(window, place);
  try {
    const answered = window.next(
      (event): event is Extract<SelectionEvent, { kind: 'answered' }> =>
        event.kind === 'answered' &&
        event.selection === atoms.CLIPBOARD &&
        event.target === target &&
        (event.property === place || event.property === 0),
      deadline,
      'Reading the clipboard',
    );
    client.sendRaw(convert(id, atoms.CLIPBOARD, target, place, 0));
    if ((await answered).property === 0) return undefined;
    pieces.forget();
    const first = await deadline.race(window.take(place, MOST_BYTES), 'Reading the clipboard');
    if (first.type !== atoms.INCR) return first.data;
    return await gather(window, pieces, place, deadline);
  } finally {
    pieces.stop();
  }
}

/** Piece by piece; each is written after the last was taken away, an empty one is the end. */
async function gather(window: SelectionWindow, pieces: Arrivals, place: number, deadline: Deadline): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for (;;) {
    await deadline.race(pieces.next(), 'Reading the clipboard');
    const { data } = await deadline.race(window.take(place, MOST_BYTES), 'Reading the clipboard');
    if (data.length === 0) return Buffer.concat(all);
    size += data.length;
    if (size > MOST_BYTES) throw tooLong();
    all.push(data);
  }
}

/** Counts writes into a property of ours from the beginning, so that none is missed between two awaits. */
class Arrivals {
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

  forget(): void {
    this.count = 0;
  }

  async next(): Promise<void> {
    while (this.count === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    this.count -= 1;
  }
}
