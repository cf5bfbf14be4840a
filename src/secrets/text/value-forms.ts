import { fold } from './fold.js';

export interface Form {
  /** Folded, as what it is searched in. */
  text: string;
  /** Base64: the characters at its ends hold bits of its neighbours, and bits of the value. */
  edges: boolean;
}

/** Under this a value is found too often by chance to be looked for everywhere. */
export const SHORT_UNDER = 6;

/** Spaces and dashes are how people group digits. */
const DIGITS = /^\d[\d -]*\d$/;

export function isDigits(value: string): boolean {
  return DIGITS.test(fold(value).trim());
}

/** Found by chance all over a screen: it counts as a word of its own only, in the window it was typed into. */
export function isShort(value: string): boolean {
  return plainForms(value).at(-1)!.length < SHORT_UNDER;
}

/** Folded; of digits also without what groups them. */
function plainForms(value: string): string[] {
  const folded = fold(value).trim();
  return isDigits(value) ? [folded, folded.replace(/[ -]/g, '')] : [folded];
}

/** The forms in which a value is looked for. Escapes are not among them: texts are read without those. */
export function formsOf(value: string): Form[] {
  const written = new Set([value, value.trim(), value.normalize('NFC'), value.normalize('NFKC')]);
  const coded = new Set([...written].flatMap(base64Forms));
  return [
    ...plainForms(value).map((text) => ({ text, edges: false })),
    ...[...coded].map((text) => ({ text: fold(text), edges: true })),
  ].filter(({ text }) => text.length >= SHORT_UNDER);
}

/** What a short value is as a word of its own. */
export function wordsOf(value: string): string[] {
  const coded = [value, value.trim(), value.normalize('NFC')].map((text) => Buffer.from(text).toString('base64'));
  const both = coded.flatMap((text) => [text, urlSafe(text)]).flatMap((text) => [text, text.replace(/=+$/, '')]);
  return [...new Set([...plainForms(value), ...both.map(fold)])].filter((word) => word !== '');
}

/** At each of the three places where it can begin among other bytes, those characters that depend on it alone. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  const forms = [0, 1, 2].map((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return coded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return forms.flatMap((form) => [form, urlSafe(form)]);
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
