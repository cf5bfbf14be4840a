import { alignmentOf, parseSignature, assertObjectPath, type Type } from './signature.js';
import type { Variant } from './reader.js';

const FIRST_SIZE = 256;
/** A writer that grew beyond this size frees its memory when it restarts. */
const KEPT_SIZE = 64 * 1024;

/** Grows while it is written; always little-endian, since every peer must accept both byte orders. */
export class Writer {
  private buffer = Buffer.allocUnsafe(FIRST_SIZE);
  at = 0;

  /** Discards the content and starts with `start`. */
  restart(start: Buffer): void {
    this.at = 0;
    if (this.buffer.length > KEPT_SIZE) this.buffer = Buffer.allocUnsafe(FIRST_SIZE);
    this.room(start.length);
    this.at = start.copy(this.buffer);
  }

  private room(size: number): void {
    if (this.at + size <= this.buffer.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + size));
    this.buffer.copy(bigger, 0, 0, this.at);
    this.buffer = bigger;
  }

  align(to: number): void {
    const end = (this.at + to - 1) & -to;
    this.room(end - this.at);
    this.buffer.fill(0, this.at, end);
    this.at = end;
  }

  byte(value: number): void {
    this.room(1);
    this.buffer[this.at++] = value;
  }

  uint32(value: number): void {
    this.align(4);
    this.room(4);
    this.at = this.buffer.writeUInt32LE(value >>> 0, this.at);
  }

  patchUint32(at: number, value: number): void {
    this.buffer.writeUInt32LE(value >>> 0, at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.uint32(length);
    this.room(length + 1);
    this.buffer.write(value, this.at);
    this.at += length;
    this.buffer[this.at++] = 0;
  }

  signature(value: string): void {
    this.byte(value.length);
    this.room(value.length + 1);
    this.at += this.buffer.write(value, this.at, 'latin1');
    this.buffer[this.at++] = 0;
  }

  private number(size: number, put: (buffer: Buffer, at: number) => void): void {
    this.align(size);
    this.room(size);
    put(this.buffer, this.at);
    this.at += size;
  }

  body(signature: string, values: readonly unknown[]): void {
    const types = parseSignature(signature);
    if (types.length !== values.length) throw new Error(`signature ${signature} needs ${types.length} values`);
    types.forEach((type, i) => this.value(type, values[i]));
  }

  private value(type: Type, value: unknown): void {
    switch (type.kind) {
      case 'basic':
        return this.basic(type.code, value);
      case 'variant': {
        const variant = value as Variant;
        this.signature(variant.signature);
        return this.body(variant.signature, [variant.value]);
      }
      case 'struct':
        this.align(8);
        return type.fields.forEach((field, i) => this.value(field, (value as unknown[])[i]));
      case 'array':
        return this.list(alignmentOf(type.of), value as unknown[], (item) => this.value(type.of, item));
      case 'dict':
        return this.list(8, value as [unknown, unknown][], ([key, entry]) => {
          this.align(8);
          this.value(type.key, key);
          this.value(type.value, entry);
        });
    }
  }

  private list<T>(alignment: number, items: readonly T[], write: (item: T) => void): void {
    this.uint32(0);
    const lengthAt = this.at - 4;
    this.align(alignment);
    const start = this.at;
    items.forEach(write);
    this.patchUint32(lengthAt, this.at - start);
  }

  private basic(code: string, value: unknown): void {
    switch (code) {
      case 'y':
        return this.byte(value as number);
      case 'b':
        return this.uint32(value ? 1 : 0);
      case 'n':
        return this.number(2, (b, at) => b.writeInt16LE(value as number, at));
      case 'q':
        return this.number(2, (b, at) => b.writeUInt16LE(value as number, at));
      case 'i':
        return this.number(4, (b, at) => b.writeInt32LE(value as number, at));
      case 'u':
      case 'h':
        return this.uint32(value as number);
      case 'x':
        return this.number(8, (b, at) => b.writeBigInt64LE(BigInt(value as number), at));
      case 't':
        return this.number(8, (b, at) => b.writeBigUInt64LE(BigInt(value as number), at));
      case 'd':
        return this.number(8, (b, at) => b.writeDoubleLE(value as number, at));
      case 'g':
        return this.signature(value as string);
      case 'o':
        assertObjectPath(value as string);
        return this.text(value as string);
      default:
        if ((value as string).includes('\0')) throw new Error('a string contains a NUL');
        return this.text(value as string);
    }
  }

  /** Returns a copy of the content. */
  take(): Buffer {
    return Buffer.from(this.buffer.subarray(0, this.at));
  }
}
