import { DECODERS, type Decoder } from './decoders.js';
import { fold, foldTraced } from './fold.js';
import { rewrite, type TracedText } from './traced-text.js';

/** One way to read a text: decoded so and so often, and folded. */
export interface Reading {
  text: string;
  /** The same with the way back to the original; more work, so it is done for what was found only. */
  trace: () => TracedText;
}

export interface ReadingOptions {
  /** `1234-5678` and `1234 5678` are read as `12345678` too. */
  digits: boolean;
}

/** URL inside JSON inside HTML happens; more does not. */
const DEEPEST = 2;
/** Digits in groups, as people write them. */
export const SPLIT_DIGITS = /\d[ \u00a0\u2000-\u2015\u2212-]+(?=\d)/;
const SPLIT = new RegExp(SPLIT_DIGITS.source, 'g');
const joined = (match: string): string => match[0]!;

export function joinDigits(text: string): string {
  return text.replace(SPLIT, joined);
}

/** The text itself, folded, and every other text that it can be decoded to. */
export function* readings(text: string, { digits }: ReadingOptions): Generator<Reading> {
  const seen = new Set<string>();
  for (const { text: decoded, trace } of decodings(text, 0, () => ({ text }), seen)) {
    const plain = fold(decoded);
    const traced = (): TracedText => foldTraced(trace());
    yield { text: plain, trace: traced };
    if (digits && SPLIT_DIGITS.test(plain)) {
      yield { text: joinDigits(plain), trace: () => rewrite(traced(), SPLIT, joined) };
    }
  }
}

function* decodings(text: string, depth: number, trace: () => TracedText, seen: Set<string>): Generator<Reading> {
  if (seen.has(text)) return;
  seen.add(text);
  yield { text, trace };
  if (depth === DEEPEST) return;
  for (const decoder of DECODERS) {
    if (decoder.found.test(text)) yield* decodings(decoded(text, decoder), depth + 1, traced(trace, decoder), seen);
  }
}

function decoded(text: string, { pattern, decode }: Decoder): string {
  return text.replace(pattern, (match) => decode(match));
}

function traced(trace: () => TracedText, { pattern, decode }: Decoder): () => TracedText {
  return () => rewrite(trace(), pattern, decode);
}
