import { type Box, contains, intersect, type Point } from '../../tree/index.js';
import type { Found } from '../contract/index.js';
import { type NodeContext, nodeOf } from './node.js';
import { childrenOf, ROW_HEIGHT, shownCells, shownItems } from './rows.js';
import type { Widget } from './spec.js';
import type { FakeWindow } from './world.js';

export interface PlacedWidget {
  widget: Widget;
  /** The visible part; absent if it is scrolled out or clipped. */
  visibleBox?: Box;
  /** Hidden itself or through a parent. */
  hidden: boolean;
  children: PlacedWidget[];
}

/** Anything smaller than this many pixels counts as invisible. */
const MIN_VISIBLE_PX = 2;

/** Computes the position of all elements of a window on the screen. */
export function layOut(root: Widget, bounds: Box, screen: Box): PlacedWidget {
  return place(root, bounds, intersect(bounds, screen), false);
}

function place(widget: Widget, box: Box, clip: Box | undefined, hiddenAbove: boolean): PlacedWidget {
  const hidden = hiddenAbove || widget.hidden === true;
  const seen = hidden || !clip ? undefined : intersect(box, clip);
  const visible = seen && seen.width >= MIN_VISIBLE_PX && seen.height >= MIN_VISIBLE_PX ? seen : undefined;
  const inner = isViewport(widget) ? visible : clip;
  const kids = childrenOf(widget);
  const boxes = widget.layout === 'row' ? rowLayout(kids, box) : columnLayout(widget, kids, box);
  const placed: PlacedWidget = { widget, hidden, children: kids.map((kid, i) => place(kid, boxes[i]!, inner, hidden)) };
  if (visible) placed.visibleBox = visible;
  return placed;
}

function isViewport(widget: Widget): boolean {
  return Boolean(widget.scroll ?? widget.list ?? widget.table);
}

function columnLayout(parent: Widget, kids: Widget[], area: Box): Box[] {
  let y = area.y - (parent.scroll?.offset ?? 0);
  return kids.map((kid) => {
    if (kid.box) return { ...kid.box, x: area.x + kid.box.x, y: contentTop(parent, area) + kid.box.y };
    const height = heightOf(kid);
    if (kid.virtual) return rowBox(parent, kid, area);
    const box = { x: area.x, y, width: area.width, height };
    if (!kid.hidden) y += height;
    return box;
  });
}

function contentTop(parent: Widget, area: Box): number {
  return area.y - (parent.scroll?.offset ?? 0);
}

/** Rows and items are placed by number, so that those before the first visible one are above the viewport. */
function rowBox(parent: Widget, kid: Widget, area: Box): Box {
  const top = parent.list ? shownItems(parent.list)?.[0] : parent.table && shownCells(parent.table)?.rows[0];
  const { item, row, column } = kid.virtual!;
  if (column !== undefined) return cellBox(parent, column, area);
  const header = parent.table?.headers ? ROW_HEIGHT : 0;
  return { ...area, y: area.y + header + ((item ?? row ?? 1) - (top ?? 1)) * ROW_HEIGHT, height: ROW_HEIGHT };
}

function cellBox(row: Widget, column: number, area: Box): Box {
  const table = row.parent!.table!;
  const shown = shownCells(table)!.columns;
  const width = Math.floor(area.width / (shown[1] - shown[0] + 1));
  return { x: area.x + (column - shown[0]) * width, y: area.y, width, height: area.height };
}

function rowLayout(kids: Widget[], area: Box): Box[] {
  const seen = kids.filter((kid) => !kid.hidden).length;
  const width = Math.floor(area.width / Math.max(1, seen));
  let x = area.x;
  return kids.map((kid) => {
    if (kid.box) return { ...kid.box, x: area.x + kid.box.x, y: area.y + kid.box.y };
    const box = { x, y: area.y, width, height: area.height };
    if (!kid.hidden) x += width;
    return box;
  });
}

/** How far a viewport can be scrolled. */
export function maxScrollOffset({ scroll, children }: Widget): number {
  return Math.max(0, children.reduce((sum, child) => sum + heightOf(child), 0) - (scroll?.height ?? 0));
}

function heightOf(widget: Widget): number {
  if (widget.hidden) return 0;
  if (widget.height !== undefined) return widget.height;
  if (widget.box) return widget.box.height;
  if (widget.scroll) return widget.scroll.height;
  if (widget.list) return widget.list.shown * ROW_HEIGHT;
  if (widget.table) return (widget.table.shownRows + (widget.table.headers ? 1 : 0)) * ROW_HEIGHT;
  if (widget.virtual) return ROW_HEIGHT;
  const heights = widget.children.map(heightOf);
  const inner = widget.layout === 'row' ? Math.max(0, ...heights) : heights.reduce((sum, height) => sum + height, 0);
  return Math.max(ROW_HEIGHT, inner);
}

/** The window that a click at this point would hit; windows are ordered front to back. */
export function windowAt(windows: FakeWindow[], point: Point): FakeWindow | undefined {
  return windows.find((w) => !w.spec.minimised && !w.spec.hidden && contains(w.bounds, point));
}

/** The path to the innermost element at a point; later siblings are on top. */
export function pathAt(placed: PlacedWidget, point: Point): PlacedWidget[] {
  for (const child of [...placed.children].reverse()) {
    if (child.hidden) continue;
    const inner = pathAt(child, point);
    if (inner.length > 0) return [placed, ...inner];
  }
  return placed.visibleBox && contains(placed.visibleBox, point) ? [placed] : [];
}

export function pathTo(placed: PlacedWidget, id: string): PlacedWidget[] {
  if (placed.widget.id === id) return [placed];
  for (const child of placed.children) {
    const inner = pathTo(child, id);
    if (inner.length > 0) return [placed, ...inner];
  }
  return [];
}

export function toFound(path: PlacedWidget[], context: NodeContext): Found | undefined {
  if (path.length === 0) return undefined;
  return { window: context.window.id, path: path.map((placed) => nodeOf(placed, context)) };
}
