import { describe, expect, test } from 'vitest';
import { changeProperty, selectionEvent, selectionNotify, takeProperty } from './requests.js';

/** An event with 32-bit numbers after its first 4 bytes. */
function event(type: number, ...numbers: number[]): Buffer {
  const raw = Buffer.alloc(32);
  raw[0] = type;
  numbers.forEach((number, index) => raw.writeUInt32LE(number, 4 + 4 * index));
  return raw;
}

describe('selectionEvent', () => {
  test.each([
    [
      event(30, 5, 10, 20, 30, 40, 50),
      { kind: 'requested', time: 5, requestor: 20, selection: 30, target: 40, property: 50 },
    ],
    [event(29, 5, 10, 30), { kind: 'lost', selection: 30 }],
    [event(31 | 0x80, 5, 10, 30, 40, 0), { kind: 'answered', selection: 30, target: 40, property: 0 }],
    [event(28, 7, 8, 9, 0), { kind: 'property', window: 7, atom: 8, time: 9, state: 'new' }],
    [event(28, 7, 8, 9, 1), { kind: 'property', window: 7, atom: 8, time: 9, state: 'deleted' }],
    [event(22), undefined],
  ])('%#', (raw, expected) => expect(selectionEvent(raw)).toEqual(expected));
});

/** Every request contains its own length, in 4-byte units. */
test.each([
  ['ChangeProperty', changeProperty(1, 2, 3, 8, Buffer.from('hello')), 18],
  ['GetProperty', takeProperty(1, 2, 100), 20],
  ['SendEvent', selectionNotify({ requestor: 1, selection: 2, target: 3, time: 4, property: 5 }, 5), 25],
])('%s has the length that it declares', (_, bytes, opcode) => {
  expect(bytes[0]).toBe(opcode);
  expect(bytes.readUInt16LE(2) * 4).toBe(bytes.length);
});

test('a property counts its items, not its bytes', () => {
  expect(changeProperty(1, 2, 3, 8, Buffer.from('hello')).readUInt32LE(20)).toBe(5);
  expect(changeProperty(1, 2, 3, 32, Buffer.alloc(12)).readUInt32LE(20)).toBe(3);
});
