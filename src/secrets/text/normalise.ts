/**
 * Both the value and the searched text are folded: differences in case, Unicode form (NFC, NFD, NFKC), white space and
 * invisible characters are ignored.
 */

const SPACE = '\\s\\x85';
const INVISIBLE = '\\p{Cc}\\p{Cf}\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
// A character and its combining marks are folded together: marks may be precomposed, or come in another order.
const MARKS = '[\\p{M}\\u1160-\\u11ff\\uff9e\\uff9f]';
/** Everything that lower case alone does not fold. */
const SPECIAL = new RegExp(`[${SPACE}][${SPACE}${INVISIBLE}]+|[^ -~]${MARKS}*|[ -~]?${MARKS}+`, 'gu');
const INVISIBLE_CHARS = new RegExp(`[${INVISIBLE}]`, 'gu');
const BLANK = new RegExp(`[${SPACE}]`, 'u');

export function fold(text: string): string {
  return text.replace(SPECIAL, foldPiece).toLowerCase();
}

export function foldTraced(traced: TracedText): TracedText {
  const folded = rewrite(traced, SPECIAL, foldPiece);
  return { ...folded, text: folded.text.toLowerCase() };
}

// UI text has few different characters, and folding one takes several steps.
const FOLDED = new Map<string, string>();
const MAX_CACHED = 4_096;
const MAX_CACHED_LENGTH = 4;

function foldPiece(piece: string): string {
  if (piece.length > MAX_CACHED_LENGTH) return foldUncached(piece);
  let folded = FOLDED.get(piece);
  if (folded === undefined) {
    if (FOLDED.size >= MAX_CACHED) FOLDED.clear();
    FOLDED.set(piece, (folded = foldUncached(piece)));
  }
  return folded;
}

function foldUncached(piece: string): string {
  const seen = piece.replaceAll('\ufeff', ''); // JavaScript counts it as white space, but it is invisible.
  if (BLANK.test(seen.charAt(0))) return ' ';
  // Upper case first: it maps ß to SS and ς to Σ.
  const cased = seen.replace(INVISIBLE_CHARS, '').normalize('NFKD').toUpperCase().toLowerCase();
  return cased.replaceAll('ς', 'σ').normalize('NFKC').replace(/\s+/gu, ' ');
}

/** A text derived from another one, with the origin of each character. */
export interface TracedText {
  text: string;
  /** For each character, the start and end of its origin. Absent in the original itself. */
  from?: Uint32Array;
  to?: Uint32Array;
}

type Replace = (match: string) => string;

/** Like `String.replace` with a global pattern. The origin of a replacement is the whole match. */
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

/** The range in the original that characters `start` to `end` of the derived text come from. */
export function originOf(traced: TracedText, start: number, end: number): [start: number, end: number] {
  return [traced.from?.[start] ?? start, traced.to?.[end - 1] ?? end];
}
