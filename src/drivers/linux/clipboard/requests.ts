/** Encodes the requests that a selection needs. Little-endian, like the connection. */

import { CW_EVENT_MASK, encodeNumbers, encodeRequest, PROPERTY_CHANGE_MASK, sendEvent } from '../x11/wire.js';

/** Selects an event for the moment when another app has taken what we wrote to a property of its window. */
export function watchProperties(window: number): Buffer {
  return encodeNumbers(2, 0, window, CW_EVENT_MASK, PROPERTY_CHANGE_MASK);
}

export function changeProperty(window: number, property: number, type: number, format: 8 | 32, data: Buffer): Buffer {
  const bytes = encodeRequest(18, 0, 24 + 4 * Math.ceil(data.length / 4));
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(property, 8);
  bytes.writeUInt32LE(type, 12);
  bytes[16] = format;
  bytes.writeUInt32LE(data.length / (format / 8), 20);
  data.copy(bytes, 24);
  return bytes;
}

export const convertSelection = (
  requestor: number,
  selection: number,
  target: number,
  property: number,
  time: number,
): Buffer => encodeNumbers(24, 0, requestor, selection, target, property, time);

/** Reads the property and deletes it. */
export function takeProperty(window: number, property: number, words: number): Buffer {
  return encodeNumbers(20, 1, window, property, 0, 0, words);
}

/** The answer to an app that requested the selection; property 0 means refused. */
export function selectionNotify({ requestor, selection, target, time }: SelectionRequest, property: number): Buffer {
  const event = Buffer.alloc(32);
  event[0] = 31;
  [time, requestor, selection, target, property].forEach((value, index) => event.writeUInt32LE(value, 4 + 4 * index));
  return sendEvent(requestor, 0, event);
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
