import { cleanName, cleanValue, type Node, type Span, type TableInfo } from '../../../tree/index.js';
import type { AppCalls } from './app-connection.js';
import {
  ACCESSIBLE,
  type Address,
  idOf,
  readAttributes,
  readChildCount,
  readChildren,
  readExtents,
  readHasWidth,
  readStates,
  readString,
} from './accessible.js';
import { reportedArea, visibleInside, type Place } from './bounds.js';
import { statesOf } from './states.js';
import { cellAt, cellPosition, readHeaders, rowNode, visibleRange, tableInfo, type Grid } from './table.js';
import { readText, readTextLength } from './text.js';
import type { Walk } from './walk.js';

const MAX_CELL_PARTS = 8;
const FORMULA_LIMIT = 500;

/** How to read the cells of a sheet. */
interface CellOptions {
  /** Return empty cells too. Used for reads by address. */
  empty?: boolean;
  /** Read the formula of cells without text: LibreOffice reports an error cell as empty text. */
  formulas?: boolean;
}

/** The visible part of a table. */
export async function readCells(
  walk: Walk,
  address: Address,
  grid: Grid,
  place: Place,
  node: Node,
): Promise<Pick<Node, 'children' | 'table'>> {
  const area = reportedArea(place);
  const shown = area && grid.rows > 0 ? await visibleRange(walk.calls, grid, area) : undefined;
  if (grid.sheet) node.role = 'sheet';
  const span: Span = shown?.rows ?? [1, Math.min(grid.rows, 50)];
  const columns: Span = shown?.columns ?? [1, Math.min(grid.columns, 20)];
  const [rows, headers] = await Promise.all([
    readRows(walk, address, grid, span, columns, place),
    readHeaders(walk.calls, grid, columns),
  ]);
  return { children: rows, table: tableInfo(grid, shown && { rows: span, columns }, headers) };
}

/** Table information without the rows. */
export async function readTableInfo(walk: Walk, grid: Grid, place: Place, node: Node): Promise<TableInfo> {
  const area = reportedArea(place);
  const shown = area && grid.rows > 0 ? await visibleRange(walk.calls, grid, area) : undefined;
  if (grid.sheet) node.role = 'sheet';
  const columns: Span = shown?.columns ?? [1, Math.min(grid.columns, 20)];
  return tableInfo(grid, shown, await readHeaders(walk.calls, grid, columns));
}

/** Rows of a table that exposes only cells. In a sheet, only cells with content or focus. */
export async function readRows(
  walk: Walk,
  address: Address,
  grid: Grid,
  rows: Span,
  columns: Span,
  place: Place,
  cellOptions: CellOptions = {},
): Promise<Node[]> {
  const table = idOf(address);
  const numbers = (span: Span) => Array.from({ length: Math.max(0, span[1] - span[0] + 1) }, (_, i) => span[0] + i);
  const rowNodes = await Promise.all(
    numbers(rows).map(async (row) => {
      const cells = await Promise.all(
        numbers(columns).map((column) => readCell(walk, table, grid, row, column, place, cellOptions)),
      );
      const present = cells.filter((cell) => cell !== undefined);
      return present.length > 0 ? rowNode(table, row, present) : undefined;
    }),
  );
  return rowNodes.filter((row) => row !== undefined);
}

/** GTK 3 exposes a cell with several parts (an icon and a name) as a box. Its name comes from the parts. */
async function readCellName(calls: AppCalls, path: string): Promise<string> {
  const name = await readString(calls, path, ACCESSIBLE, 'Name');
  if (name.trim() !== '' || calls.app.toolkit.name === 'qt') return name;
  const count = await readChildCount(calls, path);
  if (count === 0 || count > MAX_CELL_PARTS) return name;
  const parts = await readChildren(calls, path);
  const names = await Promise.all(
    parts.map(async ([, part]) => {
      const [text, shows] = await Promise.all([readString(calls, part, ACCESSIBLE, 'Name'), readHasWidth(calls, part)]);
      return shows ? text.trim() : '';
    }),
  );
  return names.filter((text) => text !== '').join(' ');
}

async function readFormula(calls: AppCalls, path: string): Promise<string | undefined> {
  const formula = (await readAttributes(calls, path)).get('Formula');
  return formula && cleanValue(formula, FORMULA_LIMIT).text;
}

export async function readCell(
  walk: Walk,
  table: string,
  grid: Grid,
  row: number,
  column: number,
  place: Place,
  cellOptions: CellOptions = {},
): Promise<Node | undefined> {
  const { calls, options } = walk;
  const address = await cellAt(calls, grid, row, column);
  if (!address) return undefined;
  const path = address[1];
  // In a range read the focus does not matter and most cells are empty. Skipping the states saves one call per cell.
  const filledOnly = grid.sheet && options.full === true && !cellOptions.empty;
  const [early, length] = await Promise.all([
    filledOnly ? undefined : readStates(calls, path),
    grid.sheet ? readTextLength(calls, path) : undefined,
  ]);
  const formula = grid.sheet && cellOptions.formulas && !length ? await readFormula(calls, path) : undefined;
  if (filledOnly && !length && !formula) return undefined;
  const bits = filledOnly ? await readStates(calls, path) : early;
  if (!bits) return undefined;
  if (grid.sheet && !cellOptions.empty && !length && !formula && !bits.has('focused')) return undefined;
  if (!options.full && !grid.sheet && !bits.has('showing')) return undefined;
  const [raw, extents] = await Promise.all([
    grid.sheet ? readText(calls, path, 0, Math.min(length ?? 0, 500)) : readCellName(calls, path),
    readExtents(calls, path),
  ]);
  walk.count++;
  const { text, dropped } = cleanName(raw);
  const whole =
    extents && extents.width > 0 && extents.height > 0
      ? { ...extents, x: extents.x + place.shift.x, y: extents.y + place.shift.y }
      : undefined;
  const visible = whole && visibleInside(place, whole);
  const states = statesOf(bits, 'cell', calls.app.toolkit, true);
  if (!bits.has('showing') || (whole && !visible)) states.offscreen = true;
  return {
    id: `${table}#r${row}c${column}`,
    role: 'cell',
    ...(text.trim() !== '' && { name: text.trim() }),
    ...(formula && { value: `=${formula}` }),
    ...(dropped > 0 && { cleaned: dropped }),
    ...(whole && { bounds: visible ?? whole }),
    states,
    patterns: [],
    platformIds: {},
    cell: cellPosition(grid, row, column),
    children: [],
  };
}
