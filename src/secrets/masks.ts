import { LinearRegex, type Span } from '../shared/index.js';

/** As written in a policy file. */
export type MaskSetting = keyof typeof BUILT_IN | { name: string; pattern: string };

interface Mask {
  name: string;
  find: Finder;
}

/** The mark that replaces masked text. */
function maskMark(name: string): string {
  return `‹masked:${name}›`;
}

const MARK = /‹masked:([A-Za-z0-9][\w.-]{0,59})›/g;

const MAX_CACHED = 500;
const MAX_CACHED_LENGTH = 500;

/**
 * Masks text that is stored: OCR results, evidence, the ledger. The live tree is not masked, because agents need it.
 */
export class Masks {
  private readonly masks: readonly Mask[];
  private readonly harmless = new Set<string>();

  /** Throws on a pattern that cannot be searched in linear time. */
  constructor(settings: readonly MaskSetting[]) {
    this.masks = settings.map((setting) =>
      typeof setting === 'string'
        ? { name: setting, find: BUILT_IN[setting] }
        : { name: setting.name, find: finderOf(new LinearRegex(setting.pattern)) },
    );
  }

  redact(text: string): string {
    if (this.harmless.has(text)) return text;
    const redacted = this.masks.reduce((now, mask) => this.betweenMarks(now, (part) => masked(part, mask)), text);
    if (redacted === text) this.cacheHarmless(text);
    return redacted;
  }

  /** Names of windows, apps and tools come with every act, so they are cached. Text that was masked is never cached. */
  private cacheHarmless(text: string): void {
    if (text.length > MAX_CACHED_LENGTH) return;
    if (this.harmless.size >= MAX_CACHED) this.harmless.clear();
    this.harmless.add(text);
  }

  /** Masks do not apply inside our own marks. Marks with unknown names are the app's text. */
  private betweenMarks(text: string, change: (part: string) => string): string {
    let out = '';
    let done = 0;
    for (const { 0: mark, 1: name, index } of text.includes('‹') ? text.matchAll(MARK) : []) {
      if (!this.masks.some((mask) => mask.name === name)) continue;
      out += change(text.slice(done, index)) + mark;
      done = index + mark.length;
    }
    return out + change(text.slice(done));
  }
}

function finderOf(pattern: LinearRegex): Finder {
  return (text) => pattern.spans(text);
}

function masked(text: string, { name, find }: Mask): string {
  let out = '';
  let done = 0;
  for (const [start, end] of find(text)) {
    out += text.slice(done, start) + maskMark(name);
    done = end;
  }
  return out + text.slice(done);
}

type Finder = (text: string) => Span[];

const EMAIL = new LinearRegex('[\\p{L}\\p{N}._%+\\-]+@[\\p{L}\\p{N}\\-]+(\\.[\\p{L}\\p{N}\\-]+)+');
/** Excludes numbers that are never issued. */
const SSN = /(?<!\d)(?!000|666|9)\d{3}([ -])(?!00)\d{2}\1(?!0000)\d{4}(?!\d)/g;
const DIGIT_GROUPS = /\d{3,}(?:[ -]\d{3,})*/g;
const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;

const BUILT_IN: Readonly<Record<'email' | 'ssn' | 'card', Finder>> = {
  email: (text) => (text.includes('@') ? EMAIL.spans(text) : []),
  ssn: (text) => [...text.matchAll(SSN)].map(({ 0: match, index }) => [index, index + match.length]),
  card: (text) => [...text.matchAll(DIGIT_GROUPS)].flatMap(({ 0: match, index }) => cardsIn(match, index)),
};

/**
 * Finds runs of whole digit groups that form a card number: in `4111 1111 1111 1111 555` the last group may be
 * something else.
 */
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
  for (let last = first; last < groups.length && number.length <= MAX_CARD_DIGITS; last++) {
    number += groups[last]!.digits;
    if (isCard(number)) found = last;
  }
  return found;
}

function isCard(number: string): boolean {
  if (number.length < MIN_CARD_DIGITS || number.length > MAX_CARD_DIGITS || !/^[2-6]/.test(number)) return false;
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return sum % 10 === 0;
}
