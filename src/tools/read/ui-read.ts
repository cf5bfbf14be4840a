import { z } from 'zod';
import { defineTool, READ_TRAITS, type Reader, type Rows, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import {
  cellAddress,
  checkMaxTokens,
  columnNumber,
  type Element,
  estimateTokens,
  isCut,
  withUntrustedMarkers,
  renderElementLine,
  roleInText,
  type Span,
} from '../../tree/index.js';
import { readPage, textLines, type TextPage } from '../text/pages.js';
import { hasWords, rowLine } from '../text/rows.js';
import { COUNT, ROOT, THING, THINGS } from '../output-schemas.js';

type Content =
  | {
      kind: 'rows';
      word: 'rows' | 'items';
      rows: Element[];
      span: Span;
      total: number;
      table?: Rows['table'];
      columns?: Span;
    }
  | { kind: 'text'; text: string; start: number; end: number; total: number }
  | { kind: 'value'; element: Element };

/** @public The answer for programs. */
export type ReadAnswer = {
  untrusted: true;
  ref: string;
  window: string;
  /** Everything that was asked for is here. */
  complete: boolean;
} & Content;

type Result = { untrusted: true; ref: string; window: string; range: Range | undefined } & Content;

/** Upper bound for the tokens of the markers and the last line. */
const FRAME_TOKENS = 60;
/** No row costs fewer. */
const ROW_TOKENS = 4;
/** So many columns of a sheet are read when only rows were asked for. */
const SHEET_COLUMNS = 50;

export const uiRead = defineTool({
  name: 'ui_read',
  class: 'read',
  description:
    'Full text or value of an element; items of a list, rows of a table, cells of a sheet, also those off screen.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    positionals: ['target', 'range'],
    examples: [
      ['read e40 25-60', 'rows of a table, including off-screen rows'],
      ["read 'textbox:Document'", 'the whole text'],
    ],
  },
  sentence: { verb: () => ['Read'] },
  output: z.looseObject({
    ...ROOT,
    ...{
      ref: z.string(),
      window: z.string(),
      complete: z.boolean(),
      kind: z.enum(['rows', 'text', 'value']),
      total: COUNT.optional(),
    },
    ...{ word: z.enum(['rows', 'items']).optional(), rows: THINGS.optional(), span: THING.optional() },
    ...{ table: THING.optional(), columns: THING.optional(), text: z.string().optional() },
    ...{ start: COUNT.optional(), end: COUNT.optional(), element: THING.optional() },
  }),
  timeoutMs: 5_000,
  input: z.object({
    target: z.string().max(2_000),
    window: z.string().max(500).optional(),
    range: z.string().max(200).optional().describe('rows 15-60, cells A1:D40, characters 0-5000'),
    maxTokens: z.int().default(2000),
  }),
  async run({ reader }, { target, window, range, maxTokens }): Promise<Result> {
    checkMaxTokens(maxTokens);
    const parsedRange = range === undefined ? undefined : parseRange(range);
    const found = await reader.target(target, window, { depth: 0, detail: true });
    const content = await readContent(reader, found, parsedRange, maxTokens - FRAME_TOKENS);
    return { untrusted: true, ref: found.element.ref, window: found.window.ref, range: parsedRange, ...content };
  },
  text(result) {
    if (result.kind === 'value') return withUntrustedMarkers(renderElementLine({ ...result.element, children: [] }));
    if (result.kind === 'text') return textText(result);
    const lines = result.rows.map((row) => rowLine(row, result.table));
    const end = rowsEnd(result);
    return lines.length > 0 ? `${withUntrustedMarkers(lines.join('\n'))}\n${end}` : end;
  },
  json(result): ReadAnswer {
    const { range: _range, ...answer } = result;
    return { ...answer, complete: isComplete(result) };
  },
});

async function readContent(
  reader: Reader,
  target: Target,
  request: Range | undefined,
  budget: number,
): Promise<Content> {
  const { element } = target;
  const kind = request?.kind ?? usualKind(element);
  if (element.states.secret) {
    if (request) throw notReadable(element, 'its text is secret');
    return { kind: 'value', element };
  }
  if (kind === 'characters') {
    const { start, end } = request?.kind === 'characters' ? request : { start: 0, end: Infinity };
    const read = (until: number): Promise<TextPage> => reader.text(target, { start, end: until });
    return { kind: 'text', ...(await readPage(read, Math.min(end, start + budget * 6), budget)) };
  }
  if (kind === 'value' || request?.kind === 'characters') return { kind: 'value', element };
  return readRows(reader, target, request, budget);
}

async function readRows(reader: Reader, target: Target, request: Range | undefined, budget: number): Promise<Content> {
  const { element } = target;
  if (!element.table && !element.items && !HOLDS_ROWS.has(element.role)) throw notReadable(element, 'it has no rows');
  const most = Math.max(1, Math.floor(budget / ROW_TOKENS));
  const wanted: Span = request && request.kind !== 'characters' ? request.rows : [1, most];
  const rows: Span = [wanted[0], Math.min(wanted[1], wanted[0] + most - 1)];
  const columns = columnsOf(element, request);
  const sheet = request?.kind === 'cells' && request.sheet !== undefined ? { sheet: request.sheet } : {};
  const answer = await reader.range(
    target,
    columns ? { cells: { rows, columns, formulas: true, ...sheet } } : { rows },
  );
  const kept: Element[] = [];
  let tokens = 0;
  const there = answer.rows.filter((row) => !element.table?.sheet || hasWords(row));
  for (const row of there) {
    tokens += estimateTokens(`${rowLine(row, answer.table)}\n`);
    if (tokens > budget && kept.length > 0) break;
    kept.push(row);
  }
  const [first, last] = answer.span;
  // A sheet leaves out empty rows, so that rows that were all kept say nothing about the last number.
  const end = kept.length === there.length ? last : lastNumber(kept, first);
  const word = element.table || answer.table ? 'rows' : 'items';
  return { kind: 'rows', word, rows: kept, span: [first, end], total: answer.total, table: answer.table, columns };
}

const HOLDS_ROWS: ReadonlySet<string> = new Set([
  'table',
  'grid',
  'treegrid',
  'sheet',
  'list',
  'listbox',
  'tree',
  'combobox',
  'menu',
]);

/** Read for their rows; a combo box or menu more likely for what it says. */
const ALL_ROWS: ReadonlySet<string> = new Set([...HOLDS_ROWS].filter((role) => role !== 'combobox' && role !== 'menu'));

function columnsOf(element: Element, request: Range | undefined): Span | undefined {
  if (request?.kind === 'cells') return request.columns;
  if (!element.table?.sheet) return undefined;
  const [first, last] = element.table.shown?.columns ?? [1, SHEET_COLUMNS];
  return [first, Math.min(last, first + SHEET_COLUMNS - 1, element.table.columns)];
}

function lastNumber(rows: Element[], first: number): number {
  return rows.at(-1)?.children[0]?.cell?.row ?? first + rows.length - 1;
}

function usualKind(element: Element): 'rows' | 'characters' | 'value' {
  if (element.table || element.items || ALL_ROWS.has(element.role)) return 'rows';
  return element.patterns.includes('text') && typeof element.value !== 'number' ? 'characters' : 'value';
}

function notReadable(element: Element, why: string): DesktopError {
  return new DesktopError(
    'not_supported',
    `That cannot be read of ${element.ref} ${roleInText(element.role)}: ${why}.`,
    {
      retry: 'no',
      hint: 'ui_describe lists what it offers.',
    },
  );
}

type Asked = Pick<Result, 'range'> & { total: number };

const lastRow = ({ range, total }: Asked): number =>
  range && range.kind !== 'characters' ? Math.min(range.rows[1], total) : total;

const lastCharacter = ({ range, total }: Asked): number =>
  range?.kind === 'characters' ? Math.min(range.end, total) : total;

function isComplete(result: Result): boolean {
  if (result.kind === 'rows') return result.span[1] >= lastRow(result);
  if (result.kind === 'text') return result.end >= lastCharacter(result);
  // The driver marks a value that it cut, and the mark is cut again.
  return typeof result.element.value !== 'string' || !isCut(result.element.value, Infinity);
}

function rowsEnd({ ref, word, span, total, rows, columns, range }: Extract<Result, { kind: 'rows' }>): string {
  if (total === 0) return `no ${word}`;
  const [first, last] = span;
  const where = columns
    ? `cells ${cellAddress(first, columns[0])}:${cellAddress(last, columns[1])}`
    : `${word} ${first}-${last}`;
  const size = columns ? `, ${total} rows in all` : ` of ${total}`;
  const empty = rows.length === 0 ? ', all empty' : '';
  const until = lastRow({ range, total });
  if (last >= until) return `${where}${size}${empty}`;
  const [from, to] = [last + 1, Math.min(until, last + Math.max(1, last - first + 1))];
  const more = columns ? `${cellAddress(from, columns[0])}:${cellAddress(to, columns[1])}` : `${from}-${to}`;
  return `${where}${size}${empty}; next: ui_read ${ref} ${more}`;
}

function textText({ ref, text, start, end, total, range }: Extract<Result, { kind: 'text' }>): string {
  if (total === 0) return 'no text';
  const until = lastCharacter({ range, total });
  const more = end < until ? `; next: ui_read ${ref} characters ${end}-${Math.min(until, end + (end - start))}` : '';
  const last = `characters ${start}-${end} of ${total}${more}`;
  return text === '' ? last : `${withUntrustedMarkers(textLines(text).join('\n'))}\n${last}`;
}

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
  const columns: Span = [columnNumber(left!), columnNumber(right!)];
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

function badRange(given: string, why?: string): DesktopError {
  const quoted = JSON.stringify(given.slice(0, 40));
  return new DesktopError('bad_arguments', `${quoted} is not a range${why ? `: ${why}` : ''}.`, {
    hint: 'Write rows 15-60, A1:D40 or characters 0-5000.',
  });
}
