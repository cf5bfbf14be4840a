import { fold, foldTraced, rewrite, type TracedText } from './normalise.js';

/** An encoding that apps use inside other text. Text is decoded before it is searched. */
interface Decoder {
  /** Quick test for anything to decode. */
  found: RegExp;
  pattern: RegExp;
  decode: (match: string) => string;
}

/** One UTF-8 character with each byte written after `mark`, or else one byte. */
function bytesAfter(mark: string): RegExp {
  const more = `${mark}[89ab][0-9a-f]`;
  const lead = (digits: string, count: number): string => `${mark}${digits}[0-9a-f]${more.repeat(count)}`;
  return new RegExp([lead('[cd]', 1), lead('e', 2), lead('f', 3), `${mark}[0-9a-f]{2}`].join('|'), 'gi');
}

function fromBytes(written: string): string {
  const bytes = Buffer.from(written.replace(/%|\\x/gi, ''), 'hex');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** Entity names of the characters from U+00A0 on, in order. */
const LATIN_NAMES = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2
  sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring
  AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash
  Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml
  igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn
  yuml`.split(/\s+/);

const ENTITIES = new Map<string, string>([
  ...[...'&<>"\''].map((sign, at): [string, string] => [['amp', 'lt', 'gt', 'quot', 'apos'][at]!, sign]),
  ...LATIN_NAMES.map((name, at): [string, string] => [name, String.fromCharCode(0xa0 + at)]),
]);

function fromEntity(written: string): string {
  const name = written.slice(1, -1);
  if (!name.startsWith('#')) return ENTITIES.get(name) ?? written;
  const hex = /^#x/i.test(name);
  return fromCode(parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10)) ?? written;
}

function fromCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const SLASH_BYTES = bytesAfter('\\\\x');
const SLASHES = new RegExp(`${SLASH_BYTES.source}|\\\\u[0-9a-f]{4}|\\\\u\\{[0-9a-f]{1,6}\\}|\\\\[^]`, 'gi');

/** JSON escapes, and the similar escapes of other languages and shells. */
function fromSlash(written: string): string {
  if (/^\\x./i.test(written)) return fromBytes(written);
  const unit = /^\\u\{?([0-9a-f]+)/i.exec(written);
  if (unit) return fromCode(parseInt(unit[1]!, 16)) ?? written;
  return LETTERS[written[1]!] ?? written[1]!;
}

/** In form data, a plus is a space. Only between words, since before a number it is a sign. */
const FORM_SPACE = /(?<=\S)\+(?=\S)/;

const DECODERS: readonly Decoder[] = [
  { found: /%[0-9a-f]{2}/i, pattern: bytesAfter('%'), decode: fromBytes },
  { found: FORM_SPACE, pattern: new RegExp(FORM_SPACE, 'g'), decode: () => ' ' },
  { found: /&#?\w+;/, pattern: /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z0-9]{2,6});/gi, decode: fromEntity },
  { found: /\\/, pattern: SLASHES, decode: fromSlash },
];

const ESCAPE_CHARS = /[%&+\\]/; // Most texts contain none of these, and this test is faster.
const ENCODED = new RegExp(DECODERS.map(({ found }) => found.source).join('|'), 'i');

/** Whether the text contains anything to decode. */
export function isEncoded(text: string): boolean {
  return ESCAPE_CHARS.test(text) && ENCODED.test(text);
}

/** One interpretation of a text: decoded up to two times, then folded. */
interface DecodedVariant {
  text: string;
  /** The same with a map back to the original. It costs more, so it is computed only for matches. */
  trace: () => TracedText;
}

interface DecodeOptions {
  /** `1234-5678` and `1234 5678` are also read as `12345678`. */
  digits: boolean;
}

/** A URL inside JSON inside HTML occurs; deeper nesting does not. */
const MAX_DECODE_DEPTH = 2;
/** Digits in groups, as people write them. */
export const SPLIT_DIGITS = /\d[ \u00a0\u2000-\u2015\u2212-]+(?=\d)/;
const SPLIT = new RegExp(SPLIT_DIGITS.source, 'g');
const joined = (match: string): string => match[0]!;

export function joinDigits(text: string): string {
  return text.replace(SPLIT, joined);
}

/** Yields the folded text and every text that it can be decoded to. */
export function* decodedVariants(text: string, { digits }: DecodeOptions): Generator<DecodedVariant> {
  const seen = new Set<string>();
  for (const { text: decoded, trace } of decodeRecursively(text, 0, () => ({ text }), seen)) {
    const plain = fold(decoded);
    const traced = (): TracedText => foldTraced(trace());
    yield { text: plain, trace: traced };
    if (digits && SPLIT_DIGITS.test(plain)) {
      yield { text: joinDigits(plain), trace: () => rewrite(traced(), SPLIT, joined) };
    }
  }
}

function* decodeRecursively(
  text: string,
  depth: number,
  trace: () => TracedText,
  seen: Set<string>,
): Generator<DecodedVariant> {
  if (seen.has(text)) return;
  seen.add(text);
  yield { text, trace };
  if (depth === MAX_DECODE_DEPTH) return;
  for (const decoder of DECODERS) {
    if (decoder.found.test(text))
      yield* decodeRecursively(decoded(text, decoder), depth + 1, traced(trace, decoder), seen);
  }
}

function decoded(text: string, { pattern, decode }: Decoder): string {
  return text.replace(pattern, (match) => decode(match));
}

function traced(trace: () => TracedText, { pattern, decode }: Decoder): () => TracedText {
  return () => rewrite(trace(), pattern, decode);
}
