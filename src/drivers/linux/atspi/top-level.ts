import type { Box } from '../../../tree/index.js';
import type { AppCalls } from './app-connection.js';
import {
  ACCESSIBLE,
  type Address,
  readChildCount,
  readChildren,
  readExtents,
  readString,
  ROOT_PATH,
} from './accessible.js';

/** A window as the window system reports it, for matching with the app's own top-levels. */
export interface SystemWindow {
  title: string;
  /** The area that the app draws, without the window manager's frame. */
  client: Box;
  /** The window as the user sees it, with its frame. */
  frame: Box;
}

export interface TopLevel {
  address: Address;
  name: string;
  extents?: Box;
}

/** No real app has this many windows. An app that claims more is not asked for all of them. */
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
 * Finds the app's top-level for a window. Title and bounds both come from the app, so both count. A single top-level
 * without a match is accepted only if the app has one window, since some apps report neither (Qt). A top-level that
 * matches another window of the app (`otherWindows`) better belongs to that window: a file dialog that exposes nothing
 * may lie exactly over its owner.
 */
export function matchTopLevel(
  topLevels: TopLevel[],
  window: SystemWindow,
  windowsOfApp: number,
  otherWindows: readonly SystemWindow[] = [],
): TopLevel | undefined {
  const takenByOthers = otherWindows.flatMap((other) => {
    const one = matchTopLevel(topLevels, other, otherWindows.length + 1);
    return one && isBetter(matchOf(one, other), matchOf(one, window)) ? [one] : [];
  });
  const free = topLevels.filter((topLevel) => !takenByOthers.includes(topLevel));
  const scored = free
    .map((topLevel) => ({ topLevel, score: matchOf(topLevel, window).score }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  if (!best) return undefined;
  if (best.score >= 3 && best.score > (second?.score ?? -1)) return best.topLevel;
  // Two top-levels with equal title and bounds: at this score both match, and the first is as good as the second.
  if (best.score >= 5) return best.topLevel;
  return topLevels.length === 1 && windowsOfApp === 1 ? best.topLevel : undefined;
}

/** The windows that match a top-level best. */
export function bestMatches<T extends SystemWindow>(topLevel: TopLevel, windows: readonly T[]): T[] {
  const matches = windows.map((window) => ({ window, match: matchOf(topLevel, window) }));
  return matches
    .filter(({ match }) => !matches.some((other) => isBetter(other.match, match)))
    .map(({ window }) => window);
}

interface Match {
  score: number;
  /** Difference of position and size in pixels, if the app reports them. */
  distance: number;
}

const isBetter = (one: Match, other: Match): boolean =>
  one.score > other.score || (one.score === other.score && one.distance < other.distance);

function matchOf({ name, extents }: TopLevel, { title, client, frame }: SystemWindow): Match {
  const titleScore = name !== '' && name === title ? 3 : 0;
  if (!extents) return { score: titleScore, distance: 0 };
  return {
    score: titleScore + Math.max(boundsScore(extents, client), boundsScore(extents, frame)),
    distance: Math.min(boundsDistance(extents, client), boundsDistance(extents, frame)),
  };
}

/** Shadows and frames make sizes differ by some pixels. GTK 4 knows its size but not its position. */
function boundsScore(extents: Box, box: Box): number {
  const size = near(extents.width, box.width, 60) && near(extents.height, box.height, 60);
  const place = near(extents.x, box.x, 40) && near(extents.y, box.y, 40);
  const exact = near(extents.width, box.width, 2) && near(extents.height, box.height, 2);
  return (size ? 1 : 0) + (exact ? 1 : 0) + (place ? 2 : 0);
}

function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance;
}

function boundsDistance(a: Box, b: Box): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.width - b.width) + Math.abs(a.height - b.height);
}
