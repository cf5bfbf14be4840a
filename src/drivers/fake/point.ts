import { contains, type Point } from '../../tree/index.js';
import type { Found } from '../contract/index.js';
import type { Placed } from './layout.js';
import { nodeOf, type NodeContext } from './node.js';
import type { FakeWindow } from './world.js';

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
