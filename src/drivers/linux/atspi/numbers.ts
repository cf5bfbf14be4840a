import type { AppCalls } from './app-link.js';
import { VALUE } from './interfaces.js';
import { readNumber } from './raw-element.js';
import { readFieldText } from './text.js';
import type { Toolkit } from './toolkit.js';

/** So many digits tell every number of 32 bits apart; fewer are enough for most. */
const MOST_DIGITS = 9;
/** No number that a person writes is longer. */
const LONGEST = 40;

/** 0.30000000000000004 is 0.3 to a person; limits like -1.7976931348623157e308 stay as they are. */
export function tidyNumber(value: number, { numbersIn32Bits }: Toolkit): number {
  if (numbersIn32Bits && Math.fround(value) === value) return shortest(value);
  return Math.abs(value) < 1e15 ? Number(value.toPrecision(12)) : value;
}

/** Arrives there as it is. */
export function arrivesExactly(value: number, { numbersIn32Bits }: Toolkit): boolean {
  return !numbersIn32Bits || Math.fround(value) === value;
}

/**
 * The number that a range holds. Where numbers come in 32 bits a field that is typed into has all the digits in its
 * text, which is believed as far as it is the same number.
 */
export async function readHeldNumber(calls: AppCalls, path: string, typedInto: boolean): Promise<number | undefined> {
  const { toolkit } = calls.app;
  const written = toolkit.numbersIn32Bits && typedInto;
  const [told, field] = await Promise.all([
    readNumber(calls, path, VALUE, 'CurrentValue'),
    written ? readFieldText(calls, path, false) : undefined,
  ]);
  if (told === undefined) return undefined;
  const exact = field && numberIn(field.text);
  return exact !== undefined && Math.fround(exact) === told ? exact : tidyNumber(told, toolkit);
}

/** Written as pages show it, with the comma of some languages. */
function numberIn(text: string): number | undefined {
  const plain = text.trim().replace(',', '.');
  return plain !== '' && plain.length <= LONGEST ? Number(plain) : undefined;
}

/** 19.99 for 19.9899997711: the fewest digits that are the same 32 bits. */
function shortest(value: number): number {
  for (let digits = 1; digits <= MOST_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
