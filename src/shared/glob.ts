/**
 * Whether a text consists of these pieces, in order, with any characters between them: what a pattern with stars means
 * after it is split at the stars. One piece must equal the whole text. Each piece is placed at its first match (a later
 * one would leave less room for the pieces after it), so the text is read once, however many stars there are.
 *
 * Policy rules and selectors share this and nothing more. They differ on purpose in how a pattern is split and folded:
 *
 * | | policy/rules/glob | selector/match/text-match |
 * |---|---|---|
 * | `?` | any character | itself |
 * | `\` | escapes any character | escapes only `*` |
 * | folding | NFKC, invisible characters removed, piece by piece | labels as users read them, the pattern as a whole |
 * | truncated text | `maybe`, so that a rule cannot be evaded by a long title | compared as it is |
 *
 * One set of rules for both would change which acts a policy allows, or which element a selector finds.
 */
export function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (pieces.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
