import { editDistance } from '../../shared/index.js';
import { type RolePlatform, ROLES, rolesNamed, roleWords } from '../../tree/index.js';
import { PREFIXES } from '../ast.js';
import { KEYS } from '../match/predicates.js';

const MAX_SUGGESTIONS = 3;
/** Longer words are not typing mistakes, and measuring the distance is quadratic. */
const MAX_WORD_LENGTH = 40;

/** Common words for our keys. */
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

/** The known words that the caller most likely meant, nearest first. */
function likelyWords(word: string, known: readonly string[]): string[] {
  if (word.length > MAX_WORD_LENGTH) return [];
  const typed = word.toLowerCase();
  const limit = Math.max(1, typed.length / 3);
  return known
    .map((name) => ({ name, distance: editDistance(typed, name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

export function likelyKeys(word: string): string[] {
  return [...(SYNONYMS.get(word.toLowerCase()) ?? likelyWords(word, KEYS))];
}

/** For a role name of another platform, suggests our word for it. */
export function likelyRoles(word: string, platform?: RolePlatform): string[] {
  const otherPlatforms = rolesNamed(word);
  if (otherPlatforms.length > 0) return otherPlatforms;
  const plain = word.toLowerCase().replace(/[\s\-_]+/g, '');
  return likelyWords(plain, [...new Set([...ROLES, ...roleWords(platform)])]);
}

export function likelyPrefixesAndRoles(word: string, platform?: RolePlatform): string[] {
  const otherPlatforms = rolesNamed(word);
  if (otherPlatforms.length > 0) return otherPlatforms;
  const prefixes = likelyWords(word, PREFIXES);
  return [...prefixes, ...likelyRoles(word, platform)].slice(0, MAX_SUGGESTIONS);
}

/** `name, window or text` */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
