import { inspect } from 'node:util';
import { DesktopError } from '../../shared/index.js';
import { markOf } from '../text/redact-text.js';

/**
 * A secret on its way to a field. When printed or serialised it shows only its mark. The caller that resolved it must
 * wipe it.
 */
export class SecretValue {
  #bytes: Buffer | undefined;

  /** Takes ownership of the bytes and zeroes them on `wipe`. */
  constructor(
    readonly name: string,
    bytes: Buffer,
  ) {
    this.#bytes = bytes;
  }

  /** A V8 string cannot be wiped: call this as late as possible and do not store the result. */
  reveal(): string {
    if (!this.#bytes) throw new DesktopError('command_failed', `The secret ${this.name} was already wiped.`);
    return this.#bytes.toString('utf8');
  }

  wipe(): void {
    this.#bytes?.fill(0);
    this.#bytes = undefined;
  }

  toString(): string {
    return markOf(this.name);
  }

  toJSON(): string {
    return markOf(this.name);
  }

  [inspect.custom](): string {
    return markOf(this.name);
  }
}

/** The error never contains the value, the command's output or its arguments, so it has no cause either. */
export function secretError(name: string, what: string, hint: string): DesktopError {
  return new DesktopError('command_failed', `The secret ${name} is not available: ${what}.`, { retry: 'no', hint });
}

/** For all sources. */
export const MAX_SECRET_BYTES = 64 * 1024;

/** Removes one trailing newline, as a shell does; the rest must be text. Takes ownership of `bytes`. */
export function validateText(name: string, bytes: Buffer): Buffer {
  const text = trimNewline(bytes);
  const fault = textFault(text);
  if (fault === undefined) return text;
  bytes.fill(0);
  throw secretError(name, fault, 'Check what its source returns; it must be text that can be typed.');
}

function trimNewline(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function textFault(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return 'it is not text';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim() === '' ? 'it is empty' : undefined;
  } catch {
    return 'it is not text'; // The decoder's message could reveal a part of the value.
  }
}
