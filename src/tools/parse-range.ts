import { DesktopError } from '../shared/index.js';
import type { Span } from '../tree/index.js';

/** What a caller asked to read: rows or items by number, cells by address, or characters. */
export type Range =
  | { kind: 'rows'; rows: Span }
  | { kind: 'cells'; rows: Span; columns: Span; sheet?: string }
  | { kind: 'characters'; start: number; end: number };

const NUMBERS = /^(?:(rows?|items?|characters?|chars?)\s+)?(\d+)\s*(?:(?:-|–|to)\s*(\d+))?$/i;
const CELLS = /^(?:cells?\s+)?(?:(.+)!)?([a-z]{1,4})(\d+)(?::([a-z]{1,4})(\d+))?$/i;
const LARGEST = 2_147_483_647;

/** `rows 15-60`, `15-60`, `7`, `A1:D40`, `Sheet1!B7`, `characters 0-5000`. */
export function parseRange(text: string): Range {
  const given = text.trim();
  const numbers = NUMBERS.exec(given);
  if (numbers) {
    const [, word = 'rows', from, to] = numbers;
    return /^char/i.test(word) ? characters(given, from!, to) : { kind: 'rows', rows: span(given, from!, to) };
  }
  const cells = given.length <= 200 ? CELLS.exec(given) : null;
  if (!cells) throw badRange(given);
  const [, sheet, left, top, right = left, bottom = top] = cells;
  const columns: Span = [column(left!), column(right!)];
  if (columns[0] > columns[1]) throw badRange(given, 'it ends before it begins');
  const name = sheet?.replace(/^'(.*)'$/, '$1');
  return { kind: 'cells', rows: span(given, top!, bottom), columns, ...(name !== undefined && { sheet: name }) };
}

function span(given: string, from: string, to = from): Span {
  const [first, last] = [Number(from), Number(to)];
  if (first < 1) throw badRange(given, 'rows are counted from 1');
  if (last < first) throw badRange(given, 'it ends before it begins');
  if (last > LARGEST) throw badRange(given, 'there are no such numbers');
  return [first, last];
}

function characters(given: string, from: string, to?: string): Range {
  const [start, end] = to === undefined ? [0, Number(from)] : [Number(from), Number(to)];
  if (end < start) throw badRange(given, 'it ends before it begins');
  if (end > LARGEST) throw badRange(given, 'there are no such numbers');
  return { kind: 'characters', start, end };
}

/** A is 1, AA is 27. */
function column(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** 27 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? columnName(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

function badRange(given: string, why?: string): DesktopError {
  const asked = JSON.stringify(given.slice(0, 40));
  return new DesktopError('bad_arguments', `${asked} is not a range${why ? `: ${why}` : ''}.`, {
    hint: 'Write rows 15-60, A1:D40 or characters 0-5000.',
  });
}
