import type { ToolResult } from '../../../tools/index.js';
import type { Element } from '../../../tree/index.js';
import type { Link } from '../link.js';
import type { ActOptions } from '../options.js';
import type { ActResult, ElementInfo } from '../surface.js';
import type { Place } from './place.js';
import { patiently } from './retry.js';
import { quoted, SelectorParts, wrong } from './selector-builder.js';

/** The element that a call is about. */
export interface Subject {
  link: Link;
  place: Place;
  target: string;
  /** As it was written, for errors. */
  said: string;
}

/** An act on one element, as soon as it is there. */
export function actOn(subject: Subject, tool: string, args: object): Promise<ActResult> {
  const { link, target } = subject;
  const { timeoutMs, ...rest } = args as { timeoutMs?: number };
  return patiently(link, { ...subject, timeoutMs }, async (window, leftMs) => {
    const { json } = await link.call(tool, { ...rest, target, window, timeoutMs: leftMs });
    return json as unknown as ActResult;
  });
}

export async function infoOf(link: Link, target: string, window: string | undefined): Promise<ElementInfo> {
  const { json } = await link.call('ui_describe', { target, window });
  const { element, window: where, path, selector } = json as unknown as ToolResult['ui_describe'];
  return { ...element, window: where.ref, path, ...(selector && { selector: selector.selector }) };
}

/** A combo box takes the name as its value; everywhere else the one that is called so is selected. */
export async function choose(subject: Subject, name: string, options: ActOptions = {}): Promise<ActResult> {
  const { link, target } = subject;
  const { role } = await patiently(link, { ...subject, timeoutMs: options.timeoutMs }, (window) =>
    infoOf(link, target, window),
  );
  if (role === 'combobox') return actOn(subject, 'ui_set_value', { ...options, value: name });
  const option = SelectorParts.of(`name=${quoted(name)} && !role=text`).within(SelectorParts.of(target));
  return actOn({ ...subject, target: option.text }, 'ui_act', { ...options, action: 'select' });
}

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
