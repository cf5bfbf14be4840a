import { inspect } from 'node:util';
import { DesktopError } from '../../shared/index.js';
import { markOf } from '../text/redact-values.js';

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
