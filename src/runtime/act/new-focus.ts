import type { Element } from '../../tree/index.js';
import type { Target } from '../find-target.js';
import type { Scenery } from './changes.js';

/**
 * What has the keys now, where keys took it there from something else. In one window alone: that another one is active
 * is told anyway. That the target has the focus, or what is around it, is no effect: it was given to it before the
 * first key.
 */
export function newFocus(before: Scenery, after: Scenery, target?: Target): Element | undefined {
  const active = activeIn(after);
  if (active === undefined || active !== activeIn(before)) return undefined;
  const [was, is] = [focusPath(before, active), focusPath(after, active)];
  const now = is?.at(-1);
  if (!now || now.ref === was?.at(-1)?.ref) return undefined;
  if (!target) return now;
  const { ref } = target.element;
  const within = (path: readonly Element[] | undefined): boolean => path?.some((one) => one.ref === ref) === true;
  if (within(is) && !within(was)) return undefined;
  return target.path.some((one) => one.ref === now.ref) ? undefined : now;
}

/** The same for a click: that the focus went along with the mouse, into the target or around it, is no effect. */
export function focusBeyond(before: Scenery, after: Scenery, target: Target): Element | undefined {
  const now = newFocus(before, after, target);
  const inside = now && focusPath(after, activeIn(after)!)?.some(({ ref }) => ref === target.element.ref);
  return inside ? undefined : now;
}

const activeIn = ({ windows }: Scenery): string | undefined => windows.find(({ active }) => active)?.ref;

/** Containers say "focused" along with the item that really has it: the innermost counts. */
function focusPath({ snapshot }: Scenery, window: string): Element[] | undefined {
  const root = snapshot.roots.find(({ ref }) => ref === window);
  return root && pathIn(root);
}

function pathIn(element: Element): Element[] | undefined {
  for (const child of element.children) {
    const path = pathIn(child);
    if (path) return [element, ...path];
  }
  return element.states.focused ? [element] : undefined;
}
