import { cleanName } from '../../shared/index.js';
import { type Match, sure } from '../decision.js';

/** Whether a text, folded already, fits as a whole. */
export type Glob = (folded: string) => boolean;

/** One character of a piece; undefined is `?`. */
type Piece = readonly (string | undefined)[];

/**
 * `*` is any run of characters, `?` any one, `\` takes the next one as it is. Whole text, folded on both sides.
 * No regular expressions: a file that comes with a cloned repository must not be able to hang anything. A text is
 * gone through once for each piece between stars.
 */
export function compileGlob(pattern: string): Glob {
  const pieces = piecesOf(pattern);
  if (pieces.some((piece) => piece.includes(undefined))) return (text) => fits([...text], pieces);
  return literal(pieces.map((piece) => piece.join('')));
}

/** The same for the first part of a longer text: what cannot be known of the whole is `maybe`. */
export function compileHead(pattern: string): (folded: string) => Match {
  const pieces = piecesOf(pattern);
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  return (folded) => {
    // What comes behind the cut may still change its last character, a letter that gets an accent.
    const head = [...folded].slice(0, -1);
    const begins = first.slice(0, head.length).every((point, at) => point === undefined || point === head[at]);
    if (!begins) return 'no';
    if (pieces.length === 1) return first.length < head.length ? 'no' : 'maybe';
    return last.length === 0 && fits(head, pieces) ? 'yes' : 'maybe';
  };
}

/** For a text as it came. */
export function fitsGlob(text: string, pattern: string): boolean {
  return compileGlob(pattern)(foldText(text));
}

/** Folded after it was taken apart: a full-width star in a pattern is a character like others. */
function piecesOf(pattern: string): Piece[] {
  const pieces: (string | undefined)[][] = [[]];
  let run = '';
  const endRun = (): void => {
    pieces.at(-1)!.push(...foldPart(run));
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

function literal(pieces: readonly string[]): Glob {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const middle = pieces.slice(1, -1);
  if (pieces.length === 1) return (text) => text === first;
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Each piece at its first place: if one fits further on, it leaves less room for those after it. */
function fits(text: readonly string[], pieces: readonly Piece[]): boolean {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (pieces.length === 1) return text.length === first.length && stands(text, first, 0);
  const end = text.length - last.length;
  if (end < first.length || !stands(text, first, 0) || !stands(text, last, end)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    while (at + piece.length <= end && !stands(text, piece, at)) at++;
    if (at + piece.length > end) return false;
    at += piece.length;
  }
  return true;
}

function stands(text: readonly string[], piece: Piece, from: number): boolean {
  return piece.every((point, index) => point === undefined || point === text[from + index]);
}

const PLAIN = /^[ -~]*$/;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which texts are compared: what cannot be seen is dropped, look-alikes of the same script (full-width,
 * ligatures) are one, case and the number of spaces do not matter. Never cut: a word at the end counts too.
 */
export function foldText(text: string): string {
  return foldPart(text).trim();
}

/** A part of a text keeps the spaces at its ends. */
export function foldPart(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  // Cleaning keeps joiners between letters, because scripts need them; to a reader `Del‍ete` is still Delete.
  const seen = cleanName(text, Infinity).text.normalize('NFKC').replace(UNSEEN, '');
  // A small letter may be written with a mark of its own (İ), so the form is made once more.
  return seen.toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ');
}

/** How a text ends that was cut where it came in. */
export const CUT = /…\(\+\d+\)$/u;
/** Nothing shorter is ever cut: then an app only writes like that. */
const SHORTEST_CUT = 150;

/** A text of an app, folded once for all the patterns that it meets. */
export interface SeenText {
  folded: string;
  /** There is more of it, and nobody knows what. */
  cut: boolean;
}

export type SeenGlob = (text: SeenText) => Match;

export function seenText(text: string): SeenText {
  const cut = text.length >= SHORTEST_CUT && CUT.test(text);
  return { folded: foldText(cut ? text.replace(CUT, '') : text), cut };
}

/** Whatever stands behind a cut may be what the pattern wants. */
export function compileSeen(pattern: string): SeenGlob {
  const [whole, head] = [compileGlob(pattern), compileHead(pattern)];
  return ({ folded, cut }) => (cut ? head(folded) : sure(whole(folded)));
}
