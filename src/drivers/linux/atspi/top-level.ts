import type { Box } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, ROOT_PATH } from './interfaces.js';
import { readChildCount, readChildren, readExtents, readString, type Address } from './raw-element.js';

/** A window as the window system knows it, for the join with what the app says of itself. */
export interface SystemWindow {
  title: string;
  /** What the app draws, without the window manager's frame. */
  client: Box;
  /** As a person sees it. */
  frame: Box;
}

export interface TopLevel {
  address: Address;
  name: string;
  extents?: Box;
}

/** No app has this many windows; one that says so is not asked for all of them. */
const MAX_WINDOWS = 500;

export async function readTopLevels(calls: AppCalls): Promise<TopLevel[]> {
  const count = await readChildCount(calls, ROOT_PATH);
  if (count === 0 || count > MAX_WINDOWS) return [];
  const addresses = (await readChildren(calls, ROOT_PATH)).filter(([busName]) => busName === calls.app.busName);
  return Promise.all(
    addresses.map(async (address) => {
      const [name, extents] = await Promise.all([
        readString(calls, address[1], ACCESSIBLE, 'Name'),
        readExtents(calls, address[1]),
      ]);
      return { address, name, ...(extents && { extents }) };
    }),
  );
}

/**
 * Which of an app's top-levels is this window. Titles and places are both the app's word, so both count; a single
 * top-level that fits nothing is taken only when the app has one window, since some apps name neither (Qt).
 */
export function matchTopLevel(topLevels: TopLevel[], window: SystemWindow, windowsOfApp: number): TopLevel | undefined {
  const scored = topLevels
    .map((topLevel) => ({ topLevel, score: score(topLevel, window) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best) return undefined;
  if (best.score >= 3 && best.score > (second?.score ?? -1)) return best.topLevel;
  // Equal titles and places: the first is as good as the other only if one of them is the same in both.
  if (best.score >= 5) return best.topLevel;
  return topLevels.length === 1 && windowsOfApp === 1 ? best.topLevel : undefined;
}

function score(topLevel: TopLevel, window: SystemWindow): number {
  let points = 0;
  if (topLevel.name !== '' && topLevel.name === window.title) points += 3;
  if (topLevel.extents)
    points += Math.max(placeScore(topLevel.extents, window.client), placeScore(topLevel.extents, window.frame));
  return points;
}

/** Shadows and frames make sizes differ by some pixels; GTK 4 knows its size but not its place. */
function placeScore(extents: Box, box: Box): number {
  const size = near(extents.width, box.width, 60) && near(extents.height, box.height, 60);
  const place = near(extents.x, box.x, 40) && near(extents.y, box.y, 40);
  const exact = near(extents.width, box.width, 2) && near(extents.height, box.height, 2);
  return (size ? 1 : 0) + (exact ? 1 : 0) + (place ? 2 : 0);
}

function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance;
}
