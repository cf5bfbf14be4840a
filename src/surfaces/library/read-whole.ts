import type { ToolResult } from '../../tools/index.js';
import type { Element } from '../../tree/index.js';
import type { Link } from './link.js';
import { wrong } from './selector-text.js';

interface Asked {
  target: string;
  window: string | undefined;
  range?: string;
}

type Read = ToolResult['ui_read'];

/** So much at once; a program has no token budget, but an answer has an end. */
const PAGE_TOKENS = 100_000;
const MOST_PAGES = 1_000;

/** All of the text, page by page: a field's, a document's, or the rows of a list or table, cells with tabs between. */
export async function wholeText(link: Link, asked: Asked): Promise<string> {
  const first = await read(link, asked);
  if (first.kind === 'value') return String(first.element.value ?? first.element.name ?? '');
  if (first.kind === 'rows') return (await allRows(link, asked, first)).map((cells) => cells.join('\t')).join('\n');
  let { text, end } = first;
  if (asked.range !== undefined) return text;
  for (let pages = 1; end < first.total && pages < MOST_PAGES; pages++) {
    const next = await read(link, { ...asked, range: `characters ${end}-${first.total}` });
    if (next.kind !== 'text' || next.text === '') break;
    text += next.text;
    end = next.end;
  }
  return text;
}

export async function cellsOf(link: Link, asked: Asked & { range: string }): Promise<string[][]> {
  const first = await read(link, asked);
  if (first.kind !== 'rows') throw wrong('It has no rows.', 'cells() is for tables, sheets and lists.');
  return allRows(link, asked, first);
}

async function allRows(link: Link, asked: Asked, first: Extract<Read, { kind: 'rows' }>): Promise<string[][]> {
  const width = first.columns ?? (first.table ? ([1, first.table.columns] as const) : undefined);
  const rows: string[][] = first.rows.map((row) => cellTexts(row, width));
  if (asked.range !== undefined) return rows;
  let [, last] = first.span;
  for (let pages = 1; last < first.total && pages < MOST_PAGES; pages++) {
    const next = await read(link, { ...asked, range: `rows ${last + 1}-${first.total}` });
    if (next.kind !== 'rows' || next.rows.length === 0) break;
    rows.push(...next.rows.map((row) => cellTexts(row, width)));
    [, last] = next.span;
  }
  return rows;
}

/** Cells that are not told are empty. */
function cellTexts(row: Element, width: readonly [number, number] | undefined): string[] {
  const cells = row.children.filter(({ cell }) => cell);
  if (cells.length === 0 || !width) return cells.length > 0 ? cells.map(textOf) : [textOf(row)];
  const [first, last] = width;
  const texts = new Array<string>(last - first + 1).fill('');
  for (const one of cells)
    if (one.cell!.column >= first && one.cell!.column <= last) texts[one.cell!.column - first] = textOf(one);
  return texts;
}

const textOf = ({ value, name }: Element): string => String(value ?? name ?? '');

async function read(link: Link, asked: Asked): Promise<Read> {
  const { json } = await link.call('ui_read', { ...asked, maxTokens: PAGE_TOKENS });
  return json as unknown as Read;
}
