import { describe, expect, it } from 'vitest';
import type { Box, Node } from '../../../tree/index.js';
import type { Place } from './bounds.js';
import { clipAtScrolledEdges } from './stale-elements.js';

const box = (y: number, height: number): Box => ({ x: 0, y, width: 100, height });
const place = (whole: Box, above?: Place): Place => ({ shift: { x: 0, y: 0 }, whole, ...(above && { parent: above }) });

function node(bounds: Box, children: Node[] = []): Node {
  const states = { enabled: true, visible: true };
  return { id: String(bounds.y), role: 'paragraph', bounds, states, patterns: [], platformIds: {}, children };
}

describe('clipping at scrolled edges', () => {
  it('clips an element that crosses the edge, with its descendants', () => {
    const last = node(box(45, 20), [node(box(47, 16))]);
    const nodes = [node(box(5, 20)), node(box(25, 20)), last, undefined];
    clipAtScrolledEdges(nodes, place(box(0, 50)));
    expect(nodes.map((one) => one?.bounds)).toEqual([box(5, 20), box(25, 20), box(45, 5), undefined]);
    expect(last.children[0]!.bounds).toEqual(box(47, 3));
  });

  it('finds the edge of an outer box when the content is taller', () => {
    const nodes = [undefined, node(box(-10, 20))];
    clipAtScrolledEdges(nodes, place(box(-200, 900), place(box(0, 50))));
    expect(nodes[1]!.bounds).toEqual(box(0, 10));
  });

  it('does not clip overflow when all elements are visible, because then nothing scrolls', () => {
    const nodes = [node(box(5, 20)), node(box(45, 20))];
    clipAtScrolledEdges(nodes, place(box(0, 50)));
    expect(nodes[1]!.bounds).toEqual(box(45, 20));
  });

  it('does not clip elements that lie completely outside, such as an open menu', () => {
    const nodes = [undefined, node(box(80, 20))];
    clipAtScrolledEdges(nodes, place(box(0, 50)));
    expect(nodes[1]!.bounds).toEqual(box(80, 20));
  });
});
