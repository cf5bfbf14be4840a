/**
 * Case, Unicode's ways to write one character, space and what nobody sees do not make a text another one: both the
 * value and what is searched are folded, so that NFC, NFD, NFKC, upper and lower case are one form.
 */

const SPACE = '\\s\\x85';
const UNSEEN = '\\p{Cc}\\p{Cf}\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
// A character with its marks is one: marks may be part of it, or stand in another order.
const MARKS = '[\\p{M}\\u1160-\\u11ff\\uff9e\\uff9f]';
/** All that is not folded by lower case alone. */
const SPECIAL = new RegExp(`[${SPACE}][${SPACE}${UNSEEN}]+|[^ -~]${MARKS}*|[ -~]?${MARKS}+`, 'gu');
const ALL_UNSEEN = new RegExp(`[${UNSEEN}]`, 'gu');
const BLANK = new RegExp(`[${SPACE}]`, 'u');

export function fold(text: string): string {
  return text.replace(SPECIAL, foldPiece).toLowerCase();
}

export function foldTraced(traced: TracedText): TracedText {
  const folded = rewrite(traced, SPECIAL, foldPiece);
  return { ...folded, text: folded.text.toLowerCase() };
}

// UI text has few different characters, and each takes some steps to fold.
const FOLDED = new Map<string, string>();
const MOST_FOLDED = 4_096;
const LONGEST_KEPT = 4;

function foldPiece(piece: string): string {
  if (piece.length > LONGEST_KEPT) return foldAnew(piece);
  let folded = FOLDED.get(piece);
  if (folded === undefined) {
    if (FOLDED.size >= MOST_FOLDED) FOLDED.clear();
    FOLDED.set(piece, (folded = foldAnew(piece)));
  }
  return folded;
}

function foldAnew(piece: string): string {
  const seen = piece.replaceAll('\ufeff', ''); // Space by JavaScript's word, but nobody sees it.
  if (BLANK.test(seen.charAt(0))) return ' ';
  // Upper case first: ß is SS there, and ς is Σ.
  const cased = seen.replace(ALL_UNSEEN, '').normalize('NFKD').toUpperCase().toLowerCase();
  return cased.replaceAll('ς', 'σ').normalize('NFKC').replace(/\s+/gu, ' ');
}

/** A text that was made from another one, and from where in it each of its characters came. */
export interface TracedText {
  text: string;
  /** For each character: where its origin begins, and where it ends. Absent in the original itself. */
  from?: Uint32Array;
  to?: Uint32Array;
}

export type Replace = (match: string) => string;

/** As `String.replace` with a global pattern; characters of a replacement come from all that was matched. */
export function rewrite(source: TracedText, pattern: RegExp, replace: Replace): TracedText {
  const pieces: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const keep = (start: number, end: number): void => {
    pieces.push(source.text.slice(start, end));
    for (let at = start; at < end; at++) {
      from.push(source.from?.[at] ?? at);
      to.push(source.to?.[at] ?? at + 1);
    }
  };
  let done = 0;
  for (const { 0: match, index } of source.text.matchAll(pattern)) {
    keep(done, index);
    done = index + match.length;
    const instead = replace(match);
    pieces.push(instead);
    const start = source.from?.[index] ?? index;
    const end = source.to?.[done - 1] ?? done;
    for (let at = 0; at < instead.length; at++) {
      from.push(start);
      to.push(end);
    }
  }
  keep(done, source.text.length);
  return { text: pieces.join(''), from: Uint32Array.from(from), to: Uint32Array.from(to) };
}

/** Where characters `start` to `end` of the traced text stand in the original. */
export function originOf(traced: TracedText, start: number, end: number): [start: number, end: number] {
  return [traced.from?.[start] ?? start, traced.to?.[end - 1] ?? end];
}
