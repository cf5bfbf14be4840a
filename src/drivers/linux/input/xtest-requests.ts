/**
 * The bytes of the few requests that press, release and restore. Bytes and not calls, because the same ones are given
 * to the watcher, which sends them when this process cannot any more. Little-endian, as both connections are.
 */

export const KEY_PRESS = 2;
export const KEY_RELEASE = 3;
export const BUTTON_PRESS = 4;
export const BUTTON_RELEASE = 5;
export const MOTION = 6;

/** Major opcodes, which each server chooses by itself. */
export interface Opcodes {
  xtest: number;
  xkb: number;
}

export type FakeType = typeof KEY_PRESS | typeof KEY_RELEASE | typeof BUTTON_PRESS | typeof BUTTON_RELEASE;

export function fakeInput(opcodes: Opcodes, type: FakeType, detail: number): Buffer {
  const bytes = request(opcodes.xtest, 2, 36);
  bytes[4] = type;
  bytes[5] = detail;
  return bytes;
}

export function fakeMotion(opcodes: Opcodes, root: number, x: number, y: number): Buffer {
  const bytes = request(opcodes.xtest, 2, 36);
  bytes[4] = MOTION;
  bytes.writeUInt32LE(root, 12);
  bytes.writeInt16LE(x, 24);
  bytes.writeInt16LE(y, 26);
  return bytes;
}

/** From now on this connection is served also while another program has grabbed the server. */
export function ignoreGrabs(opcodes: Opcodes): Buffer {
  const bytes = request(opcodes.xtest, 3, 8);
  bytes[4] = 1;
  return bytes;
}

/** Symbols of consecutive keys, from `first` on; each row gets the width of the widest. */
export function changeMapping(first: number, rows: readonly (readonly number[])[]): Buffer {
  const width = Math.max(1, ...rows.map((row) => row.length));
  const bytes = request(100, rows.length, 8 + 4 * width * rows.length);
  bytes[4] = first;
  bytes[5] = width;
  rows.forEach((row, index) =>
    row.forEach((symbol, column) => bytes.writeUInt32LE(symbol, 8 + 4 * (index * width + column))),
  );
  return bytes;
}

const CORE_KEYBOARD = 0x100;

/** Before any other request about the state of the keyboard. */
export function useKeyboard(opcodes: Opcodes): Buffer {
  const bytes = request(opcodes.xkb, 0, 8);
  bytes.writeUInt16LE(1, 4);
  return bytes;
}

/** Asks to be told of a new keyboard (0) and of new symbols on its keys (1). */
export function watchKeyboard(opcodes: Opcodes): Buffer {
  const bytes = request(opcodes.xkb, 1, 16);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  bytes.writeUInt16LE(3, 6);
  bytes.writeUInt16LE(3, 10);
  bytes.writeUInt16LE(0xff, 12);
  bytes.writeUInt16LE(0xff, 14);
  return bytes;
}

export function getKeyboardState(opcodes: Opcodes): Buffer {
  const bytes = request(opcodes.xkb, 4, 8);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  return bytes;
}

/** Sets what is locked (Caps Lock and the like) and the layout; no key is pressed for it. */
export function setLocks(opcodes: Opcodes, { mods, group }: { mods: number; group: number }): Buffer {
  const bytes = request(opcodes.xkb, 5, 16);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  bytes[6] = 0xff;
  bytes[7] = mods;
  bytes[8] = 1;
  bytes[9] = group;
  return bytes;
}

function request(major: number, minor: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes[0] = major;
  bytes[1] = minor;
  bytes.writeUInt16LE(length / 4, 2);
  return bytes;
}

const CLIENT_MESSAGE = 33;
const WORDS = 32;

/** What one program says to another, or to the window manager, about a window: its kind, and up to five numbers. */
export function clientMessage(window: number, kind: number, data: readonly number[] = []): Buffer {
  const event = Buffer.alloc(32);
  event[0] = CLIENT_MESSAGE;
  event[1] = WORDS;
  event.writeUInt32LE(window, 4);
  event.writeUInt32LE(kind, 8);
  data.forEach((value, index) => event.writeUInt32LE(value, 12 + 4 * index));
  return event;
}
