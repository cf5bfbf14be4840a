/** `*` is any run of characters, `\*` the star itself; anything else is itself. */
const PIECE = /\\\*|\*|[^\\*]+|\\/g;

/** The texts between the stars. */
function pieces(pattern: string): string[] {
  const found = [''];
  for (const [piece] of pattern.matchAll(PIECE)) {
    if (piece === '*') found.push('');
    else found[found.length - 1] += piece === '\\*' ? '*' : piece;
  }
  return found;
}

export function hasStar(pattern: string): boolean {
  return pieces(pattern).length > 1;
}

/** Fits the whole text. Takes each piece at its first place, so a text is read once however many stars there are. */
export function fitsWildcard(text: string, pattern: string): boolean {
  const parts = pieces(pattern);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
