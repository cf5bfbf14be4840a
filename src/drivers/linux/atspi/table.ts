import {
  boundingBox,
  type Box,
  cellAddress,
  cleanName,
  type Node,
  parseCellAddress,
  type Span,
  type TableInfo,
} from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  COMPONENT,
  readChildAt,
  readChildCount,
  readChildren,
  readNumber,
  readRole,
  readString,
  SCREEN,
  TABLE,
} from './accessible.js';
import type { AppCalls } from './app-connection.js';
import type { ChildrenRead } from './children.js';
import type { WalkContext, Walk } from './walk.js';

/** A LibreOffice table with at least this many rows is a sheet with cell addresses. */
const SHEET_ROWS = 65_536;
/** A table this small is read completely. Larger ones are probed for their visible part. */
const SMALL_TABLE = 40;
/** More than any screen shows. An app that claims more is cut here. */
const MAX_SHOWN_ROWS = 200;
const MAX_SHOWN_COLUMNS = 60;

interface Position {
  row: number;
  column: number;
}

export interface Grid {
  path: string;
  rows: number;
  columns: number;
  sheet: boolean;
}

export async function readGrid(calls: AppCalls, path: string): Promise<Grid | undefined> {
  const [rows, columns] = await Promise.all([
    readNumber(calls, path, TABLE, 'NRows'),
    readNumber(calls, path, TABLE, 'NColumns'),
  ]);
  if (rows === undefined || columns === undefined || rows < 0 || columns < 1) return undefined;
  return { path, rows, columns, sheet: calls.app.toolkit.name === 'libreoffice' && rows >= SHEET_ROWS };
}

export async function cellAt(calls: AppCalls, grid: Grid, row: number, column: number): Promise<Address | undefined> {
  const answer = await calls.maybe(calls.call(grid.path, TABLE, 'GetAccessibleAt', 'ii', [row - 1, column - 1]));
  return asAddress(answer?.[0]);
}

/**
 * The visible rows and columns, found by hit tests at the corners: walking a whole sheet would never end. `area` is in
 * the toolkit's own coordinates.
 */
export async function visibleRange(calls: AppCalls, grid: Grid, area: Box): Promise<{ rows: Span; columns: Span }> {
  const left = area.x + 3;
  const right = area.x + area.width - 3;
  const [first, last, farRight] = await Promise.all([
    probe(calls, grid, left, area.y + 3, +1, area.height),
    probe(calls, grid, left, area.y + area.height - 3, -1, area.height),
    probe(calls, grid, right, area.y + 3, +1, area.height),
  ]);
  const top = first?.row ?? 1;
  const rows = grid.rows <= SMALL_TABLE && !last ? grid.rows : Math.max(top, last?.row ?? top + SMALL_TABLE - 1);
  const start = first?.column ?? 1;
  const end = farRight?.column ?? (grid.columns <= SMALL_TABLE ? grid.columns : start + 25);
  return {
    rows: [top, Math.min(grid.rows, rows, top + MAX_SHOWN_ROWS - 1)],
    columns: [Math.min(start, end), Math.min(grid.columns, Math.max(start, end), start + MAX_SHOWN_COLUMNS - 1)],
  };
}

/** The cell at a point, or at the next points above or below it: headers and gaps are not cells. */
async function probe(
  calls: AppCalls,
  grid: Grid,
  x: number,
  y: number,
  step: 1 | -1,
  height: number,
): Promise<Position | undefined> {
  for (let offset = 0; offset < Math.min(height, 120); offset += 15) {
    const answer = await calls.maybe(
      calls.call(grid.path, COMPONENT, 'GetAccessibleAtPoint', 'iiu', [x, y + step * offset, SCREEN]),
    );
    const cell = asAddress(answer?.[0]);
    const position = cell && cell[1] !== grid.path ? await positionOf(calls, grid, cell[1]) : undefined;
    if (position) return position;
  }
  return undefined;
}

export async function positionOf(calls: AppCalls, grid: Grid, path: string): Promise<Position | undefined> {
  // In a sheet, the indexes of far cells overflow, but cells are named by their address.
  if (grid.sheet) return parseCellAddress(await readString(calls, path, ACCESSIBLE, 'Name'));
  const index = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetIndexInParent'));
  if (typeof index?.[0] !== 'number' || index[0] < 0) return undefined;
  const [row, column] = await Promise.all(
    ['GetRowAtIndex', 'GetColumnAtIndex'].map((member) =>
      calls.maybe(calls.call(grid.path, TABLE, member, 'i', [index[0]])),
    ),
  );
  const position = { row: Number(row?.[0] ?? -1) + 1, column: Number(column?.[0] ?? -1) + 1 };
  return position.row >= 1 && position.column >= 1 ? position : undefined;
}

export async function readHeaders(calls: AppCalls, grid: Grid, columns: Span): Promise<string[] | undefined> {
  if (grid.sheet) return undefined;
  const numbers = Array.from({ length: columns[1] - columns[0] + 1 }, (_, i) => columns[0] + i);
  if (calls.app.toolkit.drawnByLabels) {
    const all = await readHeaderRow(calls, grid);
    return all?.slice(columns[0] - 1, columns[1]);
  }
  const names = await Promise.all(
    numbers.map(async (column) => {
      const header = await calls.maybe(calls.call(grid.path, TABLE, 'GetColumnHeader', 'i', [column - 1]));
      const address = asAddress(header?.[0]);
      if (address) return cleanName(await readString(calls, address[1], ACCESSIBLE, 'Name')).text.trim();
      const description = await calls.maybe(calls.call(grid.path, TABLE, 'GetColumnDescription', 'i', [column - 1]));
      return typeof description?.[0] === 'string' ? cleanName(description[0]).text.trim() : '';
    }),
  );
  return names.some((name) => name !== '') ? names : undefined;
}

const VIEWPORT = 68;
const MAX_PANES = 8;

/**
 * In Swing every header of a column answers with the name of the column that was asked for last. The row of headers
 * beside the table, in the same scroll pane, has one element for each.
 */
async function readHeaderRow(calls: AppCalls, { path, columns }: Grid): Promise<string[] | undefined> {
  const parentOf = async (below: string | undefined): Promise<string | undefined> =>
    below === undefined ? undefined : asAddress(await calls.maybe(calls.get(below, ACCESSIBLE, 'Parent')))?.[1];
  const viewport = await parentOf(path);
  const pane = await parentOf(viewport);
  if (pane === undefined || (await readChildCount(calls, pane)) > MAX_PANES) return undefined;
  for (const [, beside] of await readChildren(calls, pane)) {
    if (beside === viewport || (await readRole(calls, beside)) !== VIEWPORT) continue;
    const row = await readChildAt(calls, beside, 0);
    if (!row || (await readChildCount(calls, row[1])) !== columns) continue;
    const headers = await readChildren(calls, row[1]);
    const names = await Promise.all(headers.map(([, header]) => readString(calls, header, ACCESSIBLE, 'Name')));
    return names.map((name) => cleanName(name).text.trim());
  }
  return undefined;
}

/** A row of a table that exposes only cells. Its id is the table and the row number; its text distinguishes items. */
export function rowNode(tableId: string, row: number, cells: Node[]): Node {
  const boxes = cells.map((cell) => cell.bounds).filter((box) => box !== undefined);
  const selectable = cells.some((cell) => cell.states.selected !== undefined);
  return {
    id: `${tableId}#r${row}`,
    role: 'row',
    ...(boxes.length > 0 && { bounds: boundingBox(boxes) }),
    states: {
      enabled: cells.some((cell) => cell.states.enabled),
      visible: cells.some((cell) => cell.states.visible),
      ...(cells.every((cell) => cell.states.offscreen) && { offscreen: true }),
      ...(selectable && { selected: cells.some((cell) => cell.states.selected === true) }),
      ...(cells.some((cell) => cell.states.expanded !== undefined) && {
        expanded: cells.some((cell) => cell.states.expanded === true),
      }),
    },
    patterns: [],
    platformIds: {},
    children: cells,
  };
}

export function tableInfo(grid: Grid, shown: { rows: Span; columns: Span } | undefined, headers?: string[]): TableInfo {
  return {
    rows: grid.rows,
    columns: grid.columns,
    ...(shown && { shown }),
    ...(headers && { headers }),
    ...(grid.sheet && { sheet: true }),
  };
}

export function cellPosition(grid: Grid, row: number, column: number): NonNullable<Node['cell']> {
  return { row, column, ...(grid.sheet && { address: cellAddress(row, column) }) };
}

/** A table whose rows are its children, as in web pages. The header row becomes the table's headers. */
export async function tableFromRows(
  walk: Walk,
  addresses: Address[],
  nodes: readonly (Node | undefined)[],
  children: ChildrenRead,
  context: WalkContext,
): Promise<ChildrenRead> {
  const header = await headerRow(walk, addresses[0], nodes[0], context);
  // Without the first row, the numbers of the other rows are unknown.
  if (walk.gaps.timedOut) return children;
  const rows = header ? nodes.slice(1) : nodes;
  if (!rows.every((row) => row === undefined || row.role === 'row')) return children;
  const first = rows.findIndex((row) => row !== undefined);
  const last = rows.findLastIndex((row) => row !== undefined);
  const columns = header?.children.length ?? Math.max(0, ...rows.map((row) => row?.children.length ?? 0));
  rows.forEach((row, index) => {
    row?.children.forEach((cell, column) => (cell.cell ??= { row: index + 1, column: column + 1 }));
  });
  return {
    ...children,
    children: rows.filter((row) => row !== undefined),
    table: {
      rows: rows.length,
      columns,
      ...(first >= 0 && columns > 0 && { shown: { rows: [first + 1, last + 1], columns: [1, columns] } }),
      ...(header && { headers: header.children.map((cell) => cell.name ?? '') }),
    },
  };
}

/** The first row, if it contains only headers. Its names are read even when it is scrolled out. */
async function headerRow(
  walk: Walk,
  address: Address | undefined,
  read: Node | undefined,
  context: WalkContext,
): Promise<Node | undefined> {
  if (!address) return undefined;
  const row =
    read ??
    (await walk.fork({ full: true, maxNodes: 200 }).child(address, {
      ...context,
      depth: 1,
    }));
  const isHeader =
    row !== undefined && row.children.length > 0 && row.children.every((cell) => cell.role === 'columnheader');
  return isHeader ? row : undefined;
}
