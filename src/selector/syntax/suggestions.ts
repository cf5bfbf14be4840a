import { type RolePlatform, ROLES, rolesNamed, roleWords } from '../../tree/index.js';
import { PREFIXES } from '../ast.js';
import { KEYS } from '../match/predicates.js';

const MOST = 3;
/** Nobody mistypes a word this long; and measuring is quadratic. */
const LONGEST = 40;

/** What people call our keys. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['title', ['name', 'window']],
  ['label', ['name']],
  ['class', ['className']],
  ['type', ['role']],
  ['controltype', ['role']],
  ['pid', ['process']],
  ['disabled', ['enabled']],
  ['hidden', ['visible']],
]);

/** The known words that someone most likely meant, nearest first. */
export function likelyWords(word: string, known: readonly string[]): string[] {
  if (word.length > LONGEST) return [];
  const asked = word.toLowerCase();
  const limit = Math.max(1, asked.length / 3);
  return known
    .map((name) => ({ name, distance: editDistance(asked, name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name);
}

export function likelyKeys(word: string): string[] {
  return [...(SYNONYMS.get(word.toLowerCase()) ?? likelyWords(word, KEYS))];
}

/** A role that only another platform knows is answered in our word for it. */
export function likelyRoles(word: string, platform?: RolePlatform): string[] {
  const elsewhere = rolesNamed(word);
  if (elsewhere.length > 0) return elsewhere;
  const plain = word.toLowerCase().replace(/[\s\-_]+/g, '');
  return likelyWords(plain, [...new Set([...ROLES, ...roleWords(platform)])]);
}

export function likelyPrefixesAndRoles(word: string, platform?: RolePlatform): string[] {
  const elsewhere = rolesNamed(word);
  if (elsewhere.length > 0) return elsewhere;
  const prefixes = likelyWords(word, PREFIXES);
  return [...prefixes, ...likelyRoles(word, platform)].slice(0, MOST);
}

/** `name, window or text` */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Damerau-Levenshtein (a swap of neighbours counts as one edit). Gives up above `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
