import type { Node } from '../../tree/index.js';
import type { Found } from '../contract/index.js';
import { Walk } from './atspi/walk.js';
import { readTree, type Surroundings } from './read-window.js';
import { explained, findTree } from './window-tree.js';

const MAX_NODES = 5000;

/** The element that typed keys would reach: the innermost focused one of the active window. */
export async function findFocused(around: Surroundings): Promise<Found | undefined> {
  const window = around.windows.find((candidate) => candidate.active);
  if (!window) return undefined;
  const tree = await findTree(around.apps, around.windows, window, around.screen, around.deadline);
  if (!tree) return undefined;
  const walk = new Walk(tree.calls, { maxNodes: MAX_NODES });
  const root = await explained(tree.calls.app, () => readTree(walk, tree, Infinity));
  const path = focusPath(root);
  return path && { window: window.id, path };
}

/** The deepest focused element wins: containers say "focused" along with the item that really has it. */
function focusPath(node: Node): Node[] | undefined {
  for (const child of node.children) {
    const path = focusPath(child);
    if (path) return [node, ...path];
  }
  return node.states.focused ? [node] : undefined;
}
