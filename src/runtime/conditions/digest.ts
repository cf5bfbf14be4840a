import { createHash } from 'node:crypto';
import type { Element, States } from '../../tree/index.js';

/** Where the focus is has a condition of its own, and moving is no change. */
const NOT_ITS_OWN: ReadonlySet<keyof States> = new Set(['focused', 'active', 'offscreen']);

/** An element's states as one line that is equal when they are. */
export function stateDigest(states: States): string {
  const own = Object.entries(states).filter(([name, on]) => !NOT_ITS_OWN.has(name as keyof States) && on !== undefined);
  return own
    .map(([name, on]) => `${name}=${on}`)
    .sort()
    .join(' ');
}

/** What elements are and hold, with all that is in them, as a short text that is equal when they are. */
export function treeDigest(elements: readonly Element[], options: { places?: boolean } = {}): string {
  const hash = createHash('sha1');
  const add = ({ role, name, value, states, bounds, children }: Element): void => {
    const place = options.places && bounds ? [bounds.x, bounds.y, bounds.width, bounds.height] : null;
    hash.update(JSON.stringify([role, name ?? null, value ?? null, stateDigest(states), place, children.length]));
    for (const child of children) add(child);
  };
  for (const element of elements) add(element);
  return hash.digest('base64');
}
