import { isCoded, joinDigits, readings, SPLIT_DIGITS } from './decode.js';
import { fold, originOf } from './normalise.js';
import type { Hit, ValueIndex } from './value-index.js';

/** What stands where a secret was. */
export function markOf(name: string): string {
  return `‹secret:${name}›`;
}

/** A part of a text, and what stands around it there. */
export interface Part {
  before: string;
  text: string;
  after: string;
}

export const MARK = /‹secret:([A-Za-z0-9][\w.-]{0,59})›/g;
/** Folded by lower case alone. */
const PLAIN = /^(?:[!-~]| (?! ))*$/;
const OF_BASE64 = /[A-Za-z0-9+/_-]/;

/** Puts marks in the place of values. The text itself, the very same, when there is nothing to hide in it. */
export class ValueRedaction {
  constructor(
    private readonly index: ValueIndex,
    /** Marks of these names are ours: never looked into. Of other names they are any text. */
    private readonly names: ReadonlySet<string>,
  ) {}

  redact(text: string, window?: string): string {
    if (!this.isSuspect(text, window)) return text;
    // What is left may be a word of its own only now. Each round takes something away, so this ends.
    let now = text;
    for (let before = ''; before !== now;) {
      before = now;
      now = this.once(now, window);
    }
    return now;
  }

  /** A part of a text. What it shares with a value that begins before it or ends after it is hidden too. */
  redactPart({ before, text, after }: Part, window?: string): string {
    const all = before + text + after;
    if (!this.isSuspect(all, window)) return text;
    const hits = this.hitsIn(all, window).map((hit) => ({
      ...hit,
      start: Math.max(hit.start - before.length, 0),
      end: Math.min(hit.end - before.length, text.length),
    }));
    const inside = hits.filter(({ start, end }) => start < end);
    return this.redact(replaceHits(text, inside), window);
  }

  /** Whether there is a mark of ours in it. */
  isMarked(text: string): boolean {
    return [...text.matchAll(MARK)].some(([, name]) => this.names.has(name!));
  }

  /** A glance, that is enough for most texts. True is no answer yet. */
  private isSuspect(text: string, window: string | undefined): boolean {
    if (!this.index.countsIn(window)) return false;
    if (isCoded(text)) return true;
    const folded = PLAIN.test(text) ? text.toLowerCase() : fold(text);
    if (this.index.mayHold(folded, window)) return true;
    return this.index.digits && SPLIT_DIGITS.test(folded) && this.index.mayHold(joinDigits(folded), window);
  }

  private once(text: string, window: string | undefined): string {
    let out = '';
    let done = 0;
    for (const { 0: mark, 1: name, index } of text.matchAll(MARK)) {
      if (!this.names.has(name!)) continue;
      out += this.part(text.slice(done, index), window) + mark;
      done = index + mark.length;
    }
    return out + this.part(text.slice(done), window);
  }

  private part(text: string, window: string | undefined): string {
    return replaceHits(text, this.hitsIn(text, window));
  }

  private hitsIn(text: string, window: string | undefined): Hit[] {
    const hits: Hit[] = [];
    for (const reading of readings(text, this.index)) {
      const found = this.index.find(reading.text, window);
      if (found.length === 0) continue;
      const traced = reading.trace();
      for (const hit of found) {
        const [start, end] = originOf(traced, hit.start, hit.end);
        hits.push(hit.edges ? { ...hit, ...widened(text, start, end) } : { ...hit, start, end });
      }
    }
    return hits;
  }
}

/** By one character at each side, and by the filling at the end. */
function widened(text: string, start: number, end: number): { start: number; end: number } {
  if (OF_BASE64.test(text.charAt(start - 1))) start--;
  if (OF_BASE64.test(text.charAt(end))) end++;
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
    // What goes on where the last one ended is the same secret, or is as good as it.
    if (start > done || (start === done && name !== last)) out += markOf(name);
    done = end;
    last = name;
  }
  return out + text.slice(done);
}

/** How a driver ends a text that it cut. */
const CUT = /…\(\+(\d+)\)$/;
/** Of a value that the cut went through, fewer than 8 characters are left, each written in some: more is known again. */
const LEFT = 64;

/**
 * The same text cut a little earlier: its last characters may be the first ones of a value, too few of them to be known
 * again. All cut texts lose them, so that nobody can try out beginnings.
 */
export function withoutCutEnd(text: string): string {
  const cut = CUT.exec(text);
  if (!cut) return text;
  const marked = [...text.matchAll(MARK)].at(-1);
  const from = marked ? marked.index + marked[0].length : 0;
  const end = [...text.slice(from, cut.index)];
  const dropped = Math.min(LEFT, end.length);
  const kept = text.slice(0, from) + end.slice(0, end.length - dropped).join('');
  return `${kept}…(+${Number(cut[1]) + dropped})`;
}
