import { DesktopError, editDistance } from '../../shared/index.js';
import { type RolePlatform, ROLES, rolesNamed, roleWords } from '../../tree/index.js';
import { PREFIXES } from '../ast.js';
import { KEYS } from '../match/predicates.js';

export interface SyntaxFault {
  /** Position of the error: 0-based, in UTF-16 units. */
  at: number;
  length?: number;
  message: string;
  hint: string;
  expected?: string[];
  found?: string;
  didYouMean?: string[];
}

export interface SyntaxDetails {
  /** The input, so that the code that prints the error can point into it. */
  input: string;
  position: number;
  length: number;
  expected: string[];
  found: string;
  didYouMean: string[];
}

const MAX_SHOWN = 60;
/** No valid selector is longer than this, but a refused input may have any length. */
const MAX_PRINTED_INPUT = 2_000;

/** A part of the caller's own text for use in a sentence: one line, not too long. */
export function shown(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > MAX_SHOWN ? `${wellFormed(line.slice(0, MAX_SHOWN))}…` : wellFormed(line);
}

/** Half a surrogate pair breaks JSON and terminals. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** The text as it is written in a selector. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export function syntaxError(input: string, fault: SyntaxFault): DesktopError {
  const { at, message, hint, length = 1, expected = [], didYouMean = [] } = fault;
  const details: SyntaxDetails = {
    input: wellFormed(input.slice(0, at + MAX_PRINTED_INPUT)),
    position: at,
    length: Math.max(1, length),
    expected,
    found: fault.found ?? foundAt(input, at),
    didYouMean,
  };
  return new DesktopError('selector_syntax', message, { hint, retry: 'no', details: { ...details } });
}

const OPERATOR = />>|\?\?|&&|\|\|/y;

/** The next token at a position, for "found …". */
export function foundAt(input: string, at: number): string {
  if (at >= input.length) return 'the end';
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(input)?.[0];
  return `"${operator ?? wellFormed(String.fromCodePoint(input.codePointAt(at)!))}"`;
}

/** How much of a long selector is printed around the position. */
const BEFORE = 60;
const AFTER = 40;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** The error for users: what is wrong, the position with a pointer under it, and what to write instead. */
export function syntaxErrorText(error: DesktopError): string {
  const { position } = error.details as unknown as SyntaxDetails;
  const lines = [`selector_syntax at ${position + 1}: ${error.message}`, ...pointerLines(error.details)];
  return [...lines, ...(error.hint ? [error.hint] : [])].join('\n  ');
}

/** The selector and the pointer under the wrong position. Empty for other errors, because details come from JSON. */
export function pointerLines(details: Partial<SyntaxDetails> | undefined): string[] {
  const { input, position, length } = details ?? {};
  if (typeof input !== 'string' || typeof position !== 'number' || typeof length !== 'number') return [];
  const from = Math.max(0, position - BEFORE);
  const to = Math.min(input.length, position + Math.max(length, AFTER));
  const lead = from > 0 ? '…' : '';
  const line = `${lead}${oneLine(input.slice(from, to))}${to < input.length ? '…' : ''}`;
  const before = ' '.repeat(lead.length + columns(input.slice(from, position)));
  const marked = input.slice(position, Math.min(to, position + length));
  return [line, `${before}${'^'.repeat(Math.max(1, columns(marked)))}`];
}

/** One column per UTF-16 unit, so that the pointer stays aligned. */
function oneLine(text: string): string {
  return wellFormed(text.replace(/[\s\p{Cc}]/gu, ' '));
}

function columns(text: string): number {
  let width = 0;
  for (const char of text)
    width += WIDE.test(char) || (char.length > 1 && /\p{Extended_Pictographic}/u.test(char)) ? 2 : 1;
  return width;
}

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
