import { DesktopError, type Deadline } from '../../../shared/index.js';
import { internNames } from '../x11/atoms.js';
import { XDisplay, type Environment } from '../x11/index.js';
import type { X11Client } from '../x11/client.js';
import { changeProperty, createWindow, selectionEvent, takeProperty, type SelectionEvent } from './requests.js';

export const NAMES = [
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

/** Used one after the other: what a program hands over too late lies in one that nobody reads any more. */
const PLACES = Array.from({ length: 8 }, (_, n) => `DESKPROOF_CLIPBOARD_${n}`);

export type ClipboardAtoms = Record<(typeof NAMES)[number] | 'ATOM' | 'INTEGER' | 'STRING', number>;

export interface Taken {
  type: number;
  data: Buffer;
}

type Listener = (event: SelectionEvent) => void;
type PropertyEvent = Extract<SelectionEvent, { kind: 'property' }>;

/** The invisible window through which programs hand over what was copied. On a connection of its own. */
export class SelectionWindow {
  private readonly listeners = new Set<Listener>();
  private readonly gone: Promise<never>;
  private turns = 0;

  private constructor(
    readonly client: X11Client,
    readonly atoms: ClipboardAtoms,
    readonly id: number,
    private readonly places: readonly number[],
  ) {
    this.gone = new Promise((_, reject) => client.onLost(reject));
    this.gone.catch(() => undefined); // Told to those who wait; nobody may be waiting.
    client.raw.on('event', ({ rawData }: { rawData: Buffer }) => {
      const event = selectionEvent(rawData);
      if (event) for (const listener of [...this.listeners]) listener(event);
    });
  }

  static async open(env: Environment, deadline: Deadline): Promise<SelectionWindow> {
    const { client } = await XDisplay.open(env, deadline);
    try {
      const asked = Promise.all([internNames(client, NAMES), internNames(client, PLACES)]);
      const [named, places] = await deadline.race(asked, 'Opening the clipboard');
      const id = client.raw.AllocID();
      client.sendRaw(createWindow(id, client.root));
      return new SelectionWindow(client, { ...named, ATOM: 4, INTEGER: 19, STRING: 31 }, id, Object.values(places));
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** Until the function that comes back is called. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The first event that fits, from now on. */
  next<E extends SelectionEvent>(
    fits: (event: SelectionEvent) => event is E,
    deadline: Deadline,
    what: string,
  ): Promise<E> {
    let stop = (): void => undefined;
    const event = new Promise<E>((resolve) => {
      stop = this.listen((one) => fits(one) && resolve(one));
    });
    return deadline.race(Promise.race([event, this.gone]), what).finally(stop);
  }

  /** The server's clock, as who takes a selection must know it. */
  async now(deadline: Deadline): Promise<number> {
    const { DESKPROOF_CLOCK: clock, INTEGER } = this.atoms;
    const stamped = this.next(
      (event): event is PropertyEvent => event.kind === 'property' && event.window === this.id && event.atom === clock,
      deadline,
      'Taking the clipboard',
    );
    this.client.sendRaw(changeProperty(this.id, clock, INTEGER, 32, Buffer.alloc(0)));
    return (await stamped).time;
  }

  /** The property for the next answer. */
  nextPlace(): number {
    return this.places[this.turns++ % this.places.length]!;
  }

  /** What lies in a property of ours, taken away with it. */
  async take(property: number, mostBytes: number): Promise<Taken> {
    const request = takeProperty(this.id, property, Math.ceil(mostBytes / 4));
    const { more, ...taken } = await this.client.requestRaw(request, (body, format) => {
      const length = body.readUInt32LE(8) * (format / 8);
      const data = Buffer.from(body.subarray(24, 24 + length));
      return { type: body.readUInt32LE(0), more: body.readUInt32LE(4) > 0, data };
    });
    if (more) throw tooLong();
    return taken;
  }

  close(): void {
    this.listeners.clear();
    this.client.close();
  }
}

export function tooLong(): DesktopError {
  return new DesktopError('not_supported', 'The clipboard holds more than 10 MB of text.', {
    retry: 'no',
    hint: 'Copy a smaller part.',
  });
}
