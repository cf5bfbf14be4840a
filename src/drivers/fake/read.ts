import { ITEM_ROLES, type Node } from '../../tree/index.js';
import type { ReadAnswer, ReadOptions } from '../contract/index.js';
import type { Placed } from './layout.js';
import { nodeOf, type NodeContext } from './node.js';

const MAX_NODES = 5_000;
/** Elements read between two chances for the rest of the desktop to change, hang or die. */
const STRIDE = 50;

/** Called for each element: waits its turn, and throws when the app died or the time is over. */
export type Step = () => void | Promise<void>;

interface Walk {
  context: NodeContext;
  options: ReadOptions;
  step: Step;
  left: number;
  count: number;
}

/** Breadth first, so that a limit cuts the depths and not the right half of a window. */
export async function readPlaced(
  root: Placed,
  context: NodeContext,
  options: ReadOptions,
  step: Step,
): Promise<ReadAnswer> {
  const walk: Walk = { context, options, step, left: Math.max(1, options.maxNodes ?? MAX_NODES), count: 0 };
  // Who asks for an item wants its words, wherever it is scrolled to.
  const whole = options.full || (ITEM_ROLES.has(root.widget.role) && !isShown(root));
  const top = await take(root, walk);
  let level: { placed: Placed; node: Node }[] = [{ placed: root, node: top }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { placed, node } of level) {
      const kids = placed.children.filter((kid) => whole || isShown(kid));
      const room = depth >= (options.depth ?? Infinity) ? 0 : Math.min(kids.length, walk.left);
      for (const kid of kids.slice(0, room)) {
        const child = await take(kid, walk);
        node.children.push(child);
        next.push({ placed: kid, node: child });
      }
      if (kids.length > room) node.unread = kids.length - room;
    }
    level = next;
  }
  return { root: top, count: walk.count, calls: walk.count };
}

async function take(placed: Placed, walk: Walk): Promise<Node> {
  await walk.step();
  walk.left--;
  walk.count++;
  if (walk.count % STRIDE === 0) {
    walk.options.onProgress?.(walk.count);
    await new Promise(setImmediate);
  }
  return nodeOf(placed, walk.context);
}

/** A structure without size of its own is there when something in it is. */
export function isShown(placed: Placed): boolean {
  return !placed.hidden && (placed.seen !== undefined || placed.children.some(isShown));
}
