import type { Span } from '../../tree/index.js';
import { type CellSpec, type ListSpec, type TableSpec, type Widget, createWidget } from './spec.js';

export const ROW_HEIGHT = 24;
/** A container with more cells or items than this is one node; only its visible part can be walked. */
const MAX_WALKED_CELLS = 10_000;
const MAX_WALKED_ITEMS = 1_000;
/** A recycling list keeps this many widgets beyond the visible ones. */
const EXTRA_WIDGETS = 2;

export function shownItems(list: ListSpec): Span | undefined {
  if (list.total === 0) return undefined;
  const first = Math.min(list.top ?? 1, Math.max(1, list.total - list.shown + 1));
  return [first, Math.min(list.total, first + list.shown - 1)];
}

export function shownCells(table: TableSpec): { rows: Span; columns: Span } | undefined {
  if (table.rows === 0 || table.columns === 0) return undefined;
  const rows = shownItems({ ...table, total: table.rows, shown: table.shownRows, item: () => ({ role: 'row' }) });
  const columns: Span = [
    table.left ?? 1,
    Math.min(table.columns, (table.left ?? 1) + (table.shownColumns ?? table.columns) - 1),
  ];
  return rows && { rows, columns };
}

/** The children of this element in the app's tree at this moment. */
export function childrenOf(widget: Widget): Widget[] {
  if (widget.list) return [...widget.children, ...itemsOf(widget, widget.list)];
  if (widget.table) return [...widget.children, ...rowsOf(widget, widget.table)];
  return widget.children;
}

function itemsOf(widget: Widget, list: ListSpec): Widget[] {
  const shown = shownItems(list);
  if (!shown) return [];
  const walkAll = !list.recycle && list.total <= MAX_WALKED_ITEMS;
  const first = walkAll ? 1 : shown[0];
  const last = walkAll ? list.total : Math.min(list.total, shown[1] + EXTRA_WIDGETS);
  return numbers(first, last).map((n) => createItem(widget, n, list.recycle ? `slot${n - first}` : `item${n}`));
}

/** Item `n`, visible or not. A recycling list has widgets only for items near the screen. */
export function createItem(widget: Widget, n: number, name = `item${n}`): Widget {
  const created = createVirtual(widget, name, widget.list!.item(n));
  created.virtual = { item: n };
  return created;
}

function rowsOf(widget: Widget, table: TableSpec): Widget[] {
  const shown = shownCells(table);
  if (!shown) return [];
  const walkAll = table.rows * table.columns <= MAX_WALKED_CELLS && !table.sheet;
  const [first, last] = walkAll ? [1, table.rows] : shown.rows;
  const columns: Span = walkAll ? [1, table.columns] : shown.columns;
  const rows = numbers(first, last).map((row) => createRow(widget, row, columns));
  return table.sheet ? rows.filter((row) => row.children.length > 0) : rows;
}

/** One row with the cells of these columns; empty cells of a sheet do not exist. */
export function createRow(widget: Widget, row: number, [first, last]: Span): Widget {
  const table = widget.table!;
  const created = createVirtual(widget, `r${row}`, { role: 'row' });
  created.virtual = { row };
  for (const column of numbers(first, last)) {
    const content = table.cell(row, column);
    if (table.sheet && (content === undefined || content === '')) continue;
    const cell = createVirtual(created, `c${column}`, cellSpec(content));
    cell.virtual = { row, column };
    created.children.push(cell);
  }
  return created;
}

function cellSpec(content: CellSpec): Parameters<typeof createWidget>[0] {
  if (typeof content === 'number') return { role: 'cell', name: String(content), value: content };
  if (typeof content !== 'object') return { role: 'cell', name: content ?? '' };
  return content.role === 'cell' ? content : { role: 'cell', name: content.name ?? '', children: [content] };
}

/**
 * Elements that are created for each read get ids from container and position, so that the same position is the same
 * element.
 */
function createVirtual(parent: Widget, name: string, spec: Parameters<typeof createWidget>[0]): Widget {
  let inner = 0;
  const root = `${parent.id}/${name}`;
  return createWidget(spec, () => (inner++ === 0 ? root : `${root}.${inner - 1}`), parent);
}

export function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
