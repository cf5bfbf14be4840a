import { MERGES, WHOLE } from './token-merges.js';

/** How o200k splits a text before it merges bytes. No token crosses a split, so the counts of pieces add up. */
const ENDING = String.raw`(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?`;
const PIECES = new RegExp(
  [
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${ENDING}`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${ENDING}`,
    String.raw`\p{N}{1,3}`,
    String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
    String.raw`\s*[\r\n]+`,
    String.raw`\s+(?!\S)`,
    String.raw`\s+`,
  ].join('|'),
  'gu',
);

/** A longer piece counts as its bytes, which is its maximum; merging it would take too long. */
const LONG_PIECE = 256;
const CACHE_SIZE = 20_000;
/** Up to three digits, and spaces as in an indent or between columns, are one token. */
const ONE = /^(?:[0-9]{1,3}| {1,64})$/;

let ranks: Map<string, number> | undefined;
const known = new Map<string, number>();

function decodeMerge(word: string): string {
  const spaced = word.startsWith('_') ? ` ${word.slice(1)}` : word;
  if (!spaced.includes('_') && !spaced.includes('%')) return spaced;
  return spaced
    .replaceAll('_', ' ')
    .replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function loadRanks(): Map<string, number> {
  const table = new Map<string, number>();
  // Keys are bytes, one character each, because some merges end in the middle of a character.
  const bytes = Buffer.from(MERGES, 'utf8').toString('latin1');
  for (const [rank, word] of bytes.split(' ').entries()) table.set(decodeMerge(word), rank);
  for (const word of WHOLE) {
    known.set(word, 1);
    known.set(` ${word}`, 1);
  }
  return table;
}

function countMerged(bytes: string, table: Map<string, number>): number {
  const parts = bytes.split('');
  for (;;) {
    let best = Infinity;
    let at = -1;
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = table.get(parts[i]! + parts[i + 1]!);
      if (rank !== undefined && rank < best) {
        best = rank;
        at = i;
      }
    }
    if (at < 0) return parts.length;
    parts.splice(at, 2, parts[at]! + parts[at + 1]!);
  }
}

function countPiece(piece: string, table: Map<string, number>): number {
  const before = known.get(piece);
  if (before !== undefined) return before;
  if (ONE.test(piece)) return 1;
  const bytes = Buffer.from(piece, 'utf8').toString('latin1');
  const count = bytes.length > LONG_PIECE ? bytes.length : countMerged(bytes, table);
  if (known.size > CACHE_SIZE) {
    known.clear();
    for (const word of WHOLE) known.set(word, 1).set(` ${word}`, 1);
  }
  known.set(piece, count);
  return count;
}

/**
 * Number of tokens of `text` in o200k, never too low. This is the real algorithm with only the first merges (the whole
 * table is 2.4 MB). Merges are applied in the order of their rank, so the missing ones could only lower the count. The
 * counts of lines (none empty, each with its line break) add up to the count of the text.
 */
export function estimateTokens(text: string): number {
  ranks ??= loadRanks();
  let total = 0;
  for (const piece of text.match(PIECES) ?? []) total += countPiece(piece, ranks);
  return total;
}
