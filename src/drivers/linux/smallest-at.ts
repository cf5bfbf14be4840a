import { contains, type Node, type Point } from '../../tree/index.js';
import type { AppCalls } from './atspi/app-link.js';
import { parseElementId } from './atspi/element-id.js';
import type { Address } from './atspi/raw-element.js';
import { cellAt, readGrid } from './atspi/table.js';

/** The smallest of these around a point; of equals the innermost, which comes later. */
export async function smallestAt(calls: AppCalls, nodes: readonly Node[], point: Point): Promise<Address | undefined> {
  let best: Node | undefined;
  const area = (node: Node) => (node.bounds ? node.bounds.width * node.bounds.height : Infinity);
  for (const node of nodes) {
    if (node.bounds && contains(node.bounds, point) && (!best || area(node) <= area(best))) best = node;
  }
  return best && objectOf(calls, best, point);
}

/** A row or cell of a table that has cells only is a place in it, no object: the cell there is asked for. */
async function objectOf(calls: AppCalls, node: Node, point: Point): Promise<Address | undefined> {
  const id = parseElementId(node.id);
  if (id?.row === undefined) return id?.address;
  const column = id.column ?? nearestCell(node, point)?.cell?.column;
  const grid = column === undefined ? undefined : await readGrid(calls, id.address[1]);
  return (grid && (await cellAt(calls, grid, id.row, column!))) ?? id.address;
}

/** Between two cells of a row is nothing of its own. */
function nearestCell(row: Node, { x }: Point): Node | undefined {
  const away = ({ bounds }: Node): number =>
    bounds ? Math.max(bounds.x - x, x - bounds.x - bounds.width + 1, 0) : Infinity;
  return [...row.children].sort((a, b) => away(a) - away(b))[0];
}
