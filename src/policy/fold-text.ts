import { cleanName } from '../shared/index.js';

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
