import { expect, test } from 'vitest';
import {
  clientMessage,
  connectionSetup,
  createUnmappedWindow,
  encodeNumbers,
  internAtomRequest,
  MessageSplitter,
  sendEvent,
  setSelectionOwner,
} from './wire.js';

/** Every request contains its own length, in 4-byte units. */
test.each([
  ['CreateWindow', createUnmappedWindow(1, 2), 1],
  ['InternAtom', internAtomRequest('WM_STATE_', false), 16],
  ['SetSelectionOwner', setSelectionOwner(1, 2, 3), 22],
  ['SendEvent', sendEvent(1, 2, Buffer.alloc(32)), 25],
  ['a request without a body', encodeNumbers(43, 0), 43],
])('%s has the length that it declares', (_, bytes, opcode) => {
  expect(bytes[0]).toBe(opcode);
  expect(bytes.readUInt16LE(2) * 4).toBe(bytes.length);
});

test('encodes a message to the window manager', () => {
  const bytes = sendEvent(7, 0x180000, clientMessage(8, 9, [1, -2]));
  expect(bytes).toHaveLength(44);
  expect([bytes[0], bytes[12], bytes[13]]).toEqual([25, 33, 32]);
  expect([4, 8, 16, 20, 24].map((at) => bytes.readUInt32LE(at))).toEqual([7, 0x180000, 8, 9, 1]);
  expect(bytes.readInt32LE(28)).toBe(-2);
});

test('keeps the bits of numbers above 2^31 in a message', () => {
  expect(clientMessage(1, 2, [0xffff_fffe]).readUInt32LE(12)).toBe(0xffff_fffe);
});

test('interns an atom only if it exists', () => {
  const bytes = internAtomRequest('ATOM', true);
  expect([bytes[1], bytes.readUInt16LE(4), bytes.toString('latin1', 8)]).toEqual([1, 4, 'ATOM']);
});

test('sends no authorization name without a cookie', () => {
  expect(connectionSetup(Buffer.alloc(0))).toHaveLength(12);
  const bytes = connectionSetup(Buffer.from([1, 2, 3, 4]));
  expect(bytes.toString('latin1', 12, 30)).toBe('MIT-MAGIC-COOKIE-1');
  expect([...bytes.subarray(32)]).toEqual([1, 2, 3, 4]);
});

test('splits the stream of the server into messages, in chunks of any size', () => {
  const message = (first: number, length: number, more = 0): Buffer => {
    const bytes = Buffer.alloc(length, first);
    bytes[0] = first;
    bytes.writeUInt32LE(more, 4);
    return bytes;
  };
  const setup = Buffer.alloc(24, 1);
  setup.writeUInt16LE(4, 6); // 16 bytes follow the first 8
  // In an event and an error, bytes 4 to 7 are no length.
  const messages = [
    setup,
    message(28, 32, 9),
    message(1, 40, 2),
    message(0, 32, 7),
    message(35, 36, 1),
    message(1, 32),
  ];
  const stream = Buffer.concat(messages);
  for (const size of [1, 7, 33, stream.length]) {
    const splitter = new MessageSplitter();
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) found.push(...splitter.push(stream.subarray(at, at + size)));
    expect(found).toEqual(messages);
  }
});
