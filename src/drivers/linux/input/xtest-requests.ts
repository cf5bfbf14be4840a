/**
 * Encodes the few requests that press, release and restore. They are bytes rather than calls because the release guard
 * gets the same bytes and sends them when this process no longer can. Little-endian, like both connections.
 */

import { encodeRequest } from '../x11/wire.js';

export const KEY_PRESS = 2;
export const KEY_RELEASE = 3;
export const BUTTON_PRESS = 4;
export const BUTTON_RELEASE = 5;
export const MOTION = 6;

/** Major opcodes, which each server assigns itself. */
export interface Opcodes {
  xtest: number;
  xkb: number;
}

export type FakeInputType = typeof KEY_PRESS | typeof KEY_RELEASE | typeof BUTTON_PRESS | typeof BUTTON_RELEASE;

export function fakeInput(opcodes: Opcodes, type: FakeInputType, detail: number): Buffer {
  const bytes = encodeRequest(opcodes.xtest, 2, 36);
  bytes[4] = type;
  bytes[5] = detail;
  return bytes;
}

export function fakeMotion(opcodes: Opcodes, root: number, x: number, y: number): Buffer {
  const bytes = encodeRequest(opcodes.xtest, 2, 36);
  bytes[4] = MOTION;
  bytes.writeUInt32LE(root, 12);
  bytes.writeInt16LE(x, 24);
  bytes.writeInt16LE(y, 26);
  return bytes;
}

/** From now on the server handles this connection even while another client has grabbed the server. */
export function ignoreGrabs(opcodes: Opcodes): Buffer {
  const bytes = encodeRequest(opcodes.xtest, 3, 8);
  bytes[4] = 1;
  return bytes;
}

/** The keysyms of consecutive keys, starting at `first`. Every row gets the width of the widest. */
export function changeMapping(first: number, rows: readonly (readonly number[])[]): Buffer {
  const width = Math.max(1, ...rows.map((row) => row.length));
  const bytes = encodeRequest(100, rows.length, 8 + 4 * width * rows.length);
  bytes[4] = first;
  bytes[5] = width;
  rows.forEach((row, index) =>
    row.forEach((symbol, column) => bytes.writeUInt32LE(symbol, 8 + 4 * (index * width + column))),
  );
  return bytes;
}

const CORE_KEYBOARD = 0x100;

/** Required before any other XKB request. */
export function useKeyboard(opcodes: Opcodes): Buffer {
  const bytes = encodeRequest(opcodes.xkb, 0, 8);
  bytes.writeUInt16LE(1, 4);
  return bytes;
}

/** Selects events about a new keyboard (0) and about new keysyms (1). */
export function watchKeyboard(opcodes: Opcodes): Buffer {
  const bytes = encodeRequest(opcodes.xkb, 1, 16);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  bytes.writeUInt16LE(3, 6);
  bytes.writeUInt16LE(3, 10);
  bytes.writeUInt16LE(0xff, 12);
  bytes.writeUInt16LE(0xff, 14);
  return bytes;
}

export function getKeyboardState(opcodes: Opcodes): Buffer {
  const bytes = encodeRequest(opcodes.xkb, 4, 8);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  return bytes;
}

/** Sets the locks (such as Caps Lock) and the layout without pressing a key. */
export function setLocks(opcodes: Opcodes, { mods, group }: { mods: number; group: number }): Buffer {
  const bytes = encodeRequest(opcodes.xkb, 5, 16);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  bytes[6] = 0xff;
  bytes[7] = mods;
  bytes[8] = 1;
  bytes[9] = group;
  return bytes;
}
