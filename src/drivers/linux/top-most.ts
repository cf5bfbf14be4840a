import { contains, roleFromAtspi, type Point, type Role } from '../../tree/index.js';
import type { AppCalls } from './atspi/app-link.js';
import { readLineage } from './atspi/lineage.js';
import { readChildCount, readChildren, readExtents, readRole, readStates, type Address } from './atspi/raw-element.js';
import type { ToolkitName } from './atspi/toolkit.js';

/** More children than this do not lie above each other: that is a list. */
const MOST_CHILDREN = 64;
/** Lids on lids. */
const MOST_LIDS = 8;
/** Name the first child that has the point in it, though the last one is drawn above it. The others look themselves. */
const NAME_THE_LOWEST: ReadonlySet<ToolkitName> = new Set(['gtk3', 'qt']);
/** Seen through where nothing is in them; many let the mouse through, too. */
const CLEAR: ReadonlySet<Role> = new Set(['group', 'scrollpane', 'tabpanel', 'region']);

/** What lies above everything else at a point, given what the toolkit names there. `within` finds the innermost. */
export async function topMost(
  calls: AppCalls,
  named: Address,
  point: Point,
  within: (part: Address) => Promise<Address>,
): Promise<Address> {
  if (!NAME_THE_LOWEST.has(calls.app.toolkit.name)) return named;
  let found = named;
  for (let lids = 0; lids < MOST_LIDS; lids++) {
    const lid = await lidAbove(calls, found, point, within);
    if (!lid) return found;
    found = lid;
  }
  return found;
}

/** The highest of what was put over the element or one of those that it is in. */
async function lidAbove(
  calls: AppCalls,
  element: Address,
  point: Point,
  within: (part: Address) => Promise<Address>,
): Promise<Address | undefined> {
  const line = (await readLineage(calls, element)).map(({ address }) => address);
  const levels = await Promise.all(
    line.slice(0, -1).map((parent, level) => laterAt(calls, parent, line[level + 1]!, point)),
  );
  for (const lid of levels.flatMap((level) => level.reverse())) {
    const inner = await within(lid);
    if (inner[1] !== lid[1] || !CLEAR.has(roleFromAtspi(await readRole(calls, lid[1])))) return inner;
  }
  return undefined;
}

/** Children that come after this one, show, and have the point in them. */
async function laterAt(calls: AppCalls, parent: Address, child: Address, point: Point): Promise<Address[]> {
  const count = await readChildCount(calls, parent[1]);
  if (count < 2 || count > MOST_CHILDREN) return [];
  const children = await readChildren(calls, parent[1]);
  const at = children.findIndex(([, path]) => path === child[1]);
  if (at < 0) return [];
  const later = children.slice(at + 1).filter(([busName]) => busName === calls.app.busName);
  const there = await Promise.all(
    later.map(async ([, path]) => {
      const [bits, box] = await Promise.all([readStates(calls, path), readExtents(calls, path)]);
      return bits?.has('showing') && bits.has('visible') && box && contains(box, point);
    }),
  );
  return later.filter((_, index) => there[index]);
}
