import { cleanText } from '../../shared/index.js';
import type { Deed } from './aim.js';
import { tookAll } from './took-all.js';

export type Expected = NonNullable<Deed['expected']>;

/** What stands there, against what should: `alike` is the same as far as it can be told. */
export function readsAs(expected: Expected, there: string | number): 'same' | 'alike' | 'otherwise' {
  if (fits(expected, there)) return 'same';
  return looksLike(expected, there) ? 'alike' : 'otherwise';
}

function fits(expected: Expected, there: string | number): boolean {
  if ('part' in expected) return isIn(lines(expected.part), expected, lines(String(there)));
  return typeof expected.value === 'number' && there !== ''
    ? Number(there) === expected.value
    : there === expected.value;
}

/** What nobody sees (direction marks, soft hyphens) is taken out of what is read. */
function looksLike(expected: Expected, there: string | number): boolean {
  const wanted = 'part' in expected ? expected.part : expected.value;
  if (typeof wanted !== 'string') return false;
  const seen = lines(cleanText(wanted).text);
  if (seen === lines(wanted)) return false;
  const now = lines(String(there));
  return 'part' in expected ? isIn(seen, expected, now) : now === seen;
}

function isIn(part: string, { held }: Extract<Expected, { part: string }>, now: string): boolean {
  return held ? tookAll(part, { ...held, text: lines(held.text) }, now) : now.includes(part);
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n');
