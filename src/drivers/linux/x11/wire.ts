/**
 * Encodes X protocol requests and events that the `x11` package does not offer, or that must exist as bytes. Everything
 * is little-endian, like our connections. This module imports nothing: the release guard process loads it and must
 * start quickly.
 */

const OPCODE = {
  createWindow: 1,
  mapWindow: 8,
  getGeometry: 14,
  internAtom: 16,
  setSelectionOwner: 22,
  getSelectionOwner: 23,
  sendEvent: 25,
  getInputFocus: 43,
} as const;

/** The value mask bit of the event mask, in CreateWindow and ChangeWindowAttributes. */
export const CW_EVENT_MASK = 0x800;
export const PROPERTY_CHANGE_MASK = 0x400000;
/** Substructure redirect and notify: with this mask, messages to the root reach the window manager. */
export const WINDOW_MANAGER_MASK = 0x180000;

export const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** A request of `length` bytes (a multiple of 4) that contains only its header. */
export function encodeRequest(opcode: number, detail: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes[0] = opcode;
  bytes[1] = detail;
  bytes.writeUInt16LE(length / 4, 2);
  return bytes;
}

/** A request whose body is a list of 32-bit numbers. */
export function encodeNumbers(opcode: number, detail: number, ...values: readonly number[]): Buffer {
  const bytes = encodeRequest(opcode, detail, 4 + 4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 + 4 * index));
  return bytes;
}

export const COOKIE_PROTOCOL = 'MIT-MAGIC-COOKIE-1';

/** The first bytes of a connection. An empty cookie means no authorization. */
export function connectionSetup(cookie: Buffer): Buffer {
  const name = cookie.length > 0 ? COOKIE_PROTOCOL : '';
  const bytes = Buffer.alloc(12 + padded(name.length) + padded(cookie.length));
  bytes.write('l');
  bytes.writeUInt16LE(11, 2);
  bytes.writeUInt16LE(name.length, 6);
  bytes.writeUInt16LE(cookie.length, 8);
  bytes.write(name, 12);
  cookie.copy(bytes, 12 + padded(name.length));
  return bytes;
}

export function internAtomRequest(name: string, onlyIfExists: boolean): Buffer {
  const bytes = encodeRequest(OPCODE.internAtom, onlyIfExists ? 1 : 0, 8 + padded(name.length));
  bytes.writeUInt16LE(name.length, 4);
  bytes.write(name, 8, 'latin1');
  return bytes;
}

const INPUT_ONLY = 2;

/** A window that is never mapped and reports changes of its properties. */
export function createUnmappedWindow(window: number, root: number): Buffer {
  const bytes = encodeRequest(OPCODE.createWindow, 0, 36);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(root, 8);
  bytes.writeInt16LE(-10, 12);
  bytes.writeInt16LE(-10, 14);
  bytes.writeUInt16LE(1, 16);
  bytes.writeUInt16LE(1, 18);
  bytes.writeUInt16LE(INPUT_ONLY, 22);
  bytes.writeUInt32LE(CW_EVENT_MASK, 28);
  bytes.writeUInt32LE(PROPERTY_CHANGE_MASK, 32);
  return bytes;
}

export const mapWindow = (window: number): Buffer => encodeNumbers(OPCODE.mapWindow, 0, window);
export const getGeometry = (drawable: number): Buffer => encodeNumbers(OPCODE.getGeometry, 0, drawable);
export const getInputFocus = (): Buffer => encodeNumbers(OPCODE.getInputFocus, 0);

export const setSelectionOwner = (window: number, selection: number, time: number): Buffer =>
  encodeNumbers(OPCODE.setSelectionOwner, 0, window, selection, time);
export const getSelectionOwner = (selection: number): Buffer => encodeNumbers(OPCODE.getSelectionOwner, 0, selection);

/** Sends the 32 bytes of an event to a window. */
export function sendEvent(window: number, mask: number, event: Buffer): Buffer {
  const bytes = encodeRequest(OPCODE.sendEvent, 0, 44);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(mask, 8);
  event.copy(bytes, 12);
  return bytes;
}

const CLIENT_MESSAGE = 33;
const FORMAT_32 = 32;

/**
 * A ClientMessage event: what one client sends to another, or to the window manager, about a window. It has a type and
 * up to five 32-bit numbers.
 */
export function clientMessage(window: number, type: number, data: readonly number[] = []): Buffer {
  const event = Buffer.alloc(32);
  event[0] = CLIENT_MESSAGE;
  event[1] = FORMAT_32;
  event.writeUInt32LE(window, 4);
  event.writeUInt32LE(type, 8);
  data.slice(0, 5).forEach((value, index) => event.writeInt32LE(value | 0, 12 + 4 * index));
  return event;
}

const REPLY = 1;
const GENERIC_EVENT = 35;

/** Splits what the server sends into messages: the answer to the connection setup, then replies, errors and events. */
export class MessageSplitter {
  private bytes = Buffer.alloc(0);
  private isSetUp = false;

  *push(chunk: Buffer): Generator<Buffer> {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const size = this.messageSize();
      if (size === undefined || this.bytes.length < size) return;
      const message = this.bytes.subarray(0, size);
      this.bytes = this.bytes.subarray(size);
      this.isSetUp = true;
      yield message;
    }
  }

  private messageSize(): number | undefined {
    if (this.bytes.length < 8) return undefined;
    if (!this.isSetUp) return 8 + 4 * this.bytes.readUInt16LE(6);
    const longer = this.bytes[0] === REPLY || this.bytes[0] === GENERIC_EVENT;
    return 32 + (longer ? 4 * this.bytes.readUInt32LE(4) : 0);
  }
}
