import { cellAddress, columnLetters } from '../cell-address.js';
import type { Element } from '../element.js';
import { STRUCTURE_ROLES } from '../roles/roles.js';
import {
  isPlainText,
  isShown,
  mustStay,
  type CellPart,
  type PruneContext,
  type Scope,
  type SheetRow,
  type SheetView,
  type View,
} from './view.js';

type ChildViews = (element: Element, parent: Element, scope: Scope, context: PruneContext) => View[];

interface Parts {
  headers: string[];
  rows: { element: Element; cells: Element[] }[];
  rest: Element[];
}

function textOf(element: Element): string {
  return String(element.name?.trim() || (element.value ?? '')).trim();
}

/** Some toolkits expose rows, some only cells: both become rows. */
function partsOf(element: Element): Parts {
  const parts: Parts = { headers: element.table?.headers ?? [], rows: [], rest: [] };
  const headers: string[] = [];
  const cellsByRow = new Map<number, { element: Element; cells: Element[] }>();
  const walk = (children: readonly Element[]): void => {
    for (const child of children) {
      if (child.role === 'row' && child.children.some((cell) => cell.role === 'columnheader')) {
        headers.push(...child.children.filter((cell) => cell.role === 'columnheader').map(textOf));
      } else if (child.role === 'row') parts.rows.push({ element: child, cells: child.children });
      else if (child.role === 'columnheader') headers.push(textOf(child));
      else if ((child.role === 'cell' || child.role === 'rowheader') && child.cell) {
        const row = cellsByRow.get(child.cell.row) ?? { element: child, cells: [] };
        row.cells.push(child);
        if (!cellsByRow.has(child.cell.row)) parts.rows.push(row);
        cellsByRow.set(child.cell.row, row);
      } else if (STRUCTURE_ROLES.has(child.role) && !child.name) walk(child.children);
      else parts.rest.push(child);
    }
  };
  walk(element.children);
  if (parts.headers.length === 0) parts.headers = headers;
  return parts;
}

/** Fills `view` with the printed rows, each with its number. */
export function tableView(view: View, scope: Scope, context: PruneContext, childViews: ChildViews): void {
  const { element } = view;
  const parts = partsOf(element);
  const total = Math.max(element.table?.rows ?? 0, parts.rows.length);
  const begin = total > parts.rows.length ? (element.table?.shown?.rows[0] ?? 1) : 1;
  const rows: View[] = [];
  for (const [at, row] of parts.rows.entries()) {
    if (!isShown(row.element, context)) continue;
    const number = row.cells[0]?.cell?.row ?? begin + at;
    rows.push(rowView(row.element, row.cells, number, scope, context, childViews));
  }
  const rest = childViews({ ...element, children: parts.rest }, element, scope, context);
  const plain = context.interactive === true && rows.every((row) => row.ref === undefined && !row.children.length);
  view.children = plain ? rest : [...rest.filter((child) => !child.placeholder), ...rows];
  view.numbered = { word: 'rows', total };
  view.table = { headers: parts.headers, rows: total };
  // Unread rows are reported by their numbers.
  if (total > parts.rows.length) view.unread = 0;
  const first = rows[0]?.number;
  const last = rows.at(-1)?.number;
  const shown = element.table?.shown?.rows ?? (first && last ? ([first, last] as const) : undefined);
  if (shown && shown[1] - shown[0] + 1 < total) view.table.shown = [shown[0], shown[1]];
}

export function rowView(
  element: Element,
  cells: readonly Element[],
  number: number,
  scope: Scope,
  context: PruneContext,
  childViews: ChildViews,
): View {
  const inner: Scope = { element, up: scope };
  const parts = cells.map((cell) => cellParts(cell, element, { element: cell, up: inner }, context, childViews));
  const children = parts.flat().filter((part) => typeof part !== 'string');
  const unread = element.unread ?? 0;
  const row = { element, role: 'row', name: '', ref: element.ref, scope, children, number, unread };
  return { ...row, cells: parts, cellElements: cells };
}

function cellParts(
  cell: Element,
  row: Element,
  scope: Scope,
  context: PruneContext,
  childViews: ChildViews,
): CellPart[] {
  const text = textOf(cell);
  const parts: CellPart[] = [];
  const collect = (views: readonly View[]): void => {
    for (const view of views) {
      if (isPlainText(view.element) && !mustStay(view.element)) parts.push(view.name);
      else if (isPlainText(view.element)) parts.push({ ...view, children: [], inRow: 'words' });
      else if (!view.placeholder) parts.push({ ...view, children: [] });
      collect(view.children);
    }
  };
  // The cell's name repeats the text in it. Without the name, the text comes with its controls, in order.
  const nameless: Element = { ...cell };
  delete nameless.name;
  delete nameless.value;
  if (cell.children.length > 0) {
    collect(childViews(nameless, nameless, scope, { ...context, interactive: false }));
  }
  const known = parts.map((part) => (typeof part === 'string' ? part : part.name)).join(' ');
  // Such a cell shows only a check mark.
  if (!text && parts.length === 0 && cell.states.checked === true) parts.push('checked');
  if (text && !parts.some((part) => typeof part === 'string') && known !== text) parts.unshift(text);
  const { focused, invalid, selected } = cell.states;
  const own = cell !== row && (focused || invalid || (selected && row.states.selected !== true));
  if (!own) return parts;
  const controls = parts.filter((part) => typeof part !== 'string');
  const name = text || parts.filter((part) => typeof part === 'string').join(' ');
  const view: View = { element: cell, role: cell.role, name, ref: cell.ref, scope, children: [], unread: 0 };
  return [{ ...view, inRow: 'cell' }, ...controls];
}

/** Non-empty cells by row; the sheet itself may have billions of cells. */
export function sheetView(element: Element): SheetView {
  const { rows = 0, columns = 0, shown } = element.table ?? {};
  const byRow = new Map<number, SheetRow>();
  let focused: string | undefined;
  for (const { cell, row, column } of sheetCells(element)) {
    const letters = columnLetters(column);
    const address = `${letters}${row}`;
    if (cell.states.focused) focused = address;
    const text = String(cell.value ?? (cell.name === address ? '' : (cell.name ?? ''))).trim();
    if (text === '') continue;
    const line = byRow.get(row) ?? { row, cells: [] };
    line.cells.push({ address, column: letters, text });
    byRow.set(row, line);
  }
  const view: SheetView = { rows, columns, filled: [...byRow.values()].sort((a, b) => a.row - b.row) };
  if (focused) view.focused = focused;
  if (shown) {
    const [top, bottom] = shown.rows;
    const [left, right] = shown.columns;
    view.shown = `${cellAddress(top, left)}:${cellAddress(bottom, right)}`;
  }
  return view;
}

interface SheetCell {
  cell: Element;
  row: number;
  column: number;
}

/** The cells that were read, with or without row elements. */
function sheetCells(element: Element): SheetCell[] {
  return element.children.flatMap((child) => {
    if (child.cell) return [{ cell: child, row: child.cell.row, column: child.cell.column }];
    return sheetCells(child);
  });
}
