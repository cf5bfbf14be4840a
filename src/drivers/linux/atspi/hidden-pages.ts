import { centre, sameBox, type Box, type Node } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, WINDOW } from './interfaces.js';
import type { Place } from './place.js';
import { addressOf, asAddress, type Address } from './raw-element.js';

const MAX_PAGE_LEVELS = 60;
const SAMPLES = 3;

/**
 * Pages of a GTK 4 stack or notebook that are turned away keep their states and, once seen, their bounds. Where
 * several children fill the same place, the app is asked what is there; a page of which nothing is, is not seen.
 */
export async function withoutHiddenPages(
  calls: AppCalls,
  parent: Address,
  place: Place,
  nodes: (Node | undefined)[],
): Promise<(Node | undefined)[]> {
  const pages = nodes.filter((node) => node?.bounds && nodes.some((other) => other !== node && fillsSame(node, other)));
  if (pages.length < 2) return nodes;
  const seen = await Promise.all(pages.map((page) => isSeen(calls, parent, place, page!)));
  // When the app names none, something else is wrong with its answers.
  if (!seen.includes(true)) return nodes;
  const hidden = new Set(pages.filter((_, i) => !seen[i]));
  return nodes.map((node) => (hidden.has(node) ? undefined : node));
}

function fillsSame(node: Node, other: Node | undefined): boolean {
  return other?.bounds !== undefined && sameBox(node.bounds, other.bounds);
}

async function isSeen(calls: AppCalls, parent: Address, place: Place, page: Node): Promise<boolean> {
  const wanted = addressOf(page.id)?.[1];
  const boxes = leavesOf(page);
  const step = Math.max(1, Math.floor(boxes.length / SAMPLES));
  const samples = boxes.filter((_, i) => i % step === 0).slice(0, SAMPLES);
  const hits = await Promise.all(
    [...samples, page.bounds!].map(async (box) => {
      const point = centre(box);
      const at = [point.x - place.shift.x, point.y - place.shift.y, WINDOW];
      const answer = await calls.maybe(calls.call(parent[1], COMPONENT, 'GetAccessibleAtPoint', 'iiu', at));
      return isWithin(calls, asAddress(answer?.[0]), wanted, parent[1]);
    }),
  );
  return hits.includes(true);
}

function leavesOf(node: Node): Box[] {
  if (node.children.length === 0) return node.bounds ? [node.bounds] : [];
  return node.children.flatMap(leavesOf);
}

async function isWithin(
  calls: AppCalls,
  found: Address | undefined,
  wanted: string | undefined,
  end: string,
): Promise<boolean> {
  let current = found;
  for (let level = 0; current && current[1] !== end && level < MAX_PAGE_LEVELS; level++) {
    if (current[1] === wanted) return true;
    current = asAddress(await calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')));
  }
  return false;
}
