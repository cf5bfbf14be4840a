import { inspect } from 'node:util';
import { DesktopError } from '../../shared/index.js';
import { markOf } from '../text/redact-text.js';

/** A secret on its way to a field. Printed, quoted or made JSON, it is its mark. Whoever asked for it wipes it. */
export class SecretValue {
  #bytes: Buffer | undefined;

  /** Takes the bytes over: they are zeroed with it. */
  constructor(
    readonly name: string,
    bytes: Buffer,
  ) {
    this.#bytes = bytes;
  }

  /** A string of V8's cannot be wiped: ask late, and keep it nowhere. */
  reveal(): string {
    if (!this.#bytes) throw new DesktopError('command_failed', `The secret ${this.name} was wiped already.`);
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

/** Neither a value nor what a command printed or was called with is ever part of it, so there is no cause either. */
export function secretFault(name: string, what: string, hint: string): DesktopError {
  return new DesktopError('command_failed', `The secret ${name} cannot be had: ${what}.`, { retry: 'no', hint });
}

/** In bytes, from any source. */
export const LARGEST_SECRET = 64 * 1024;

/** One trailing newline goes, as it does in a shell; what is left has to be text. Takes `bytes` over. */
export function checkedText(name: string, bytes: Buffer): Buffer {
  const text = withoutNewline(bytes);
  const fault = faultOf(text);
  if (fault === undefined) return text;
  bytes.fill(0);
  throw secretFault(name, fault, 'See what its source gives; it must be text that can be typed.');
}

function withoutNewline(bytes: Buffer): Buffer {
  if (bytes.at(-1) !== 0x0a) return bytes;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function faultOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return 'it is not text';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim() === '' ? 'it is empty' : undefined;
  } catch {
    return 'it is not text'; // Which byte is wrong would be a part of it.
  }
}
