import { DesktopError } from '../../shared/index.js';

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
