import { readBody } from './reader.js';
import { assertNames, assertObjectPath } from './signature.js';
import { Writer } from './writer.js';

/** One method call. */
export interface CallSpec {
  /** Absent on a peer-to-peer connection, which has only one receiver. */
  destination?: string;
  path: string;
  interface: string;
  member: string;
  signature?: string;
  body?: readonly unknown[];
}

const CALL = 1;
export const REPLY = 2;
export const ERROR = 3;
export const SIGNAL = 4;

const FIXED_HEADER = 16;
const MAX_HEADER = 64 * 1024;
const MAX_TEMPLATES = 500;

export interface Incoming {
  type: number;
  replySerial?: number;
  path?: string;
  interface?: string;
  member?: string;
  errorName?: string;
  sender?: string;
  signature: string;
  /** Decoded on demand: most signals are never read. */
  body(): unknown[];
}

interface Template {
  spec: CallSpec;
  header: Buffer;
}

/**
 * Header fields that are the same for one kind of call, encoded once: a read sends the same few calls thousands of
 * times, and only path and serial differ. The path goes last, so that the rest is one constant block. Looked up by
 * member and comparison, which allocates nothing, unlike a key built for each call.
 */
const templates = new Map<string, Template[]>();
let templateCount = 0;

function templateFor(spec: CallSpec): Buffer {
  const known = templates.get(spec.member);
  if (known) for (const template of known) if (sameKind(template.spec, spec)) return template.header;
  const header = encodeHeader(spec);
  if (++templateCount > MAX_TEMPLATES) {
    templates.clear();
    templateCount = 1;
  }
  const { destination, path, interface: iface, member, signature } = spec;
  const template = { spec: { destination, path, interface: iface, member, signature }, header };
  // Newest first, since mostly one app is read at a time.
  templates.set(member, [template, ...(templates.get(member) ?? [])]);
  return header;
}

function sameKind(a: CallSpec, b: CallSpec): boolean {
  return a.interface === b.interface && a.signature === b.signature && a.destination === b.destination;
}

function encodeHeader(spec: CallSpec): Buffer {
  assertNames(spec);
  const writer = new Writer();
  for (const byte of [0x6c, CALL, 0, 1]) writer.byte(byte);
  for (let i = 0; i < 3; i++) writer.uint32(0);
  field(writer, 2, 's', spec.interface);
  field(writer, 3, 's', spec.member);
  if (spec.destination !== undefined) field(writer, 6, 's', spec.destination);
  if (spec.signature) {
    writer.align(8);
    writer.byte(8);
    writer.signature('g');
    writer.signature(spec.signature);
  }
  writer.align(8);
  return writer.take();
}

function field(writer: Writer, code: number, signature: string, value: string): void {
  writer.align(8);
  writer.byte(code);
  writer.signature(signature);
  writer.text(value);
}

/** Messages are assembled here before they are copied to their size. */
const scratch = new Writer();

/** Throws for an invalid call, which is then never sent. */
export function encodeCall(spec: CallSpec, serial: number): Buffer {
  assertObjectPath(spec.path);
  const template = templateFor(spec);
  scratch.restart(template);
  // Field 1 (path), type "o", then the text.
  scratch.byte(1);
  scratch.signature('o');
  scratch.text(spec.path);
  scratch.patchUint32(8, serial);
  scratch.patchUint32(12, scratch.at - FIXED_HEADER);
  scratch.align(8);
  if (spec.signature) {
    const bodyAt = scratch.at;
    scratch.body(spec.signature, spec.body ?? []);
    scratch.patchUint32(4, scratch.at - bodyAt);
  }
  return scratch.take();
}

/** Size of the message that starts at `at`; undefined until its first 16 bytes are complete. */
export function messageSize(buffer: Buffer, at: number, end: number): { header: number; body: number } | undefined {
  if (end - at < FIXED_HEADER) return undefined;
  const little = buffer[at] === 0x6c;
  if (!little && buffer[at] !== 0x42) throw new Error('not a D-Bus message');
  const fields = uint32At(buffer, at + 12, little);
  if (fields > MAX_HEADER) throw new Error('D-Bus header too large');
  return { header: (FIXED_HEADER + fields + 7) & -8, body: uint32At(buffer, at + 4, little) };
}

/** One complete message. Its buffer must not change, since the body is decoded later. */
class DecodedMessage implements Incoming {
  type: number;
  replySerial?: number;
  path?: string;
  interface?: string;
  member?: string;
  errorName?: string;
  sender?: string;
  signature = '';

  constructor(
    private readonly message: Buffer,
    private readonly headerSize: number,
    private readonly little: boolean,
  ) {
    this.type = message[1]!;
  }

  body(): unknown[] {
    return readBody(this.message, this.headerSize, this.signature, this.little);
  }
}

/**
 * Header fields are parsed by hand: this runs once for each of tens of thousands of replies, and only a few fields
 * matter.
 */
export function decode(message: Buffer, headerSize: number): Incoming {
  const little = message[0] === 0x6c;
  const incoming = new DecodedMessage(message, headerSize, little);
  const end = FIXED_HEADER + uint32At(message, 12, little);
  let at = FIXED_HEADER;
  while (at < end) {
    at = (at + 7) & -8;
    const code = message[at]!;
    const typeLength = message[at + 1]!;
    const type = message[at + 2];
    at += 3 + typeLength;
    if (typeLength !== 1) throw new Error('unexpected header field');
    if (type === GENERIC_SIGNATURE) {
      const length = message[at]!;
      if (code === 8) incoming.signature = message.toString('latin1', at + 1, at + 1 + length);
      at += length + 2;
      continue;
    }
    at = (at + 3) & -4;
    const number = uint32At(message, at, little);
    at += 4;
    if (type === UINT32) {
      if (code === 5) incoming.replySerial = number;
    } else {
      setText(incoming, code, message, at, at + number);
      at += number + 1;
    }
  }
  return incoming;
}

function uint32At(message: Buffer, at: number, little: boolean): number {
  return little ? message.readUInt32LE(at) : message.readUInt32BE(at);
}

const GENERIC_SIGNATURE = 0x67;
const UINT32 = 0x75;

function setText(incoming: Incoming, code: number, message: Buffer, start: number, end: number): void {
  if (end > message.length) throw new Error('header field runs past the message');
  // Sender and destination of a reply are known; decoding them would double the work.
  if (incoming.type === REPLY) return;
  if (code === 1) incoming.path = message.toString('utf8', start, end);
  else if (code === 2) incoming.interface = message.toString('utf8', start, end);
  else if (code === 3) incoming.member = message.toString('utf8', start, end);
  else if (code === 4) incoming.errorName = message.toString('utf8', start, end);
  else if (code === 7) incoming.sender = message.toString('utf8', start, end);
}

/** Larger replies are dropped unread: nothing that we request is legitimately that large. */
const MAX_BODY = 16 * 1024 * 1024;

/** Splits incoming bytes into messages. Keeps only the header of a message that is too large. */
export class MessageStream {
  private chunks: Buffer[] = [];
  /** Bytes in `chunks`, and how many the next step needs: a large message is assembled once, not per chunk. */
  private available = 0;
  private needed = 16;
  private bytesToSkip = 0;

  constructor(private readonly onMessage: (incoming: Incoming, tooBig: boolean) => void) {}

  /** Throws on bytes that are not a message. */
  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.available += chunk.length;
    if (this.available < this.needed && this.bytesToSkip === 0) return;
    const buffer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    let at = Math.min(this.bytesToSkip, buffer.length);
    this.bytesToSkip -= at;
    this.needed = 16;
    for (;;) {
      const size = messageSize(buffer, at, buffer.length);
      if (!size) break;
      const tooBig = size.body > MAX_BODY;
      const whole = size.header + (tooBig ? 0 : size.body);
      if (buffer.length - at < whole) {
        this.needed = whole;
        break;
      }
      const incoming = decode(buffer.subarray(at, at + whole), size.header);
      at += whole;
      if (tooBig) {
        const here = Math.min(size.body, buffer.length - at);
        this.bytesToSkip = size.body - here;
        at += here;
      }
      this.onMessage(incoming, tooBig);
    }
    this.chunks = at < buffer.length ? [buffer.subarray(at)] : [];
    this.available = buffer.length - at;
  }
}
