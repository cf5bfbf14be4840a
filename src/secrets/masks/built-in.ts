import { OnePass, type Span } from '../../shared/index.js';

export type Finder = (text: string) => Span[];

const EMAIL = new OnePass('[\\p{L}\\p{N}._%+\\-]+@[\\p{L}\\p{N}\\-]+(\\.[\\p{L}\\p{N}\\-]+)+');
/** Numbers that are never given out are none. */
const SSN = /(?<!\d)(?!000|666|9)\d{3}([ -])(?!00)\d{2}\1(?!0000)\d{4}(?!\d)/g;
const GROUPS = /\d{3,}(?:[ -]\d{3,})*/g;
const SHORTEST_CARD = 13;
const LONGEST_CARD = 19;

export const BUILT_IN: Readonly<Record<'email' | 'ssn' | 'card', Finder>> = {
  email: (text) => (text.includes('@') ? EMAIL.spans(text) : []),
  ssn: (text) => [...text.matchAll(SSN)].map(({ 0: match, index }) => [index, index + match.length]),
  card: (text) => [...text.matchAll(GROUPS)].flatMap(({ 0: match, index }) => cardsIn(match, index)),
};

/** Whole groups that together are a card: in `4111 1111 1111 1111 555` the last one may be something else. */
function cardsIn(written: string, offset: number): Span[] {
  const groups = [...written.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, start: offset + index }));
  const spans: Span[] = [];
  for (let first = 0; first < groups.length; first++) {
    const last = lastOfCard(groups, first);
    if (last === undefined) continue;
    spans.push([groups[first]!.start, groups[last]!.start + groups[last]!.digits.length]);
    first = last;
  }
  return spans;
}

function lastOfCard(groups: readonly { digits: string }[], first: number): number | undefined {
  let number = '';
  let found: number | undefined;
  for (let last = first; last < groups.length && number.length <= LONGEST_CARD; last++) {
    number += groups[last]!.digits;
    if (isCard(number)) found = last;
  }
  return found;
}

function isCard(number: string): boolean {
  if (number.length < SHORTEST_CARD || number.length > LONGEST_CARD || !/^[2-6]/.test(number)) return false;
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}
