/** What must not make two labels differ: invisible characters that survive cleaning in other rooms' input. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Most labels of most apps: nothing to do but the case. */
const PLAIN = /^[!-~]*(?: [!-~]+)*$/;

/** A label as it is read: without its accelerator and what cannot be seen, one kind of space. */
export function readableLabel(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/\t.*$/s, '').normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim();
}

/**
 * Labels as people compare them: as they are read, with one kind of quote and dash, no case. Both sides are normalised,
 * so a model may write "-" for "−" and "..." for "…".
 */
export function normaliseLabel(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return readableLabel(text)
    .replace(/…/g, '...')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toLowerCase();
}

/** A label without one trailing "..." or ":". What is nothing else keeps it: the button "..." is not a nameless one. */
export function wholeLabel(text: string): string {
  const label = normaliseLabel(text);
  return label.replace(/\s*(\.\.\.|:|：)$/u, '') || label;
}

/** Whole labels are equal also without a trailing "..." or ":". */
export function sameLabel(a: string, b: string): boolean {
  return wholeLabel(a) === wholeLabel(b);
}
