import { randomInt } from 'node:crypto';
import { fold } from './normalise.js';

export interface Form {
  /** Folded, as what it is searched in. */
  text: string;
  /** Base64: the characters at its ends hold bits of its neighbours, and bits of the value. */
  edges: boolean;
}

/** Under this a value is found too often by chance to be looked for everywhere. */
export const SHORT_UNDER = 6;

/** Spaces and dashes are how people group digits. */
const DIGITS = /^\d[\d -]*\d$/;

export function isDigits(value: string): boolean {
  return DIGITS.test(fold(value).trim());
}

/** Found by chance all over a screen: it counts as a word of its own only, in the window it was typed into. */
export function isShort(value: string): boolean {
  return plainForms(value).at(-1)!.length < SHORT_UNDER;
}

/** Folded; of digits also without what groups them. */
function plainForms(value: string): string[] {
  const folded = fold(value).trim();
  return isDigits(value) ? [folded, folded.replace(/[ -]/g, '')] : [folded];
}

/** The forms in which a value is looked for. Escapes are not among them: texts are read without those. */
export function formsOf(value: string): Form[] {
  const written = new Set([value, value.trim(), value.normalize('NFC'), value.normalize('NFKC')]);
  const coded = new Set([...written].flatMap(base64Forms));
  return [
    ...plainForms(value).map((text) => ({ text, edges: false })),
    ...[...coded].map((text) => ({ text: fold(text), edges: true })),
  ].filter(({ text }) => text.length >= SHORT_UNDER);
}

/** What a short value is as a word of its own. */
export function wordsOf(value: string): string[] {
  const coded = [value, value.trim(), value.normalize('NFC')].map((text) => Buffer.from(text).toString('base64'));
  const both = coded.flatMap((text) => [text, urlSafe(text)]).flatMap((text) => [text, text.replace(/=+$/, '')]);
  return [...new Set([...plainForms(value), ...both.map(fold)])].filter((word) => word !== '');
}

/** At each of the three places where it can begin among other bytes, those characters that depend on it alone. */
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

/** A part of a text that holds a value. */
export interface Hit {
  start: number;
  end: number;
  name: string;
  edges: boolean;
}

interface Entry {
  name: string;
  edges: boolean;
  /** Where a short value counts; undefined: everywhere. */
  windows?: Set<string>;
}

/** Any piece of a value of this length is as good as the value; shorter values count as a whole. */
const PIECE = 8;
/** Of what is sampled to see quickly that nothing is there. */
const SAMPLE = 4;
/** Every part of `SHORT_UNDER` characters holds a sample that begins at one of these steps. */
const STEP = SHORT_UNDER - SAMPLE + 1;
const FILTER_BITS = 20;
const WORD = /[\p{L}\p{N}\p{M}]/u;

/**
 * Knows values again without keeping them: only numbers made from their pieces with keys of this process, which nobody
 * writes down. A number of 53 bits that fits by chance blacks out a few characters too many, once in ages.
 */
export class ValueIndex {
  private readonly keys = [randomInt(2 ** 32), randomInt(2 ** 32)] as const;
  private readonly everywhere = new Map<number, Map<number, Entry>>();
  private readonly asWords = new Map<number, Map<number, Entry>>();
  private readonly wordWindows = new Set<string>();
  private readonly filter = new Uint32Array(2 ** FILTER_BITS / 32);
  /** Whether a value is made of digits: then they are looked for through spaces and dashes. */
  digits = false;

  /** Whether any value counts in this window. */
  countsIn(window: string | undefined): boolean {
    return this.everywhere.size > 0 || this.hasWords(window);
  }

  /** A short value needs the windows in which it counts, by whatever names those go. */
  add(value: string, name: string, windows: Iterable<string>): void {
    this.digits ||= isDigits(value);
    if (isShort(value)) {
      for (const word of wordsOf(value)) this.addWord(word, name, windows);
      return;
    }
    for (const { text, edges } of formsOf(value)) this.addForm(text, { name, edges });
  }

  /** Another name of a window in which short values count. */
  alsoNamed(window: string, other: string): void {
    for (const entries of this.asWords.values()) {
      for (const { windows } of entries.values()) if (windows?.has(window)) windows.add(other);
    }
    if (this.wordWindows.has(window)) this.wordWindows.add(other);
  }

  /** Whether a short value counts in this window. */
  hasWords(window: string | undefined): window is string {
    return window !== undefined && this.wordWindows.has(window);
  }

  clear(): void {
    this.everywhere.clear();
    this.asWords.clear();
    this.wordWindows.clear();
    this.filter.fill(0);
    this.digits = false;
  }

  /** The short value that this text is, whatever the window. */
  wordNamed(folded: string): string | undefined {
    return this.asWords.get(folded.length)?.get(this.numberOf(folded, 0, folded.length))?.name;
  }

  /** False when nothing is there; told from a few samples. */
  mayHold(folded: string, window: string | undefined): boolean {
    return this.isSampled(folded) || (this.hasWords(window) && this.findWords(folded, window).length > 0);
  }

  private isSampled(folded: string): boolean {
    for (let at = 0; at + SAMPLE <= folded.length; at += STEP) {
      const bit = sampleAt(folded, at);
      if ((this.filter[bit >>> 5]! & (1 << (bit & 31))) !== 0) return true;
    }
    return false;
  }

  find(folded: string, window: string | undefined): Hit[] {
    const hits: Hit[] = this.hasWords(window) ? this.findWords(folded, window) : [];
    if (!this.isSampled(folded)) return hits;
    for (const [length, entries] of this.everywhere) {
      for (let start = 0; start + length <= folded.length; start++) {
        const entry = entries.get(this.numberOf(folded, start, length));
        if (entry) hits.push({ start, end: start + length, name: entry.name, edges: entry.edges });
      }
    }
    return hits;
  }

  private findWords(folded: string, window: string): Hit[] {
    const hits: Hit[] = [];
    for (let start = 0; start < folded.length; start++) {
      if (isWordAt(folded, start - 1)) continue;
      for (const [length, entries] of this.asWords) {
        const end = start + length;
        if (end > folded.length || isWordAt(folded, end)) continue;
        const entry = entries.get(this.numberOf(folded, start, length));
        if (entry?.windows?.has(window)) hits.push({ start, end, name: entry.name, edges: false });
      }
    }
    return hits;
  }

  private addWord(word: string, name: string, windows: Iterable<string>): void {
    const entries = entriesOf(this.asWords, word.length);
    const number = this.numberOf(word, 0, word.length);
    const entry = entries.get(number) ?? { name, edges: false, windows: new Set<string>() };
    for (const window of windows) {
      entry.windows!.add(window);
      this.wordWindows.add(window);
    }
    entries.set(number, entry);
  }

  private addForm(form: string, entry: Entry): void {
    const length = Math.min(form.length, PIECE);
    const entries = entriesOf(this.everywhere, length);
    for (let start = 0; start + length <= form.length; start++) {
      const number = this.numberOf(form, start, length);
      if (!entries.has(number)) entries.set(number, entry);
    }
    for (let at = 0; at + SAMPLE <= form.length; at++) {
      const bit = sampleAt(form, at);
      this.filter[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  private numberOf(text: string, start: number, length: number): number {
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
  for (let end = at + SAMPLE; at < end; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x5bd1e995);
  return (mixed ^ (mixed >>> 15)) >>> (32 - FILTER_BITS);
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return WORD.test(text.charAt(at));
}
