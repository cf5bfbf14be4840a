import { cleanName, CUT_MARK, matchesPieces } from '../../shared/index.js';
import { type Ternary, ternary } from '../decision.js';

/** Whether an already folded text matches as a whole. */
type Glob = (folded: string) => boolean;

/** The characters of a piece; undefined stands for `?`. */
type Piece = readonly (string | undefined)[];

/**
 * `*` matches any characters, `?` matches one, `\` escapes the next. The whole text must match; both sides are folded.
 * No regular expressions: a file that comes with a cloned repository must not be able to hang the process. The text is
 * scanned once for each piece between stars. Selectors have patterns of their own; shared/glob lists the differences.
 */
export function compileGlob(pattern: string): Glob {
  const pieces = splitPattern(pattern);
  if (pieces.some((piece) => piece.includes(undefined))) return (text) => matchPieces([...text], pieces);
  const literals = pieces.map((piece) => piece.join(''));
  return (text) => matchesPieces(text, literals);
}

/** Matches the beginning of a longer text: `maybe` where the answer depends on the missing part. */
export function compilePrefixGlob(pattern: string): (folded: string) => Ternary {
  const pieces = splitPattern(pattern);
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  return (folded) => {
    // The missing part may still change the last character, for example add an accent to a letter.
    const head = [...folded].slice(0, -1);
    const begins = first.slice(0, head.length).every((point, at) => point === undefined || point === head[at]);
    if (!begins) return 'no';
    if (pieces.length === 1) return first.length < head.length ? 'no' : 'maybe';
    return last.length === 0 && matchPieces(head, pieces) ? 'yes' : 'maybe';
  };
}

/** Each piece is folded after the pattern is split, so a full-width star in a pattern is an ordinary character. */
function splitPattern(pattern: string): Piece[] {
  const pieces: (string | undefined)[][] = [[]];
  let run = '';
  const endRun = (): void => {
    pieces.at(-1)!.push(...foldUntrimmed(run));
    run = '';
  };
  const points = [...pattern];
  for (let at = 0; at < points.length; at++) {
    const point = points[at]!;
    if (point === '\\' && at + 1 < points.length) run += points[++at]!;
    else if (point === '*' || point === '?') {
      endRun();
      if (point === '*') pieces.push([]);
      else pieces.at(-1)!.push(undefined);
    } else run += point;
  }
  endRun();
  trimStart(pieces[0]!);
  trimEnd(pieces.at(-1)!);
  return pieces;
}

function trimStart(piece: (string | undefined)[]): void {
  while (piece[0] === ' ') piece.shift();
}

function trimEnd(piece: (string | undefined)[]): void {
  while (piece.at(-1) === ' ') piece.pop();
}

/** Each piece is placed at its first match: a later match would leave less room for the pieces after it. */
function matchPieces(text: readonly string[], pieces: readonly Piece[]): boolean {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (pieces.length === 1) return text.length === first.length && pieceMatchesAt(text, first, 0);
  const end = text.length - last.length;
  if (end < first.length || !pieceMatchesAt(text, first, 0) || !pieceMatchesAt(text, last, end)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    while (at + piece.length <= end && !pieceMatchesAt(text, piece, at)) at++;
    if (at + piece.length > end) return false;
    at += piece.length;
  }
  return true;
}

function pieceMatchesAt(text: readonly string[], piece: Piece, from: number): boolean {
  return piece.every((point, index) => point === undefined || point === text[from + index]);
}

const PRINTABLE_ASCII = /^[ -~]*$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which texts are compared. Invisible characters are dropped, compatibility variants (full-width,
 * ligatures) are unified, and case and repeated spaces are ignored. The text is never truncated: a word at its end
 * counts too.
 */
export function foldText(text: string): string {
  return foldUntrimmed(text).trim();
}

/** Like `foldText`, but keeps the spaces at both ends: a piece of a pattern needs them. */
function foldUntrimmed(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  // `cleanName` keeps joiners between letters, because some scripts need them; but to a reader `Del‍ete` is still
  // Delete.
  const seen = cleanName(text, Infinity).text.normalize('NFKC').replace(INVISIBLE, '');
  // Lower case may introduce a combining mark (İ), so the text is normalised again.
  return seen.toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ');
}

/** Shorter texts are never truncated; in them, the mark is the app's own text. */
const MIN_TRUNCATED_LENGTH = 150;

/** Text from an app, folded once for all patterns. */
export interface AppText {
  folded: string;
  /** The rest of the text is not known. */
  truncated: boolean;
}

export type AppTextGlob = (text: AppText) => Ternary;

export function appText(text: string): AppText {
  const cut = text.length >= MIN_TRUNCATED_LENGTH && CUT_MARK.test(text);
  return { folded: foldText(cut ? text.replace(CUT_MARK, '') : text), truncated: cut };
}

/** The missing part of a truncated text may be what the pattern looks for. */
export function compileAppTextGlob(pattern: string): AppTextGlob {
  const [whole, head] = [compileGlob(pattern), compilePrefixGlob(pattern)];
  return ({ folded, truncated: cut }) => (cut ? head(folded) : ternary(whole(folded)));
}
