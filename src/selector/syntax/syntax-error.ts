import { DesktopError } from '../../shared/index.js';

export interface SyntaxFault {
  /** Position of the error: 0-based, in UTF-16 units. */
  at: number;
  length?: number;
  message: string;
  hint: string;
  expected?: string[];
  found?: string;
  didYouMean?: string[];
}

export interface SyntaxDetails {
  /** The input, so that the code that prints the error can point into it. */
  input: string;
  position: number;
  length: number;
  expected: string[];
  found: string;
  didYouMean: string[];
}

const LONGEST_SHOWN = 60;
/** No valid selector is longer than this, but a refused input may have any length. */
const LONGEST_AFTER = 2_000;

/** A part of the caller's own text for use in a sentence: one line, not too long. */
export function shown(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > LONGEST_SHOWN ? `${wellFormed(line.slice(0, LONGEST_SHOWN))}…` : wellFormed(line);
}

/** Half a surrogate pair breaks JSON and terminals. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** The text as it is written in a selector. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export function syntaxError(input: string, fault: SyntaxFault): DesktopError {
  const { at, message, hint, length = 1, expected = [], didYouMean = [] } = fault;
  const details: SyntaxDetails = {
    input: wellFormed(input.slice(0, at + LONGEST_AFTER)),
    position: at,
    length: Math.max(1, length),
    expected,
    found: fault.found ?? foundAt(input, at),
    didYouMean,
  };
  return new DesktopError('selector_syntax', message, { hint, retry: 'no', details: { ...details } });
}

const OPERATOR = />>|\?\?|&&|\|\|/y;

/** The next token at a position, for "found …". */
export function foundAt(input: string, at: number): string {
  if (at >= input.length) return 'the end';
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(input)?.[0];
  return `"${operator ?? wellFormed(String.fromCodePoint(input.codePointAt(at)!))}"`;
}

/** How much of a long selector is printed around the position. */
const BEFORE = 60;
const AFTER = 40;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** The error for users: what is wrong, the position with a pointer under it, and what to write instead. */
export function syntaxErrorText(error: DesktopError): string {
  const { position } = error.details as unknown as SyntaxDetails;
  const lines = [`selector_syntax at ${position + 1}: ${error.message}`, ...pointerLines(error.details)];
  return [...lines, ...(error.hint ? [error.hint] : [])].join('\n  ');
}

/** The selector and the pointer under the wrong position. Empty for other errors, because details come from JSON. */
export function pointerLines(details: Partial<SyntaxDetails> | undefined): string[] {
  const { input, position, length } = details ?? {};
  if (typeof input !== 'string' || typeof position !== 'number' || typeof length !== 'number') return [];
  const from = Math.max(0, position - BEFORE);
  const to = Math.min(input.length, position + Math.max(length, AFTER));
  const lead = from > 0 ? '…' : '';
  const line = `${lead}${oneLine(input.slice(from, to))}${to < input.length ? '…' : ''}`;
  const before = ' '.repeat(lead.length + columns(input.slice(from, position)));
  const marked = input.slice(position, Math.min(to, position + length));
  return [line, `${before}${'^'.repeat(Math.max(1, columns(marked)))}`];
}

/** One column per UTF-16 unit, so that the pointer stays aligned. */
function oneLine(text: string): string {
  return wellFormed(text.replace(/[\s\p{Cc}]/gu, ' '));
}

function columns(text: string): number {
  let width = 0;
  for (const char of text)
    width += WIDE.test(char) || (char.length > 1 && /\p{Extended_Pictographic}/u.test(char)) ? 2 : 1;
  return width;
}
