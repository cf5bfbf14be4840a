import { DesktopError, type Deadline } from '../../../shared/index.js';
import { internNames } from '../x11/atoms.js';
import { XDisplay, type Environment } from '../x11/display.js';
import type { X11Client } from '../x11/client.js';
import { createUnmappedWindow } from '../x11/wire.js';
import { changeProperty, selectionEvent, takeProperty, type SelectionEvent } from './requests.js';

const ATOM_NAMES = [
  'CLIPBOARD',
  'TARGETS',
  'TIMESTAMP',
  'MULTIPLE',
  'INCR',
  'UTF8_STRING',
  'TEXT',
  'COMPOUND_TEXT',
  'text/plain;charset=utf-8',
  'text/plain',
  'DESKPROOF_CLOCK',
] as const;

/**
 * Targets that mark content as a password; the target itself is the mark, whatever it contains. KeePassXC, KDE, Firefox
 * and Chromium offer the first one on X11; the others are the names on macOS and Windows, which remote clipboards pass on.
 */
const PASSWORD_TARGETS = [
  'x-kde-passwordManagerHint',
  'application/x-kde-passwordManagerHint',
  'org.nspasteboard.ConcealedType',
  'application/x-nspasteboard-concealed-type',
  'ExcludeClipboardContentFromMonitorProcessing',
  'Clipboard Viewer Ignore',
] as const;

/** Used in rotation, so that an answer that arrives too late is in a property that is no longer read. */
const PROPERTY_NAMES = Array.from({ length: 8 }, (_, n) => `DESKPROOF_CLIPBOARD_${n}`);

type ClipboardAtoms = Record<(typeof ATOM_NAMES)[number] | 'ATOM' | 'INTEGER' | 'STRING', number>;

interface PropertyValue {
  type: number;
  data: Buffer;
}

type Listener = (event: SelectionEvent) => void;
type PropertyEvent = Extract<SelectionEvent, { kind: 'property' }>;

/** The invisible window through which apps exchange the clipboard. It uses a separate connection. */
export class SelectionWindow {
  private readonly listeners = new Set<Listener>();
  private readonly lost: Promise<never>;
  private propertyCount = 0;

  private constructor(
    readonly client: X11Client,
    readonly atoms: ClipboardAtoms,
    readonly id: number,
    private readonly properties: readonly number[],
    readonly passwordTargets: ReadonlySet<number>,
  ) {
    this.lost = new Promise((_, reject) => client.onLost(reject));
    this.lost.catch(() => undefined); // Reported to waiting calls; there may be none.
    client.raw.on('event', ({ rawData }: { rawData: Buffer }) => {
      const event = selectionEvent(rawData);
      if (event) for (const listener of [...this.listeners]) listener(event);
    });
  }

  static async open(env: Environment, deadline: Deadline): Promise<SelectionWindow> {
    const { client } = await XDisplay.open(env, deadline);
    try {
      const request = Promise.all([
        internNames(client, ATOM_NAMES),
        internNames(client, PROPERTY_NAMES),
        internNames(client, PASSWORD_TARGETS),
      ]);
      const [atoms, places, marks] = await deadline.race(request, 'Opening the clipboard');
      const id = client.raw.AllocID();
      client.sendRaw(createUnmappedWindow(id, client.root));
      const known = { ...atoms, ATOM: 4, INTEGER: 19, STRING: 31 };
      return new SelectionWindow(client, known, id, Object.values(places), new Set(Object.values(marks)));
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The next event that matches. */
  next<E extends SelectionEvent>(
    fits: (event: SelectionEvent) => event is E,
    deadline: Deadline,
    what: string,
  ): Promise<E> {
    let stop = (): void => undefined;
    const event = new Promise<E>((resolve) => {
      stop = this.listen((one) => fits(one) && resolve(one));
    });
    return deadline.race(Promise.race([event, this.lost]), what).finally(stop);
  }

  /** The server's time, which is required to become the owner of a selection. */
  async serverTime(deadline: Deadline): Promise<number> {
    const { DESKPROOF_CLOCK: clock, INTEGER } = this.atoms;
    const stamped = this.next(
      (event): event is PropertyEvent => event.kind === 'property' && event.window === this.id && event.atom === clock,
      deadline,
      'Taking over the clipboard',
    );
    this.client.sendRaw(changeProperty(this.id, clock, INTEGER, 32, Buffer.alloc(0)));
    return (await stamped).time;
  }

  /** The property for the next answer. */
  nextProperty(): number {
    return this.properties[this.propertyCount++ % this.properties.length]!;
  }

  /** Reads one of our properties and deletes it. */
  async takeProperty(property: number, mostBytes: number): Promise<PropertyValue> {
    const request = takeProperty(this.id, property, Math.ceil(mostBytes / 4));
    const { more, ...taken } = await this.client.requestRaw(request, (body, format) => {
      const length = body.readUInt32LE(8) * (format / 8);
      const data = Buffer.from(body.subarray(24, 24 + length));
      return { type: body.readUInt32LE(0), more: body.readUInt32LE(4) > 0, data };
    });
    if (more) throw tooLongError();
    return taken;
  }

  close(): void {
    this.listeners.clear();
    this.client.close();
  }
}

export function tooLongError(): DesktopError {
  return new DesktopError('not_supported', 'The clipboard contains more than 10 MB of text.', {
    retry: 'no',
    hint: 'Copy a smaller part.',
  });
}
