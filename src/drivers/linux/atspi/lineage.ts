import { DesktopError } from '../../../shared/index.js';
import type { AppCalls } from './app-link.js';
import { MAX_DEPTH } from './descent.js';
import { ACCESSIBLE } from './interfaces.js';
import { throughPane } from './office-lineage.js';
import { childPlace, type Place } from './place.js';
import { asAddress, readExtents, readRole, readStates, type Address } from './raw-element.js';
import { roleFromAtspi, type Role } from '../../../tree/index.js';

const APPLICATION_ROLE = 75;

export interface Ancestor {
  address: Address;
  roleNumber: number;
  /** A GTK widget inside of what LibreOffice draws. */
  native?: boolean;
}

/** From the top-level down to the element itself; the application object is left out. */
export async function readLineage(calls: AppCalls, address: Address): Promise<Ancestor[]> {
  const line = await readParents(calls, address);
  return calls.app.toolkit.name === 'libreoffice' ? throughPane(calls, line) : line;
}

async function readParents(calls: AppCalls, address: Address): Promise<Ancestor[]> {
  const line: Ancestor[] = [];
  let current: Address | undefined = address;
  for (let depth = 0; current && depth < MAX_DEPTH; depth++) {
    const [roleNumber, parent]: [number, unknown] = await Promise.all([
      readRole(calls, current[1]),
      calls.maybe(calls.get(current[1], ACCESSIBLE, 'Parent')),
    ]);
    if (roleNumber === APPLICATION_ROLE) return line;
    line.unshift({ address: current, roleNumber });
    const next: Address | undefined = asAddress(parent);
    if (next?.[0] !== calls.app.busName || line.some(({ address: [, path] }) => path === next[1])) break;
    current = next;
  }
  return line;
}

export interface Standing {
  place: Place;
  role: Role;
  /** False below something that is disabled, where the toolkit says so of that alone. */
  enabled: boolean;
}

/** Where the parent of the last in `line` is on the screen: shifts and clips come from above. */
export async function placeAbove(calls: AppCalls, line: Ancestor[], root: Place): Promise<Standing> {
  const above = line.slice(0, -1);
  const [enabled, ...extents] = await Promise.all([
    allEnabled(calls, above),
    ...above.map(({ address }) => readExtents(calls, address[1])),
  ]);
  let place = root;
  above.forEach(({ roleNumber, native }, i) => {
    place = childPlace(calls.app.toolkit, place, roleNumber, extents[i], native);
  });
  const last = above.at(-1);
  return { place, role: last ? roleFromAtspi(last.roleNumber) : 'application', enabled };
}

async function allEnabled(calls: AppCalls, line: readonly Ancestor[]): Promise<boolean> {
  if (calls.app.toolkit.enabledBy !== 'sensitive') return true;
  const states = await Promise.all(line.map(({ address }) => readStates(calls, address[1])));
  return states.every((bits) => bits === undefined || bits.has('sensitive'));
}

export function stale(): DesktopError {
  return new DesktopError('stale_ref', 'That element is gone.', {
    hint: 'Look again and use a fresh ref.',
    retry: 'no',
  });
}
