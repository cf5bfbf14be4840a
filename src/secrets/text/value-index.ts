import { randomInt } from 'node:crypto';
import { fold } from './normalise.js';

interface Form {
  /** Folded, like the text that is searched. */
  text: string;
  /** Base64: the characters at both ends mix bits of the value with bits of its neighbours. */
  edges: boolean;
}

/** A shorter value occurs too often by chance to be searched for everywhere. */
export const SHORT_UNDER = 6;

/** People group digits with spaces and dashes. */
const DIGITS = /^\d[\d -]*\d$/;

function isDigits(value: string): boolean {
  return DIGITS.test(fold(value).trim());
}

/** Occurs by chance all over a screen. It is redacted only as a whole word, in the window where it was typed. */
export function isShort(value: string): boolean {
  return plainForms(value).at(-1)!.length < SHORT_UNDER;
}

/** Folded; for digits, also without separators. */
function plainForms(value: string): string[] {
  const folded = fold(value).trim();
  return isDigits(value) ? [folded, folded.replace(/[ -]/g, '')] : [folded];
}

/** The forms in which a value is searched for. Escapes are not among them: texts are decoded before the search. */
function formsOf(value: string): Form[] {
  const written = new Set([value, value.trim(), value.normalize('NFC'), value.normalize('NFKC')]);
  const coded = new Set([...written].flatMap(base64Forms));
  return [
    ...plainForms(value).map((text) => ({ text, edges: false })),
    ...[...coded].map((text) => ({ text: fold(text), edges: true })),
  ].filter(({ text }) => text.length >= SHORT_UNDER);
}

/** The forms of a short value as a whole word. */
function wordsOf(value: string): string[] {
  const coded = [value, value.trim(), value.normalize('NFC')].map((text) => Buffer.from(text).toString('base64'));
  const both = coded.flatMap((text) => [text, urlSafe(text)]).flatMap((text) => [text, text.replace(/=+$/, '')]);
  return [...new Set([...plainForms(value), ...both.map(fold)])].filter((word) => word !== '');
}

/**
 * The base64 characters that depend on the value alone, for each of the three offsets at which it can start among other
 * bytes.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [0, 1, 2].map((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return forms.flatMap((form) => [form, urlSafe(form)]);
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** A part of a text that contains a value. */
export interface Hit {
  start: number;
  end: number;
  name: string;
  edges: boolean;
}

interface Entry {
  name: string;
  edges: boolean;
  /** The windows where a short value applies; undefined: everywhere. */
  windows?: Set<string>;
}

/** Any piece of this length identifies a value; shorter values are matched as a whole. */
const PIECE_LENGTH = 8;
/** Length of the samples for the quick test. */
const SAMPLE_LENGTH = 4;
/** Every run of `SHORT_UNDER` characters contains a sample that starts at one of these steps. */
const SAMPLE_STEP = SHORT_UNDER - SAMPLE_LENGTH + 1;
const FILTER_BITS = 20;
const WORD = /[\p{L}\p{N}\p{M}]/u;

/**
 * Recognises values without storing them: it keeps only hashes of their pieces, with keys of this process that are
 * never written down. A chance collision of a 53-bit hash redacts a few characters too many, which is very rare.
 */
export class ValueIndex {
  private readonly keys = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  private readonly longValues = new Map<number, Map<number, Entry>>();
  private readonly shortValues = new Map<number, Map<number, Entry>>();
  private readonly wordWindows = new Set<string>();
  private readonly filter = new Uint32Array(2 ** FILTER_BITS / 32);
  /** Whether a value consists of digits: then the search ignores spaces and dashes between digits. */
  digits = false;

  /** Whether any value applies in this window. */
  appliesTo(window: string | undefined): boolean {
    return this.longValues.size > 0 || this.hasShortValues(window);
  }

  /** A short value needs the windows where it applies, by all their names. */
  add(value: string, name: string, windows: Iterable<string>): void {
    this.digits ||= isDigits(value);
    if (isShort(value)) {
      for (const word of wordsOf(value)) this.addWord(word, name, windows);
      return;
    }
    for (const { text, edges } of formsOf(value)) this.addForm(text, { name, edges });
  }

  /** Adds another name for a window where short values apply. */
  addWindowName(window: string, other: string): void {
    for (const entries of this.shortValues.values()) {
      for (const { windows } of entries.values()) if (windows?.has(window)) windows.add(other);
    }
    if (this.wordWindows.has(window)) this.wordWindows.add(other);
  }

  /** Whether a short value applies in this window. */
  hasShortValues(window: string | undefined): window is string {
    return window !== undefined && this.wordWindows.has(window);
  }

  clear(): void {
    this.longValues.clear();
    this.shortValues.clear();
    this.wordWindows.clear();
    this.filter.fill(0);
    this.digits = false;
  }

  /** The name of the short value that equals this text, in any window. */
  nameOfShort(folded: string): string | undefined {
    return this.shortValues.get(folded.length)?.get(this.hashOf(folded, 0, folded.length))?.name;
  }

  /** `false` when the text certainly contains no value; tests a few samples only. */
  mayContain(folded: string, window: string | undefined): boolean {
    return this.passesFilter(folded) || (this.hasShortValues(window) && this.findWords(folded, window).length > 0);
  }

  private passesFilter(folded: string): boolean {
    for (let at = 0; at + SAMPLE_LENGTH <= folded.length; at += SAMPLE_STEP) {
      const bit = sampleAt(folded, at);
      if ((this.filter[bit >>> 5]! & (1 << (bit & 31))) !== 0) return true;
    }
    return false;
  }

  find(folded: string, window: string | undefined): Hit[] {
    const hits: Hit[] = this.hasShortValues(window) ? this.findWords(folded, window) : [];
    if (!this.passesFilter(folded)) return hits;
    for (const [length, entries] of this.longValues) {
      for (let start = 0; start + length <= folded.length; start++) {
        const entry = entries.get(this.hashOf(folded, start, length));
        if (entry) hits.push({ start, end: start + length, name: entry.name, edges: entry.edges });
      }
    }
    return hits;
  }

  private findWords(folded: string, window: string): Hit[] {
    const hits: Hit[] = [];
    for (let start = 0; start < folded.length; start++) {
      if (isWordAt(folded, start - 1)) continue;
      for (const [length, entries] of this.shortValues) {
        const end = start + length;
        if (end > folded.length || isWordAt(folded, end)) continue;
        const entry = entries.get(this.hashOf(folded, start, length));
        if (entry?.windows?.has(window)) hits.push({ start, end, name: entry.name, edges: false });
      }
    }
    return hits;
  }

  private addWord(word: string, name: string, windows: Iterable<string>): void {
    const entries = entriesOf(this.shortValues, word.length);
    const number = this.hashOf(word, 0, word.length);
    const entry = entries.get(number) ?? { name, edges: false, windows: new Set<string>() };
    for (const window of windows) {
      entry.windows!.add(window);
      this.wordWindows.add(window);
    }
    entries.set(number, entry);
  }

  private addForm(form: string, entry: Entry): void {
    const length = Math.min(form.length, PIECE_LENGTH);
    const entries = entriesOf(this.longValues, length);
    for (let start = 0; start + length <= form.length; start++) {
      const number = this.hashOf(form, start, length);
      if (!entries.has(number)) entries.set(number, entry);
    }
    for (let at = 0; at + SAMPLE_LENGTH <= form.length; at++) {
      const bit = sampleAt(form, at);
      this.filter[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  private hashOf(text: string, start: number, length: number): number {
    let [one, other]: [number, number] = [this.keys[0], this.keys[1]];
    for (let at = start; at < start + length; at++) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other + code, 0x9e3779b1) ^ (other >>> 15);
    }
    return (one >>> 0) * 2 ** 21 + (other >>> 11);
  }
}

function entriesOf(map: Map<number, Map<number, Entry>>, length: number): Map<number, Entry> {
  let entries = map.get(length);
  if (!entries) map.set(length, (entries = new Map<number, Entry>()));
  return entries;
}

function sampleAt(text: string, at: number): number {
  let mixed = 0;
  for (let end = at + SAMPLE_LENGTH; at < end; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x5bd1e995);
  return (mixed ^ (mixed >>> 15)) >>> (32 - FILTER_BITS);
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return WORD.test(text.charAt(at));
}
