import type { ToolResult } from '../../../tools/index.js';
import type { Element } from '../../../tree/index.js';
import type { Link } from '../link.js';
import type { ActOptions } from '../options.js';
import type { ActResult, ElementInfo } from '../surface.js';
import type { SearchScope } from './search-scope.js';
import { retryUntilFound } from './retry.js';
import { quote, SelectorBuilder, badArguments } from './selector-builder.js';

/** The element of a call. */
export interface ElementCall {
  link: Link;
  scope: SearchScope;
  target: string;
  /** The call as source code, for errors. */
  expression: string;
}

/** Acts on one element as soon as it exists. */
export function actOn(subject: ElementCall, tool: string, args: object): Promise<ActResult> {
  const { link, target } = subject;
  const { timeoutMs, ...rest } = args as { timeoutMs?: number };
  return retryUntilFound(link, { ...subject, timeoutMs }, async (window, leftMs) => {
    const { json } = await link.call(tool, { ...rest, target, window, timeoutMs: leftMs });
    return json as unknown as ActResult;
  });
}

export async function describeElement(link: Link, target: string, window: string | undefined): Promise<ElementInfo> {
  const { json } = await link.call('ui_describe', { target, window });
  const { element, window: where, path, selector } = json as unknown as ToolResult['ui_describe'];
  return { ...element, window: where.ref, path, ...(selector && { selector: selector.selector }) };
}

/** In a combo box, the name is set as its value. Everywhere else, the element with that name is selected. */
export async function selectOption(subject: ElementCall, name: string, options: ActOptions = {}): Promise<ActResult> {
  const { link, target } = subject;
  const { role } = await retryUntilFound(link, { ...subject, timeoutMs: options.timeoutMs }, (window) =>
    describeElement(link, target, window),
  );
  if (role === 'combobox') return actOn(subject, 'ui_set_value', { ...options, value: name });
  const option = SelectorBuilder.of(`name=${quote(name)} && !role=text`).within(SelectorBuilder.of(target));
  return actOn({ ...subject, target: option.text }, 'ui_act', { ...options, action: 'select' });
}

interface ReadRequest {
  target: string;
  window: string | undefined;
  range?: string;
}

type ReadResult = ToolResult['ui_read'];

/** Size of one page. A program has no token budget, but one answer has a maximum size. */
const PAGE_TOKENS = 100_000;
const MAX_PAGES = 1_000;

/**
 * Reads the whole text page by page: of a field or document, or the rows of a list or table with tabs between cells.
 */
export async function readAllText(link: Link, request: ReadRequest): Promise<string> {
  const first = await readPage(link, request);
  if (first.kind === 'value') return String(first.element.value ?? first.element.name ?? '');
  if (first.kind === 'rows')
    return (await readAllRows(link, request, first)).map((cells) => cells.join('\t')).join('\n');
  let { text, end } = first;
  if (request.range !== undefined) return text;
  for (let pages = 1; end < first.total && pages < MAX_PAGES; pages++) {
    const next = await readPage(link, { ...request, range: `characters ${end}-${first.total}` });
    if (next.kind !== 'text' || next.text === '') break;
    text += next.text;
    end = next.end;
  }
  return text;
}

export async function readCells(link: Link, request: ReadRequest & { range: string }): Promise<string[][]> {
  const first = await readPage(link, request);
  if (first.kind !== 'rows')
    throw badArguments('The element has no rows.', 'Use cells() with a table, a sheet or a list.');
  return readAllRows(link, request, first);
}

async function readAllRows(
  link: Link,
  request: ReadRequest,
  first: Extract<ReadResult, { kind: 'rows' }>,
): Promise<string[][]> {
  const width = first.columns ?? (first.table ? ([1, first.table.columns] as const) : undefined);
  const rows: string[][] = first.rows.map((row) => cellTexts(row, width));
  if (request.range !== undefined) return rows;
  let [, last] = first.span;
  for (let pages = 1; last < first.total && pages < MAX_PAGES; pages++) {
    const next = await readPage(link, { ...request, range: `rows ${last + 1}-${first.total}` });
    if (next.kind !== 'rows' || next.rows.length === 0) break;
    rows.push(...next.rows.map((row) => cellTexts(row, width)));
    [, last] = next.span;
  }
  return rows;
}

/** A cell that the app does not expose becomes an empty string. */
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

async function readPage(link: Link, request: ReadRequest): Promise<ReadResult> {
  const { json } = await link.call('ui_read', { ...request, maxTokens: PAGE_TOKENS });
  return json as unknown as ReadResult;
}
