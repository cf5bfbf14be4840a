import { columnNumber } from '../../tree/index.js';
import { type Cursor, isOperatorAt } from './cursor.js';
import { quoted, shown } from './syntax-error.js';

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
