import type { Element, Span } from '../element.js';
import type { Box } from '../geometry.js';
import { hasNotes, valueText } from './line.js';
import { mustStay, countViews, type SheetRow, type View } from './view.js';

/** One line of the text and the lines under it. */
export interface Block {
  /** One element, or the elements of a run. */
  views: View[];
  sheetRow?: SheetRow;
  indent: number;
  parent?: Block;
  children: Block[];
  /** Its numbers in a container with numbered parts. */
  numbers?: Span;
  /** Number of elements here and below. */
  count: number;
  /** Focused, selected, invalid or modal, or contains such an element. */
  mustStay: boolean;
  /** Not printed; a line in its place names the call that shows it. */
  hidden: boolean;
  /** Its children are not printed; its own line names the call that shows them. */
  closed: boolean;
}

export const MAX_RUN_NAME = 24;
const MAX_RUN_LENGTH = 12;

function isLeaf(view: View): boolean {
  return view.children.length === 0 && view.unread === 0 && !view.table && !view.sheet && !view.cells;
}

export function canRun(view: View): boolean {
  if (view.window || !isLeaf(view) || hasNotes(view) || valueText(view) !== '') return false;
  return view.name.length <= MAX_RUN_NAME * 2 && Array.from(view.name).length <= MAX_RUN_NAME;
}

function startsRow(box: Box | undefined, before: Box | undefined): boolean {
  if (!box || !before) return false;
  return Math.abs(box.y - before.y) > Math.max(box.height, before.height) / 2;
}

/** Rows as the app lays them out. Consecutive rows with a single element each are joined into one. */
function rowsOf<T extends { element: Element }>(views: readonly T[]): T[][] {
  const rows: T[][] = [];
  let before: Box | undefined;
  for (const view of views) {
    const { bounds } = view.element;
    const row = rows.at(-1);
    if (!row || startsRow(bounds, before)) rows.push([view]);
    else row.push(view);
    before = bounds ?? before;
  }
  const joined: T[][] = [];
  let single = false;
  for (const row of rows) {
    if (row.length === 1 && single) joined.at(-1)?.push(...row);
    else joined.push([...row]);
    single = row.length === 1;
  }
  return joined;
}

/** Adjacent leaves of the same role that can share a line, split where the app starts a new row and after 12. */
export function runsOf(views: readonly View[]): View[][] {
  const runs: View[][] = [];
  let at = 0;
  while (at < views.length) {
    const first = views[at]!;
    let end = at + 1;
    if (canRun(first)) while (end < views.length && views[end]!.role === first.role && canRun(views[end]!)) end += 1;
    for (const row of rowsOf(views.slice(at, end))) {
      for (let from = 0; from < row.length; from += MAX_RUN_LENGTH) runs.push(row.slice(from, from + MAX_RUN_LENGTH));
    }
    at = end;
  }
  return runs;
}

function spanOf(views: readonly View[]): Span | undefined {
  const numbers = views.flatMap(({ number }) => (number === undefined ? [] : [number]));
  return numbers.length > 0 ? [Math.min(...numbers), Math.max(...numbers)] : undefined;
}

function countOf(view: View, block: Block): number {
  if (view.cells) return countViews(view);
  return block.children.reduce((sum, child) => sum + child.count, view.unread + (view.placeholder ? 0 : 1));
}

interface LayoutOptions {
  /** Printed levels below the first line. */
  depth?: number;
}

function blockOf(views: View[], indent: number, parent: Block | undefined): Block {
  const block: Block = { views, indent, children: [], count: 0, mustStay: false, hidden: false, closed: false };
  if (parent) block.parent = parent;
  const numbers = spanOf(views);
  if (numbers) block.numbers = numbers;
  return block;
}

export function layout(views: readonly View[], options: LayoutOptions, indent = 0, parent?: Block): Block[] {
  return runsOf(views).map((run) => {
    const block = blockOf(run, indent, parent);
    const view = run[0]!;
    block.mustStay = run.some((one) => mustStay(one.element));
    if (view.cells) block.mustStay ||= view.children.some((child) => mustStay(child.element));
    else block.children = layout(view.children, options, indent + 1, block);
    if (view.sheet) block.children = view.sheet.filled.map((row) => sheetBlock(row, view, block));
    block.mustStay ||= block.children.some((child) => child.mustStay);
    block.count = run.length === 1 ? countOf(view, block) : run.length;
    block.closed = options.depth !== undefined && indent >= options.depth && block.children.length > 0;
    return block;
  });
}

function sheetBlock(row: SheetRow, view: View, parent: Block): Block {
  const block = blockOf([view], parent.indent + 1, parent);
  const stay = row.cells.some(({ address }) => address === view.sheet?.focused);
  delete block.numbers;
  return { ...block, sheetRow: row, count: row.cells.length, mustStay: stay };
}
