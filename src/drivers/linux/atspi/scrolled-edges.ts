import { intersect, type Box, type Node } from '../../../tree/index.js';
import type { Place } from './place.js';

/**
 * Chromium says which elements show, but gives whole boxes and does not tell which boxes scroll. Where some children
 * show and others do not, one that reaches over the edge of a box around it is cut there: its middle may lie outside.
 */
export function cutAtScrolledEdges(nodes: readonly (Node | undefined)[], place: Place): void {
  const shown = nodes.filter((node) => node !== undefined);
  if (shown.length === nodes.length) return;
  for (const node of shown) {
    const edge = node.bounds && nearestEdge(node.bounds, place);
    if (edge) cut(node, edge);
  }
}

function nearestEdge(box: Box, place: Place): Box | undefined {
  for (let around: Place | undefined = place; around; around = around.above) {
    const part = around.whole && intersect(box, around.whole);
    if (part && (part.width < box.width - 1 || part.height < box.height - 1)) return around.whole;
  }
  return undefined;
}

function cut(node: Node, edge: Box): void {
  const part = node.bounds && intersect(node.bounds, edge);
  if (part) node.bounds = part;
  for (const child of node.children) cut(child, edge);
}
