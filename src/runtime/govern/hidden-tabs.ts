import type { Node } from '../../tree/index.js';

/**
 * The same tree without what is in background tabs that are called like a hidden window: with another tab in front the
 * window has another title, and apps tell what is on all pages. The tab itself stays, as in the strip that everybody
 * sees. Of the one in front the window's own title tells.
 */
export function withoutHiddenTabs(node: Node, hides: (title: string) => boolean): Node {
  const { children, role, name = '', states } = node;
  if (role === 'tab' && !states.selected && hides(name)) return { ...node, children: [] };
  const kept = children.map((child) => withoutHiddenTabs(child, hides));
  // Trees are shared with those who keep them.
  return kept.every((child, at) => child === children[at]) ? node : { ...node, children: kept };
}
