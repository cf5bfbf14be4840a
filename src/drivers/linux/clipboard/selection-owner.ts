import {
  changeProperty,
  selectionNotify,
  watchProperties,
  type SelectionRequest,
  type SelectionEvent,
} from './requests.js';
import type { SelectionWindow } from './selection-window.js';

/** A request has at most 262,140 bytes; longer text is sent in pieces (INCR). */
const PIECE_BYTES = 200_000;
const MAX_TRANSFERS = 32;
/** An app that has not taken the next piece within this time no longer wants it. */
const PATIENCE_MS = 30_000;

interface Transfer {
  type: number;
  rest: Buffer;
  expiry: NodeJS.Timeout;
}

/** Owns the clipboard and sends its text to every app that pastes, until another app copies something. */
export class SelectionOwner {
  readonly text: string;
  private readonly targets: ReadonlyMap<number, { type: number; bytes: Buffer }>;
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
    const targets = new Map([
      [atoms.UTF8_STRING, utf8],
      [atoms.TEXT, utf8],
    ]);
    for (const name of ['text/plain;charset=utf-8', 'text/plain'] as const) {
      targets.set(atoms[name], { ...utf8, type: atoms[name] });
    }
    // STRING is Latin-1 by definition. Text with other letters would be changed.
    if (!/[^\u0000-\u00ff]/.test(text))
      targets.set(atoms.STRING, { type: atoms.STRING, bytes: Buffer.from(text, 'latin1') });
    this.targets = targets;
    this.stop = window.listen((event) => this.handleEvent(event));
  }

  end(): void {
    this.stop();
    for (const { expiry } of this.transfers.values()) clearTimeout(expiry);
    this.transfers.clear();
  }

  private handleEvent(event: SelectionEvent): void {
    const { CLIPBOARD } = this.window.atoms;
    if (event.kind === 'requested' && event.selection === CLIPBOARD) this.answerRequest(event);
    if (event.kind === 'lost' && event.selection === CLIPBOARD) this.onLost();
    if (event.kind === 'property' && event.state === 'deleted') this.sendNextPiece(event.window, event.atom);
  }

  private answerRequest(request: SelectionRequest): void {
    const { client } = this.window;
    // Old apps give no property and mean the one with the name of the target.
    const property = request.property || request.target;
    const isWritten = this.writeTarget(request, property);
    client.sendRaw(selectionNotify(request, isWritten ? property : 0));
  }

  private writeTarget({ requestor, target }: SelectionRequest, property: number): boolean {
    const { client, atoms } = this.window;
    const write = (type: number, format: 8 | 32, data: Buffer): true => {
      client.sendRaw(changeProperty(requestor, property, type, format, data));
      return true;
    };
    if (target === atoms.TARGETS)
      return write(atoms.ATOM, 32, encodeCard32s([atoms.TARGETS, atoms.TIMESTAMP, ...this.targets.keys()]));
    if (target === atoms.TIMESTAMP) return write(atoms.INTEGER, 32, encodeCard32s([this.time]));
    const form = this.targets.get(target);
    if (!form) return false;
    if (form.bytes.length <= PIECE_BYTES) return write(form.type, 8, form.bytes);
    const key = `${requestor} ${property}`;
    if (this.transfers.size >= MAX_TRANSFERS && !this.transfers.has(key)) return false;
    client.sendRaw(watchProperties(requestor));
    this.trackTransfer(key, form.type, form.bytes);
    return write(atoms.INCR, 32, encodeCard32s([form.bytes.length]));
  }

  /** The other app took the last piece: sends the next one, and an empty one at the end. */
  private sendNextPiece(requestor: number, property: number): void {
    const key = `${requestor} ${property}`;
    const transfer = this.transfers.get(key);
    if (!transfer) return;
    const { type, rest, expiry } = transfer;
    clearTimeout(expiry);
    this.transfers.delete(key);
    this.window.client.sendRaw(changeProperty(requestor, property, type, 8, rest.subarray(0, PIECE_BYTES)));
    if (rest.length > 0) this.trackTransfer(key, type, rest.subarray(PIECE_BYTES));
  }

  private trackTransfer(key: string, type: number, rest: Buffer): void {
    clearTimeout(this.transfers.get(key)?.expiry);
    const expiry = setTimeout(() => this.transfers.delete(key), PATIENCE_MS);
    expiry.unref();
    this.transfers.set(key, { type, rest, expiry });
  }
}

function encodeCard32s(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, index) => bytes.writeUInt32LE(number, 4 * index));
  return bytes;
}
