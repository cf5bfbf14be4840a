import { type Box, contains, intersect, type Point } from '../../tree/index.js';
import type { Found } from '../contract/index.js';
import { type NodeContext, nodeOf } from './node.js';
import { childrenOf, ROW_HEIGHT, shownCells, shownItems } from './rows.js';
import type { Widget } from './spec.js';
import type { FakeWindow } from './world.js';

export interface Placed {
  widget: Widget;
  /** The part that a person sees; absent when scrolled out or clipped away. */
  seen?: Box;
  /** Hidden by itself or by a parent. */
  hidden: boolean;
  children: Placed[];
}

/** Under this many pixels nobody sees it. */
const VISIBLE_PX = 2;

/** Where everything in a window is, on the screen. */
export function layOut(root: Widget, bounds: Box, screen: Box): Placed {
  return place(root, bounds, intersect(bounds, screen), false);
}

function place(widget: Widget, box: Box, clip: Box | undefined, hiddenAbove: boolean): Placed {
  const hidden = hiddenAbove || widget.hidden === true;
  const seen = hidden || !clip ? undefined : intersect(box, clip);
  const big = seen && seen.width >= VISIBLE_PX && seen.height >= VISIBLE_PX ? seen : undefined;
  const inner = isViewport(widget) ? big : clip;
  const kids = childrenOf(widget);
  const boxes = widget.layout === 'row' ? beside(kids, box) : below(widget, kids, box);
  const placed: Placed = { widget, hidden, children: kids.map((kid, i) => place(kid, boxes[i]!, inner, hidden)) };
  if (big) placed.seen = big;
  return placed;
}

function isViewport(widget: Widget): boolean {
  return Boolean(widget.scroll ?? widget.list ?? widget.table);
}

function below(parent: Widget, kids: Widget[], area: Box): Box[] {
  let y = area.y - (parent.scroll?.offset ?? 0);
  return kids.map((kid) => {
    if (kid.box) return { ...kid.box, x: area.x + kid.box.x, y: y0(parent, area) + kid.box.y };
    const height = heightOf(kid);
    if (kid.virtual) return rowBox(parent, kid, area);
    const box = { x: area.x, y, width: area.width, height };
    if (!kid.hidden) y += height;
    return box;
  });
}

function y0(parent: Widget, area: Box): number {
  return area.y - (parent.scroll?.offset ?? 0);
}

/** Rows and items stand at their number, so that those above the first shown are above the viewport. */
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

function beside(kids: Widget[], area: Box): Box[] {
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
export function farthest({ scroll, children }: Widget): number {
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

/** The window that a person would hit, front to back. */
export function windowAt(windows: FakeWindow[], point: Point): FakeWindow | undefined {
  return windows.find((w) => !w.spec.minimised && !w.spec.hidden && contains(w.bounds, point));
}

/** The way down to the innermost element at a point; what was drawn later lies on top. */
export function pathAt(placed: Placed, point: Point): Placed[] {
  for (const child of [...placed.children].reverse()) {
    if (child.hidden) continue;
    const inner = pathAt(child, point);
    if (inner.length > 0) return [placed, ...inner];
  }
  return placed.seen && contains(placed.seen, point) ? [placed] : [];
}

export function pathTo(placed: Placed, id: string): Placed[] {
  if (placed.widget.id === id) return [placed];
  for (const child of placed.children) {
    const inner = pathTo(child, id);
    if (inner.length > 0) return [placed, ...inner];
  }
  return [];
}

export function found(path: Placed[], context: NodeContext): Found | undefined {
  if (path.length === 0) return undefined;
  return { window: context.window.id, path: path.map((placed) => nodeOf(placed, context)) };
}
