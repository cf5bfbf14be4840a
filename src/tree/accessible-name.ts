import type { Element } from './element.js';
import { NAMED_BY_CONTENT } from './roles/kinds.js';
import { hasFunction, isPlain, LOOSE } from './render/traits.js';

/** The name that a snapshot prints: the element's own, or that of the only text in an item without a name. */
export function accessibleName(element: Element): string {
  const { name, role } = element;
  if (name?.trim() || !NAMED_BY_CONTENT.has(role)) return name ?? '';
  const [only, ...more] = printedIn(element);
  if (!only || more.length > 0 || !isPlain(only) || only.children.length > 0) return name ?? '';
  return only.name ?? '';
}

/** Boxes without a name and without a function are not printed, but their content is. */
function printedIn({ children }: Element): Element[] {
  return children
    .filter(({ role, states }) => states.visible && role !== 'scrollbar' && role !== 'separator')
    .flatMap((child) => {
      const loose = LOOSE.has(child.role) && !child.name?.trim() && !hasFunction(child);
      return loose ? printedIn(child) : [child];
    });
}
