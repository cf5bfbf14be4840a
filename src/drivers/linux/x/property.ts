import type { Property } from 'x11';
import type { Atoms } from './atoms.js';
import { decodeCompoundText } from './compound-text.js';

/** 32-bit items of a property; empty when it is not set or has another shape. */
export function numbersOf(property: Property | undefined): number[] {
  if (!property || property.format !== 32) return [];
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= property.data.length; at += 4) numbers.push(property.data.readUInt32LE(at));
  return numbers;
}

/** Text of a property in the encoding that its type names; undefined when it is not set. */
export function textOf(property: Property | undefined, atoms: Pick<Atoms, 'UTF8_STRING' | 'COMPOUND_TEXT'>) {
  if (!property || property.type === 0 || property.format !== 8) return undefined;
  const bytes = untilZero(property.data);
  if (property.type === atoms.UTF8_STRING) return bytes.toString('utf8');
  if (property.type === atoms.COMPOUND_TEXT) return decodeCompoundText(bytes);
  return bytes.toString('latin1');
}

/** WM_CLASS: two words, each ended by a zero byte. */
export function classOf(property: Property | undefined): { instance: string; name: string } | undefined {
  if (!property || property.format !== 8 || property.data.length === 0) return undefined;
  const [instance = '', name = ''] = property.data.toString('latin1').split('\0');
  return { instance, name };
}

function untilZero(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}
