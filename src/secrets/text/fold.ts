import { rewrite, type TracedText } from './traced-text.js';

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
