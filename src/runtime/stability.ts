import type { Scene, Stability } from '../selector/index.js';
import type { Box, Element } from '../tree/index.js';
import type { Desktop } from './desktop.js';

/** Up to this part of its own size a thing may move and still be where one saw it. */
const A_LITTLE = 0.25;

/** How an element compares with what a caller saw last of it. Moving together with its window is no move. */
export function stabilityIn(desktop: Desktop, scene: Scene): (element: Element) => Stability {
  return (element) => {
    const place = scene.placeOf(element);
    const before = desktop.shelf.lastSeen(element.ref);
    if (!place || !before) return desktop.refs.reborn(element.ref) ? 'reborn' : 'same';
    const now = relative(element.bounds, place.window.bounds);
    const was = relative(before.element.bounds, before.window?.bounds);
    return now && was ? compare(was, now) : 'same';
  };
}

function relative(box: Box | undefined, window: Box | undefined): Box | undefined {
  return box && window && { ...box, x: box.x - window.x, y: box.y - window.y };
}

function compare(was: Box, now: Box): Stability {
  const across = Math.max(Math.abs(now.x - was.x), Math.abs(now.width - was.width));
  const down = Math.max(Math.abs(now.y - was.y), Math.abs(now.height - was.height));
  if (across === 0 && down === 0) return 'same';
  return across <= was.width * A_LITTLE && down <= was.height * A_LITTLE ? 'moved' : 'movedFar';
}
