import type { Span } from '../../tree/index.js';
import { type CellSpec, type ListSpec, type TableSpec, type Widget, widgetOf } from './spec.js';

export const ROW_HEIGHT = 24;
/** Above these many cells or items a container is one node; only what is on screen can be walked. */
const HUGE_TABLE = 10_000;
const HUGE_LIST = 1_000;
/** A recycling list keeps this many widgets beyond what is on screen. */
const SPARE = 2;

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

/** What the app's tree holds below this element, at this moment. */
export function childrenOf(widget: Widget): Widget[] {
  if (widget.list) return [...widget.children, ...itemsOf(widget, widget.list)];
  if (widget.table) return [...widget.children, ...rowsOf(widget, widget.table)];
  return widget.children;
}

function itemsOf(widget: Widget, list: ListSpec): Widget[] {
  const shown = shownItems(list);
  if (!shown) return [];
  const walkAll = !list.recycle && list.total <= HUGE_LIST;
  const first = walkAll ? 1 : shown[0];
  const last = walkAll ? list.total : Math.min(list.total, shown[1] + SPARE);
  return numbers(first, last).map((n) => itemOf(widget, n, list.recycle ? `slot${n - first}` : `item${n}`));
}

/** Item `n`, whatever is on screen. A recycling list has a widget only for what is near the screen. */
export function itemOf(widget: Widget, n: number, name = `item${n}`): Widget {
  const made = virtual(widget, name, widget.list!.item(n));
  made.virtual = { item: n };
  return made;
}

function rowsOf(widget: Widget, table: TableSpec): Widget[] {
  const shown = shownCells(table);
  if (!shown) return [];
  const all = table.rows * table.columns <= HUGE_TABLE && !table.sheet;
  const [first, last] = all ? [1, table.rows] : shown.rows;
  const columns: Span = all ? [1, table.columns] : shown.columns;
  const rows = numbers(first, last).map((row) => rowOf(widget, row, columns));
  return table.sheet ? rows.filter((row) => row.children.length > 0) : rows;
}

/** One row with the cells of these columns; empty cells of a sheet do not exist. */
export function rowOf(widget: Widget, row: number, [first, last]: Span): Widget {
  const table = widget.table!;
  const made = virtual(widget, `r${row}`, { role: 'row' });
  made.virtual = { row };
  for (const column of numbers(first, last)) {
    const content = table.cell(row, column);
    if (table.sheet && (content === undefined || content === '')) continue;
    const cell = virtual(made, `c${column}`, cellSpec(content));
    cell.virtual = { row, column };
    made.children.push(cell);
  }
  return made;
}

function cellSpec(content: CellSpec): Parameters<typeof widgetOf>[0] {
  if (typeof content === 'number') return { role: 'cell', name: String(content), value: content };
  if (typeof content !== 'object') return { role: 'cell', name: content ?? '' };
  return content.role === 'cell' ? content : { role: 'cell', name: content.name ?? '', children: [content] };
}

/** Ids of what is made anew at each ask: container and place, so that the same place is the same element. */
function virtual(parent: Widget, name: string, spec: Parameters<typeof widgetOf>[0]): Widget {
  let inner = 0;
  const root = `${parent.id}/${name}`;
  return widgetOf(spec, () => (inner++ === 0 ? root : `${root}.${inner - 1}`), parent);
}

export function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
