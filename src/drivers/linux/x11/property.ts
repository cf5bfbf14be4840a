import type { Property } from 'x11';
import type { Atoms } from './atoms.js';

/** The 32-bit items of a property; empty if it is not set or has another format. */
export function readNumbers(property: Property | undefined): number[] {
  if (!property || property.format !== 32) return [];
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= property.data.length; at += 4) numbers.push(property.data.readUInt32LE(at));
  return numbers;
}

/** The text of a property in the encoding of its type; undefined if it is not set. */
export function readText(property: Property | undefined, atoms: Pick<Atoms, 'UTF8_STRING' | 'COMPOUND_TEXT'>) {
  if (!property || property.type === 0 || property.format !== 8) return undefined;
  const bytes = untilZero(property.data);
  if (property.type === atoms.UTF8_STRING) return bytes.toString('utf8');
  if (property.type === atoms.COMPOUND_TEXT) return decodeCompoundText(bytes);
  return bytes.toString('latin1');
}

/** WM_CLASS: two strings, each terminated by a zero byte. */
export function readWmClass(property: Property | undefined): { instance: string; name: string } | undefined {
  if (!property || property.format !== 8 || property.data.length === 0) return undefined;
  const [instance = '', name = ''] = property.data.toString('latin1').split('\0');
  return { instance, name };
}

function untilZero(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}

const ESC = 0x1b;
/** The final byte of an escape sequence that selects a 96-character set for the right half: parts of ISO 8859. */
const RIGHT_HALF: Record<string, string> = {
  A: 'latin1',
  B: 'iso-8859-2',
  C: 'iso-8859-3',
  D: 'iso-8859-4',
  F: 'iso-8859-7',
  G: 'iso-8859-6',
  H: 'iso-8859-8',
  L: 'iso-8859-5',
  M: 'windows-1254',
  b: 'iso-8859-15',
};
/** The final byte for a two-byte set. With the high bits set, both halves match the EUC encodings. */
const TWO_BYTE: Record<string, string> = { A: 'gb2312', B: 'euc-jp', C: 'euc-kr' };

interface DecoderState {
  left: string | undefined;
  right: string;
  utf8: boolean;
}

/**
 * Text of old programs in other scripts (COMPOUND_TEXT: ISO 2022 that starts with ASCII left and Latin-1 right).
 * Unknown sets become U+FFFD rather than wrong letters.
 */
export function decodeCompoundText(bytes: Buffer): string {
  const state: DecoderState = { left: undefined, right: 'latin1', utf8: false };
  let text = '';
  let start = 0;
  const flush = (end: number): void => {
    if (end > start) text += decodeRun(bytes.subarray(start, end), state);
  };
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== ESC) {
      at += 1;
      continue;
    }
    flush(at);
    let end = at + 1;
    while (end < bytes.length && bytes[end]! >= 0x20 && bytes[end]! <= 0x2f) end += 1;
    const middle = bytes.toString('latin1', at + 1, end);
    const final = String.fromCharCode(bytes[end] ?? 0);
    at = end + 1;
    if (middle === '%/') {
      // An extended segment: two length bytes, an encoding name, STX, data.
      const length = ((bytes[at] ?? 0x80) - 0x80) * 128 + ((bytes[at + 1] ?? 0x80) - 0x80);
      const segment = bytes.subarray(at + 2, Math.max(at + 2, at + 2 + length));
      const split = segment.indexOf(2);
      text += decodeWith(segment.toString('latin1', 0, Math.max(split, 0)), segment.subarray(split + 1));
      at += 2 + Math.max(length, 0);
    } else switchSet(state, middle, final);
    start = at;
  }
  flush(bytes.length);
  return text;
}

function switchSet(state: DecoderState, middle: string, final: string): void {
  if (middle === '%') state.utf8 = final === 'G';
  else if (middle === '(') state.left = undefined;
  else if (middle === '-') state.right = RIGHT_HALF[final] ?? 'unknown';
  else if (middle === '$(') state.left = TWO_BYTE[final] ?? 'unknown';
  else if (middle === '$)') state.right = TWO_BYTE[final] ?? 'unknown';
}

function decodeRun(run: Buffer, state: DecoderState): string {
  if (state.utf8) return run.toString('utf8');
  let text = '';
  for (let at = 0; at < run.length;) {
    const right = run[at]! >= 0x80;
    let end = at;
    while (end < run.length && run[end]! >= 0x80 === right) end += 1;
    const part = run.subarray(at, end);
    if (right) text += decodeWith(state.right, part);
    else if (state.left === undefined) text += part.toString('latin1');
    // Spaces and control characters keep their meaning among two-byte letters.
    else
      text += part.every((byte) => byte <= 0x20) ? part.toString('latin1') : decodeWith(state.left, withHighBits(part));
    at = end;
  }
  return text;
}

function withHighBits(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte | 0x80));
}

function decodeWith(encoding: string, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  if (encoding === 'latin1') return bytes.toString('latin1');
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return '\uFFFD'; // This Node does not support the encoding. These letters are lost, but not the rest of the title.
  }
}
