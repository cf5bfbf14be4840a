import { DesktopError } from '../../../shared/index.js';
import { type Role, roleFromAtspi } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  MAX_DEPTH,
  readAttributes,
  readChildCount,
  readChildren,
  readExtents,
  readRole,
  readStates,
} from './accessible.js';
import type { AppCalls } from './app-connection.js';
import { childPlace, type Place } from './bounds.js';
import { readTopLevels } from './top-level.js';

const APPLICATION_ROLE = 75;

export interface Ancestor {
  address: Address;
  roleNumber: number;
  /** A GTK widget inside the area that LibreOffice draws itself. */
  native?: boolean;
}

/** From the top-level window down to the element itself, without the application object. */
export async function readAncestors(calls: AppCalls, address: Address): Promise<Ancestor[]> {
  const ancestors = await readParents(calls, address);
  return calls.app.toolkit.name === 'libreoffice' ? repairOfficeAncestors(calls, ancestors) : ancestors;
}

async function readParents(calls: AppCalls, address: Address): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  const ask = prefetchAncestors(calls, address[1]);
  let current: Address | undefined = address;
  for (let depth = 0; current && depth < MAX_DEPTH; depth++) {
    const [roleNumber, parent]: [number, unknown] = await ask(current[1]);
    if (roleNumber === APPLICATION_ROLE) return ancestors;
    ancestors.unshift({ address: current, roleNumber });
    const next: Address | undefined = asAddress(parent);
    if (next?.[0] !== calls.app.busName || ancestors.some(({ address: [, path] }) => path === next[1])) break;
    current = next;
  }
  return ancestors;
}

/**
 * Each object reports only its own parent, so reading the chain takes one round trip per level. The chain is mostly the
 * same as in the last read: all cached ancestors are asked at once, which takes one round trip in total. The replies
 * are as fresh as with separate calls.
 */
function prefetchAncestors(calls: AppCalls, path: string): (path: string) => Promise<[number, unknown]> {
  const asked = new Map<string, Promise<[number, unknown]>>();
  const ask = (ancestor: string): Promise<[number, unknown]> => {
    const cached = asked.get(ancestor);
    if (cached) return cached;
    const answer = Promise.all([readRole(calls, ancestor), calls.maybe(calls.get(ancestor, ACCESSIBLE, 'Parent'))]);
    answer.catch(() => undefined); // Avoids an unhandled rejection; the caller that awaits the reply gets the error.
    asked.set(ancestor, answer);
    return answer;
  };
  for (const above of [path, ...calls.app.cache.ancestorPaths(path, MAX_DEPTH)]) void ask(above);
  return ask;
}

export interface ParentInfo {
  place: Place;
  role: Role;
  /** False below a disabled ancestor, for toolkits that report "disabled" only on the ancestor itself. */
  enabled: boolean;
}

/** The screen placement of the parent of the last entry. Shifts and clips are inherited from the ancestors. */
export async function readParentInfo(calls: AppCalls, ancestors: Ancestor[], root: Place): Promise<ParentInfo> {
  const parents = ancestors.slice(0, -1);
  const [enabled, ...extents] = await Promise.all([
    allEnabled(calls, parents),
    ...parents.map(({ address }) => readExtents(calls, address[1])),
  ]);
  let place = root;
  parents.forEach(({ roleNumber, native }, i) => {
    place = childPlace(calls.app.toolkit, place, roleNumber, extents[i], native);
  });
  const last = parents.at(-1);
  return { place, role: last ? roleFromAtspi(last.roleNumber) : 'application', enabled };
}

async function allEnabled(calls: AppCalls, ancestors: readonly Ancestor[]): Promise<boolean> {
  if (calls.app.toolkit.enabledBy !== 'sensitive') return true;
  const states = await Promise.all(ancestors.map(({ address }) => readStates(calls, address[1])));
  return states.every((bits) => bits === undefined || bits.has('sensitive'));
}

export function staleRefError(): DesktopError {
  return new DesktopError('stale_ref', 'The element is gone.', {
    hint: 'Run ui_snapshot and use a new ref.',
    retry: 'no',
  });
}

const ROOT_PANE = 46;
const MENU_BAR = 34;
/** Levels from the frame down to the pane that LibreOffice draws itself: frame, box, box. */
const MAX_PANE_LEVELS = 4;
/** A LibreOffice frame has a dozen hidden boxes beside the relevant one. */
const MAX_PANE_SIBLINGS = 60;

/**
 * In LibreOffice, the parents of an element skip the GTK boxes around its pane and may end at a frame that is not one
 * of the app's windows. The path from a window down to the pane is correct, so we search for the window that contains
 * the pane.
 */
async function repairOfficeAncestors(calls: AppCalls, ancestors: Ancestor[]): Promise<Ancestor[]> {
  const at = ancestors.findIndex(({ roleNumber }) => roleNumber === ROOT_PANE);
  if (at < 0) return ancestors;
  const pane = ancestors[at]!.address[1];
  const inside = await Promise.all(ancestors.slice(at + 1).map((ancestor) => markNative(calls, ancestor)));
  for (const { address } of await readTopLevels(calls)) {
    const path = await pathToPane(calls, address, MAX_PANE_LEVELS);
    if (path?.at(-1)?.address[1] === pane) return [...path, ...inside];
  }
  return [...ancestors.slice(0, at + 1), ...inside];
}

/** Native GTK widgets report correct positions. The LibreOffice elements around them do not. */
async function markNative(calls: AppCalls, ancestor: Ancestor): Promise<Ancestor> {
  const native = (await readAttributes(calls, ancestor.address[1])).get('toolkit') === 'gtk';
  return native ? { ...ancestor, native } : ancestor;
}

async function pathToPane(calls: AppCalls, address: Address, levels: number): Promise<Ancestor[] | undefined> {
  const roleNumber = await readRole(calls, address[1]);
  if (roleNumber === ROOT_PANE) return [{ address, roleNumber }];
  if (levels === 0 || roleNumber === MENU_BAR) return undefined;
  const count = await readChildCount(calls, address[1]);
  if (count === 0 || count > MAX_PANE_SIBLINGS) return undefined;
  for (const child of await readChildren(calls, address[1])) {
    const path = await pathToPane(calls, child, levels - 1);
    if (path) return [{ address, roleNumber }, ...path];
  }
  return undefined;
}
