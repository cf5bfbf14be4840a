import { sure, type Match } from './answer.js';
import { foldText } from './fold-text.js';
import { compileGlob, compileHead } from './glob.js';

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
