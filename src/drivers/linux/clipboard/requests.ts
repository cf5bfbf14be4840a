/** Encodes the requests that a selection needs. Little-endian, like the connection. */

const request = (opcode: number, detail: number, words: number): Buffer => {
  const bytes = Buffer.alloc(words * 4);
  bytes[0] = opcode;
  bytes[1] = detail;
  bytes.writeUInt16LE(words, 2);
  return bytes;
};

const numbers = (opcode: number, ...values: number[]): Buffer => {
  const bytes = request(opcode, 0, 1 + values.length);
  values.forEach((value, index) => bytes.writeUInt32LE(value, 4 + 4 * index));
  return bytes;
};

const PROPERTY_CHANGE = 0x400000;
const INPUT_ONLY = 2;
const EVENT_MASK = 0x800;

/** A window that is never mapped and reports changes of its properties. */
export function createUnmappedWindow(window: number, root: number): Buffer {
  const bytes = request(1, 0, 9);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(root, 8);
  bytes.writeInt16LE(-10, 12);
  bytes.writeInt16LE(-10, 14);
  bytes.writeUInt16LE(1, 16);
  bytes.writeUInt16LE(1, 18);
  bytes.writeUInt16LE(INPUT_ONLY, 22);
  bytes.writeUInt32LE(EVENT_MASK, 28);
  bytes.writeUInt32LE(PROPERTY_CHANGE, 32);
  return bytes;
}

/** Selects an event for the moment when another app has taken what we wrote to a property of its window. */
export function watchProperties(window: number): Buffer {
  return numbers(2, window, EVENT_MASK, PROPERTY_CHANGE);
}

export function changeProperty(window: number, property: number, type: number, format: 8 | 32, data: Buffer): Buffer {
  const bytes = request(18, 0, 6 + Math.ceil(data.length / 4));
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(property, 8);
  bytes.writeUInt32LE(type, 12);
  bytes[16] = format;
  bytes.writeUInt32LE(data.length / (format / 8), 20);
  data.copy(bytes, 24);
  return bytes;
}

export const setSelectionOwner = (window: number, selection: number, time: number): Buffer =>
  numbers(22, window, selection, time);
export const getSelectionOwner = (selection: number): Buffer => numbers(23, selection);
export const convertSelection = (
  requestor: number,
  selection: number,
  target: number,
  property: number,
  time: number,
): Buffer => numbers(24, requestor, selection, target, property, time);

/** Reads the property and deletes it. */
export function takeProperty(window: number, property: number, words: number): Buffer {
  const bytes = numbers(20, window, property, 0, 0, words);
  bytes[1] = 1;
  return bytes;
}

/** The answer to an app that requested the selection; property 0 means refused. */
export function selectionNotify({ requestor, selection, target, time }: SelectionRequest, property: number): Buffer {
  const bytes = request(25, 0, 11);
  bytes.writeUInt32LE(requestor, 4);
  bytes[12] = 31;
  [time, requestor, selection, target, property].forEach((value, index) => bytes.writeUInt32LE(value, 16 + 4 * index));
  return bytes;
}

/** Another app requests the selection's content. */
export interface SelectionRequest {
  time: number;
  requestor: number;
  selection: number;
  target: number;
  property: number;
}

export type SelectionEvent =
  | ({ kind: 'requested' } & SelectionRequest)
  | { kind: 'lost'; selection: number }
  | { kind: 'answered'; selection: number; target: number; property: number }
  | { kind: 'property'; window: number; atom: number; time: number; state: 'new' | 'deleted' };

/** Decodes the 32 bytes of an event; undefined for other events. */
export function selectionEvent(raw: Buffer): SelectionEvent | undefined {
  const at = (index: number): number => raw.readUInt32LE(4 * index);
  switch (raw[0]! & 0x7f) {
    case 28:
      return { kind: 'property', window: at(1), atom: at(2), time: at(3), state: raw[16] === 0 ? 'new' : 'deleted' };
    case 29:
      return { kind: 'lost', selection: at(3) };
    case 30:
      return { kind: 'requested', time: at(1), requestor: at(3), selection: at(4), target: at(5), property: at(6) };
    case 31:
      return { kind: 'answered', selection: at(3), target: at(4), property: at(5) };
    default:
      return undefined;
  }
}
