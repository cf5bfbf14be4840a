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
  const ask = asker(calls, address[1]);
  let current: Address | undefined = address;
  for (let depth = 0; current && depth < MAX_DEPTH; depth++) {
    const [roleNumber, parent]: [number, unknown] = await ask(current[1]);
    if (roleNumber === APPLICATION_ROLE) return line;
    line.unshift({ address: current, roleNumber });
    const next: Address | undefined = asAddress(parent);
    if (next?.[0] !== calls.app.busName || line.some(({ address: [, path] }) => path === next[1])) break;
    current = next;
  }
  return line;
}

/**
 * Who is above whom is known only once each has said so. Mostly it is as it was: who was above then is asked in the same
 * breath, so that the line takes one round trip. All of it is as new as it would be otherwise.
 */
function asker(calls: AppCalls, path: string): (path: string) => Promise<[number, unknown]> {
  const asked = new Map<string, Promise<[number, unknown]>>();
  const ask = (one: string): Promise<[number, unknown]> => {
    const known = asked.get(one);
    if (known) return known;
    const answer = Promise.all([readRole(calls, one), calls.maybe(calls.get(one, ACCESSIBLE, 'Parent'))]);
    answer.catch(() => undefined); // Told to whoever needs it; nobody may.
    asked.set(one, answer);
    return answer;
  };
  for (const above of [path, ...calls.app.memory.pathsAbove(path, MAX_DEPTH)]) void ask(above);
  return ask;
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
