import { columnNumber } from '../../tree/index.js';
import { type Cursor, isOperatorAt } from './cursor.js';
import { quoted, shown } from './syntax-error.js';
import type { RegexValue } from '../ast.js';

interface TextForm {
  /** The key that the text is compared with, for the suggestions in errors. */
  key: string;
  /** A pattern: `*` belongs to it. */
  pattern?: boolean;
}

const FORBIDDEN = new Set(['"', '=', '<', '>', '|', '[', ']']);

/** Unquoted text, up to the next operator, an unmatched parenthesis or the end. Empty if there is none here. */
export function readText(cursor: Cursor, form: TextForm): string {
  const { input, at: start } = cursor;
  const open: number[] = [];
  let colon = -1;
  let at = start;
  for (; at < input.length && !isOperatorAt(input, at); at++) {
    const char = input.charAt(at);
    if (char === '(') open.push(at);
    else if (char === ')' && open.pop() === undefined) break;
    else if (FORBIDDEN.has(char) || (char === '*' && !form.pattern)) throw forbidden(cursor, at, form);
    else if (char === ':' && colon < 0) colon = at;
  }
  const text = input.slice(start, at).trimEnd();
  if (open.length > 0) {
    const hint = `Quote the text if it contains a parenthesis: ${quoted(shown(text))}.`;
    throw cursor.fault({ at: open[0]!, message: '"(" is not closed', hint, expected: [')'], found: 'the end' });
  }
  if (colon >= 0 && colon < start + text.length - 1) throw colonInside(cursor, colon);
  cursor.at = at;
  return text;
}

/** An id after `#` or `.`: anything except white space and `"`. */
export function readId(cursor: Cursor): string {
  const { input, at: start } = cursor;
  let open = 0;
  let at = start;
  for (; at < input.length && !isOperatorAt(input, at); at++) {
    const char = input.charAt(at);
    if (char === '(') open++;
    else if (char === ')' && --open < 0) break;
    else if (char === '"') {
      const hint = `Quote the whole id: ${quoted(shown(restOfText(input, start)))}.`;
      throw cursor.fault({ at, message: `""" cannot stand in an unquoted id`, hint });
    } else if (/\s/.test(char)) break;
  }
  const id = input.slice(start, at);
  if (open > 0) {
    const hint = `Quote an id with a parenthesis: ${quoted(shown(id))}.`;
    throw cursor.fault({ at: start + id.indexOf('('), message: '"(" is not closed', hint, expected: [')'] });
  }
  cursor.at = at;
  cursor.skipSpace();
  if (cursor.at > at && !cursor.atStop()) {
    throw cursor.fault({
      at,
      message: 'a space cannot stand in an unquoted id',
      hint: `Quote an id with spaces, or look inside with >>: ${shown(id)} >> …`,
      expected: ['&&', '||', '>>', '??', 'the end'],
    });
  }
  return id;
}

/** The text that the caller meant, including the characters that are not allowed in it. */
export function restOfText(input: string, start: number): string {
  let end = start;
  while (end < input.length && !isOperatorAt(input, end)) end++;
  return input.slice(start, end).trim();
}

function colonInside(cursor: Cursor, at: number): Error {
  const hint = `Quote it: ${quoted(shown(restOfText(cursor.input, cursor.at)))}.`;
  return cursor.fault({ at, message: '":" cannot stand inside an unquoted text', hint });
}

function forbidden(cursor: Cursor, at: number, { key }: TextForm): Error {
  const { input, at: start } = cursor;
  const char = input.charAt(at);
  const whole = shown(restOfText(input, start));
  const message = `"${char}" cannot stand in an unquoted text`;
  if (char === '>') {
    const before = shown(input.slice(start, at));
    const hint = `To look inside use >>: ${before || '…'} >> …. A text with > must be quoted.`;
    return cursor.fault({ at, message: '">" is not an operator', hint, expected: ['>>'], didYouMean: ['>>'] });
  }
  if (char === '*') {
    const forms = key === 'name' ? `~${whole} or name*=${quoted(whole)}` : `${key}*=${quoted(whole)}`;
    const hint = `Wildcards need ~ or *=: ${forms}. The character itself must be quoted.`;
    return cursor.fault({ at, message, hint });
  }
  if (char === '[' || char === ']') {
    const hint = `Positions are a step: >> nth=0. A text with brackets must be quoted: ${quoted(whole)}.`;
    return cursor.fault({ at, message, hint });
  }
  if (char === '<' || char === '|') {
    const or = char === '|' ? 'Or is written ||. ' : '';
    return cursor.fault({ at, message, hint: `${or}A text with ${char} must be quoted: ${quoted(whole)}.` });
  }
  const hint = `Join terms with &&: role=button && name="Save". A text with ${char} must be quoted.`;
  return cursor.fault({ at, message, hint, expected: ['&&'] });
}

const ADDRESS = /^(?:(.+)!)?(?:([A-Z]{1,3}[1-9]\d{0,6})|(R[1-9]\d{0,9}C[1-9]\d{0,9}))$/is;

/** `B7`, `Sheet1!B7` or `R3C2` in printed form; undefined for anything else. */
export function readCellAddress(text: string): string | undefined {
  const found = ADDRESS.exec(text);
  if (!found) return undefined;
  const [, sheet, letters, numbers] = found;
  const cell = (letters ?? numbers)!.toUpperCase();
  return sheet === undefined ? cell : `${sheet}!${cell}`;
}

export interface CellPlace {
  sheet?: string;
  /** `B7`; absent for a position in numbers. */
  address?: string;
  /** Both counted from 1. */
  row: number;
  column: number;
}

/** The position of the cell. B7 is row 7, column 2. */
export function cellPlace(written: string): CellPlace {
  const cut = written.lastIndexOf('!');
  const cell = written.slice(cut + 1);
  const sheet = cut > 0 ? { sheet: written.slice(0, cut) } : {};
  const numbers = /^R(\d+)C(\d+)$/.exec(cell);
  if (numbers) return { ...sheet, row: Number(numbers[1]), column: Number(numbers[2]) };
  const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(cell)!;
  return { ...sheet, address: cell, row: Number(row), column: columnNumber(letters!) };
}

const MAX_REGEX_LENGTH = 200;
const CURLY = /[\u2018-\u201f]/y;
const STRING = { '"': /"((?:[^"\\]|\\.)*)"/sy, "'": /'((?:[^'\\]|\\.)*)'/sy };
const REGEX =
  /\/((?:[^/\\[\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]|\\[^\n\r\u2028\u2029])*\])*)\//y;
const FLAGS = /[\p{L}\p{N}_]*/uy;

/**
 * `"…"` or `'…'`; undefined if no string starts here. A backslash escapes the quote and itself; elsewhere it is an
 * ordinary character.
 */
export function readString(cursor: Cursor): string | undefined {
  refuseCurly(cursor);
  const quote = cursor.char;
  if (quote !== '"' && quote !== "'") return undefined;
  const found = cursor.take(STRING[quote]);
  if (!found) {
    throw cursor.fault({
      message: `the text is not closed: ${quote} is missing at its end`,
      hint:
        quote === '"'
          ? 'A quote in a text is written \\", a backslash before the last quote \\\\.'
          : `A text that starts with ' must be quoted: "'…".`,
      expected: [quote],
      found: 'the end',
    });
  }
  return found[1]!.replace(quote === '"' ? /\\(["\\])/g : /\\(['\\])/g, '$1');
}

function refuseCurly(cursor: Cursor): void {
  if (!cursor.peek(CURLY)) return;
  throw cursor.fault({
    message: 'curly quotes do not quote',
    hint: 'Use "straight" or \'single\' quotes.',
    expected: ['"', "'"],
  });
}

/** `/…/` or `/…/i`; undefined if no regex starts here. */
export function readRegex(cursor: Cursor): RegexValue | undefined {
  if (cursor.char !== '/') return undefined;
  const at = cursor.at;
  const quoteIt = 'To match a text that starts with /, quote it.';
  const found = cursor.take(REGEX);
  if (!found) {
    throw cursor.fault({
      message: 'the regex is not closed: / is missing at its end',
      hint: `${quoteIt} A / in a regex is written \\/.`,
      expected: ['/'],
      found: 'the end',
    });
  }
  const source = found[1]!;
  if (source === '') {
    throw cursor.fault({
      at,
      length: 2,
      message: 'empty regex',
      hint: `XPath is not supported: use >> and has(…). ${quoteIt}`,
    });
  }
  const flags = cursor.peek(FLAGS)![0];
  if (flags !== '' && flags !== 'i') {
    const message = `unknown regex flag ${quoted(shown(flags))}`;
    throw cursor.fault({ length: flags.length, message, hint: `Only i is known. ${quoteIt}`, expected: ['i'] });
  }
  if (source.length > MAX_REGEX_LENGTH) {
    const message = `the regex is longer than ${MAX_REGEX_LENGTH} characters`;
    throw cursor.fault({
      at,
      length: source.length + 2,
      message,
      hint: 'Shorten it, or combine terms with && and ||.',
    });
  }
  refuseInvalid(cursor, at, source);
  cursor.at += flags.length;
  return { source, ignoreCase: flags === 'i' };
}

function refuseInvalid(cursor: Cursor, at: number, source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^Invalid regular expression: .*\/u?: /s, '') : '';
    throw cursor.fault({
      at,
      length: source.length + 2,
      message: `the regex is not valid: ${shown(why)}`,
      hint: 'It is JavaScript in Unicode mode: \\ escapes only ^ $ \\ . * + ? ( ) [ ] { } | /. A plain text needs no regex: quote it.',
    });
  }
}
