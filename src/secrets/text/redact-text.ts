import { CUT_MARK, cutMark } from '../../shared/index.js';
import { isEncoded, joinDigits, decodedVariants, SPLIT_DIGITS } from './decode.js';
import { fold, originOf } from './normalise.js';
import type { Hit, ValueIndex } from './value-index.js';

/** The mark that replaces a secret. */
export function markOf(name: string): string {
  return `‹secret:${name}›`;
}

/** A part of a text with its surroundings. */
export interface Part {
  before: string;
  text: string;
  after: string;
}

const MARK = /‹secret:([A-Za-z0-9][\w.-]{0,59})›/g;
/** Text that lower case alone folds. */
const SIMPLE = /^(?:[!-~]| (?! ))*$/;
const BASE64_CHAR = /[A-Za-z0-9+/_-]/;

/** Replaces values by marks. Returns the same string when it contains no value. */
export class ValueRedaction {
  constructor(
    private readonly index: ValueIndex,
    /** Marks with these names are ours and are never searched. Marks with other names are ordinary text. */
    private readonly names: ReadonlySet<string>,
  ) {}

  redact(text: string, window?: string): string {
    if (!this.mayContainValue(text, window)) return text;
    // After a replacement, the rest may have become a word of its own. Each round removes something, so this ends.
    let now = text;
    for (let before = ''; before !== now;) {
      before = now;
      now = this.redactOnce(now, window);
    }
    return now;
  }

  /**
   * Redacts a part of a text. Characters that belong to a value that starts before it or ends after it are redacted
   * too.
   */
  redactPart({ before, text, after }: Part, window?: string): string {
    const all = before + text + after;
    if (!this.mayContainValue(all, window)) return text;
    const hits = this.hitsIn(all, window).map((hit) => ({
      ...hit,
      start: Math.max(hit.start - before.length, 0),
      end: Math.min(hit.end - before.length, text.length),
    }));
    const inside = hits.filter(({ start, end }) => start < end);
    return this.redact(replaceHits(text, inside), window);
  }

  /** Whether the text contains one of our marks. */
  isMarked(text: string): boolean {
    return [...text.matchAll(MARK)].some(([, name]) => this.names.has(name!));
  }

  /** A quick test that clears most texts. `true` needs a full search. */
  private mayContainValue(text: string, window: string | undefined): boolean {
    if (!this.index.appliesTo(window)) return false;
    if (isEncoded(text)) return true;
    const folded = SIMPLE.test(text) ? text.toLowerCase() : fold(text);
    if (this.index.mayContain(folded, window)) return true;
    return this.index.digits && SPLIT_DIGITS.test(folded) && this.index.mayContain(joinDigits(folded), window);
  }

  private redactOnce(text: string, window: string | undefined): string {
    let out = '';
    let done = 0;
    for (const { 0: mark, 1: name, index } of text.matchAll(MARK)) {
      if (!this.names.has(name!)) continue;
      out += this.redactSegment(text.slice(done, index), window) + mark;
      done = index + mark.length;
    }
    return out + this.redactSegment(text.slice(done), window);
  }

  private redactSegment(text: string, window: string | undefined): string {
    return replaceHits(text, this.hitsIn(text, window));
  }

  private hitsIn(text: string, window: string | undefined): Hit[] {
    const hits: Hit[] = [];
    for (const reading of decodedVariants(text, this.index)) {
      const found = this.index.find(reading.text, window);
      if (found.length === 0) continue;
      const traced = reading.trace();
      for (const hit of found) {
        const [start, end] = originOf(traced, hit.start, hit.end);
        hits.push(hit.edges ? { ...hit, ...widenBase64(text, start, end) } : { ...hit, start, end });
      }
    }
    return hits;
  }
}

/** Widens a match by one character on each side, and by the padding at the end. */
function widenBase64(text: string, start: number, end: number): { start: number; end: number } {
  if (BASE64_CHAR.test(text.charAt(start - 1))) start--;
  if (BASE64_CHAR.test(text.charAt(end))) end++;
  while (text[end] === '=') end++;
  return { start, end };
}

function replaceHits(text: string, hits: Hit[]): string {
  hits.sort((a, b) => a.start - b.start || b.end - a.end);
  let out = '';
  let done = 0;
  let last = '';
  for (const { start, end, name } of hits) {
    if (end <= done) continue;
    out += text.slice(done, start);
    // A match that continues where the last one ended belongs to the same secret or is covered by its mark.
    if (start > done || (start === done && name !== last)) out += markOf(name);
    done = end;
    last = name;
  }
  return out + text.slice(done);
}

/**
 * Fewer than 8 characters of a truncated value can remain unrecognised; in an encoding, each may take several
 * characters.
 */
const MAX_LEFTOVER = 64;

/**
 * Trims a truncated text a little more: its last characters may be the beginning of a value, too short to be
 * recognised. Every truncated text is trimmed, so that a caller cannot test guesses of the beginning.
 */
export function trimTruncatedEnd(text: string): string {
  const cut = CUT_MARK.exec(text);
  if (!cut) return text;
  const marked = [...text.matchAll(MARK)].at(-1);
  const from = marked ? marked.index + marked[0].length : 0;
  const end = [...text.slice(from, cut.index)];
  const dropped = Math.min(MAX_LEFTOVER, end.length);
  const kept = text.slice(0, from) + end.slice(0, end.length - dropped).join('');
  // How much is missing would tell how long a value in the rest is.
  return kept + cutMark(Infinity);
}
