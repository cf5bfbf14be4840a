/** The known word that someone most likely meant, or none: a wrong guess is worse than silence. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const asked = plain(word);
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(asked, plain(name));
    if (!best || distance < best.distance) best = { name, distance };
  }
  const allowed = Math.min(2, Math.floor(asked.length / 2));
  if (best && best.distance <= allowed) return best.name;
  return known.find((name) => holds(plain(name), asked) || holds(asked, plain(name)));
}

/** snake_case, kebab-case and camelCase are the same word. */
function plain(word: string): string {
  return word
    .slice(0, 64)
    .replace(/[-_\s]/g, '')
    .toLowerCase();
}

function holds(whole: string, part: string): boolean {
  return part.length >= 3 && whole.includes(part);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
