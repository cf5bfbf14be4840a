import { alignmentOf, parseSignature, type Type } from './signature.js';

/** A variant keeps its signature, so that it can be encoded again. */
export interface Variant {
  signature: string;
  value: unknown;
}

interface Cursor {
  buffer: Buffer;
  at: number;
  little: boolean;
  depth: number;
}

type Read = (cursor: Cursor) => unknown;

const MAX_DEPTH = 64;
const readers = new Map<string, Read[]>();

/**
 * Decodes `message` from `at` on as a body with this signature; `at` is a multiple of 8, as at the start of every body.
 * Throws on anything that does not match.
 */
export function readBody(message: Buffer, at: number, signature: string, little: boolean): unknown[] {
  if (signature === '') return [];
  const cursor: Cursor = { buffer: message, at, little, depth: 0 };
  return readersFor(signature).map((read) => read(cursor));
}

function readersFor(signature: string): Read[] {
  let list = readers.get(signature);
  if (!list) {
    list = parseSignature(signature).map(compile);
    if (readers.size < 1000) readers.set(signature, list);
  }
  return list;
}

function align(cursor: Cursor, to: number): void {
  cursor.at = (cursor.at + to - 1) & -to;
}

function uint32(cursor: Cursor): number {
  align(cursor, 4);
  const value = cursor.little ? cursor.buffer.readUInt32LE(cursor.at) : cursor.buffer.readUInt32BE(cursor.at);
  cursor.at += 4;
  return value;
}

function text(cursor: Cursor): string {
  const length = uint32(cursor);
  const end = cursor.at + length;
  if (end >= cursor.buffer.length) throw new Error('string runs past the message');
  const value = cursor.buffer.toString('utf8', cursor.at, end);
  cursor.at = end + 1;
  return value;
}

function signatureText(cursor: Cursor): string {
  const length = cursor.buffer.readUInt8(cursor.at);
  const value = cursor.buffer.toString('latin1', cursor.at + 1, cursor.at + 1 + length);
  cursor.at += length + 2;
  return value;
}

function fixed(
  size: number,
  little: (b: Buffer, at: number) => unknown,
  big: (b: Buffer, at: number) => unknown,
): Read {
  return (cursor) => {
    align(cursor, size);
    const value = cursor.little ? little(cursor.buffer, cursor.at) : big(cursor.buffer, cursor.at);
    cursor.at += size;
    return value;
  };
}

// 64-bit integers become numbers: accessibility sends none that need more than 53 bits.
const BASIC_READERS: Record<string, Read> = {
  y: (cursor) => cursor.buffer.readUInt8(cursor.at++),
  b: (cursor) => uint32(cursor) !== 0,
  n: fixed(
    2,
    (b, at) => b.readInt16LE(at),
    (b, at) => b.readInt16BE(at),
  ),
  q: fixed(
    2,
    (b, at) => b.readUInt16LE(at),
    (b, at) => b.readUInt16BE(at),
  ),
  i: fixed(
    4,
    (b, at) => b.readInt32LE(at),
    (b, at) => b.readInt32BE(at),
  ),
  u: uint32,
  h: uint32,
  x: fixed(
    8,
    (b, at) => Number(b.readBigInt64LE(at)),
    (b, at) => Number(b.readBigInt64BE(at)),
  ),
  t: fixed(
    8,
    (b, at) => Number(b.readBigUInt64LE(at)),
    (b, at) => Number(b.readBigUInt64BE(at)),
  ),
  d: fixed(
    8,
    (b, at) => b.readDoubleLE(at),
    (b, at) => b.readDoubleBE(at),
  ),
  s: text,
  o: text,
  g: signatureText,
};

function compile(type: Type): Read {
  switch (type.kind) {
    case 'basic':
      return BASIC_READERS[type.code]!;
    case 'variant':
      return readVariant;
    case 'struct': {
      const fields = type.fields.map(compile);
      return (cursor) => {
        align(cursor, 8);
        return fields.map((read) => read(cursor));
      };
    }
    case 'array':
      return elements(compile(type.of), alignmentOf(type.of));
    case 'dict': {
      const key = compile(type.key);
      const value = compile(type.value);
      return elements((cursor) => {
        align(cursor, 8);
        return [key(cursor), value(cursor)];
      }, 8);
    }
  }
}

function elements(read: Read, alignment: number): Read {
  return (cursor) => {
    const length = uint32(cursor);
    align(cursor, alignment);
    const end = cursor.at + length;
    if (end > cursor.buffer.length) throw new Error('array runs past the message');
    const list: unknown[] = [];
    while (cursor.at < end) {
      const before = cursor.at;
      list.push(read(cursor));
      // An empty struct would not advance and loop forever.
      if (cursor.at === before) throw new Error('array of nothing');
    }
    if (cursor.at !== end) throw new Error('array ends in the middle of an element');
    return list;
  };
}

function readVariant(cursor: Cursor): Variant {
  if (++cursor.depth > MAX_DEPTH) throw new Error('variants nested too deeply');
  const signature = signatureText(cursor);
  const [read, more] = readersFor(signature);
  if (!read || more) throw new Error('a variant holds exactly one value');
  const value = read(cursor);
  cursor.depth--;
  return { signature, value };
}
