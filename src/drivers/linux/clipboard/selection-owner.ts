import { changeProperty, selectionNotify, watchProperties, type Asked, type SelectionEvent } from './requests.js';
import type { SelectionWindow } from './selection-window.js';

/** A request may have 262,140 bytes; longer texts go in pieces (INCR). */
const PIECE = 200_000;
const MOST_TRANSFERS = 32;
/** Who has not taken the next piece by then does not want it any more. */
const PATIENCE_MS = 30_000;

interface Transfer {
  type: number;
  rest: Buffer;
  forgotten: NodeJS.Timeout;
}

/** A text that is ours to give to whoever pastes, until another program copies something. */
export class OfferedText {
  readonly text: string;
  private readonly forms: ReadonlyMap<number, { type: number; bytes: Buffer }>;
  private readonly transfers = new Map<string, Transfer>();
  private readonly stop: () => void;

  constructor(
    private readonly window: SelectionWindow,
    text: string,
    private readonly time: number,
    private readonly onLost: () => void,
  ) {
    this.text = text;
    const { atoms } = window;
    const utf8 = { type: atoms.UTF8_STRING, bytes: Buffer.from(text) };
    const forms = new Map([
      [atoms.UTF8_STRING, utf8],
      [atoms.TEXT, utf8],
    ]);
    for (const name of ['text/plain;charset=utf-8', 'text/plain'] as const) {
      forms.set(atoms[name], { ...utf8, type: atoms[name] });
    }
    // STRING is Latin-1 by definition: a text with other letters would arrive as another text.
    if (!/[^\u0000-\u00ff]/.test(text))
      forms.set(atoms.STRING, { type: atoms.STRING, bytes: Buffer.from(text, 'latin1') });
    this.forms = forms;
    this.stop = window.listen((event) => this.hear(event));
  }

  end(): void {
    this.stop();
    for (const { forgotten } of this.transfers.values()) clearTimeout(forgotten);
    this.transfers.clear();
  }

  private hear(event: SelectionEvent): void {
    const { CLIPBOARD } = this.window.atoms;
    if (event.kind === 'asked' && event.selection === CLIPBOARD) this.give(event);
    if (event.kind === 'lost' && event.selection === CLIPBOARD) this.onLost();
    if (event.kind === 'property' && event.state === 'deleted') this.goOn(event.window, event.atom);
  }

  private give(asked: Asked): void {
    const { client } = this.window;
    // Old programs name no property and mean the one that is called as the target.
    const property = asked.property || asked.target;
    const given = this.put(asked, property);
    client.sendRaw(selectionNotify(asked, given ? property : 0));
  }

  private put({ requestor, target }: Asked, property: number): boolean {
    const { client, atoms } = this.window;
    const write = (type: number, format: 8 | 32, data: Buffer): true => {
      client.sendRaw(changeProperty(requestor, property, type, format, data));
      return true;
    };
    if (target === atoms.TARGETS)
      return write(atoms.ATOM, 32, words([atoms.TARGETS, atoms.TIMESTAMP, ...this.forms.keys()]));
    if (target === atoms.TIMESTAMP) return write(atoms.INTEGER, 32, words([this.time]));
    const form = this.forms.get(target);
    if (!form) return false;
    if (form.bytes.length <= PIECE) return write(form.type, 8, form.bytes);
    const key = `${requestor} ${property}`;
    if (this.transfers.size >= MOST_TRANSFERS && !this.transfers.has(key)) return false;
    client.sendRaw(watchProperties(requestor));
    this.await(key, form.type, form.bytes);
    return write(atoms.INCR, 32, words([form.bytes.length]));
  }

  /** The other side took what was there: the next piece, and at the end an empty one. */
  private goOn(requestor: number, property: number): void {
    const key = `${requestor} ${property}`;
    const transfer = this.transfers.get(key);
    if (!transfer) return;
    const { type, rest, forgotten } = transfer;
    clearTimeout(forgotten);
    this.transfers.delete(key);
    this.window.client.sendRaw(changeProperty(requestor, property, type, 8, rest.subarray(0, PIECE)));
    if (rest.length > 0) this.await(key, type, rest.subarray(PIECE));
  }

  private await(key: string, type: number, rest: Buffer): void {
    clearTimeout(this.transfers.get(key)?.forgotten);
    const forgotten = setTimeout(() => this.transfers.delete(key), PATIENCE_MS);
    forgotten.unref();
    this.transfers.set(key, { type, rest, forgotten });
  }
}

function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32LE(number, 4 * index));
  return bytes;
}
