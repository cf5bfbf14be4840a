import { LinearRegex, type Span } from '../shared/index.js';

/** As a policy file names it. */
export type MaskSetting = keyof typeof BUILT_IN | { name: string; pattern: string };

interface Mask {
  name: string;
  find: Finder;
}

/** What stands where something masked was. */
export function maskMark(name: string): string {
  return `‹masked:${name}›`;
}

const MARK = /‹masked:([A-Za-z0-9][\w.-]{0,59})›/g;

const MOST_KEPT = 500;
const LONGEST_KEPT = 500;

/** For text that is kept: read from pictures, evidence, the ledger. The live tree is not masked, or nobody could use it. */
export class Masks {
  private readonly masks: readonly Mask[];
  private readonly harmless = new Set<string>();

  /** A pattern that cannot be searched in one pass is refused. */
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
    if (redacted === text) this.remember(text);
    return redacted;
  }

  /** Names of windows, apps and tools come with every act. What is to be hidden is not kept. */
  private remember(text: string): void {
    if (text.length > LONGEST_KEPT) return;
    if (this.harmless.size >= MOST_KEPT) this.harmless.clear();
    this.harmless.add(text);
  }

  /** What our marks say is no mask's to read. Marks of other names are an app's. */
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

export type Finder = (text: string) => Span[];

const EMAIL = new LinearRegex('[\\p{L}\\p{N}._%+\\-]+@[\\p{L}\\p{N}\\-]+(\\.[\\p{L}\\p{N}\\-]+)+');
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
