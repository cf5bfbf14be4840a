import type { Match, NearMiss } from '../../selector/index.js';
import { displayName, type Element, type Nearest, type WindowInfo } from '../../tree/index.js';

/** Something that a caller may have meant; travels in an error's `details`, and is printed by the surfaces. */
export interface Candidate {
  ref: string;
  role: string;
  name?: string;
  /** The item or window around it. */
  within?: { ref?: string; role?: string; name?: string };
  /** The window it is in, and the named things around it, the outermost first. */
  window?: string;
  path?: { role: string; name: string }[];
  /** Finds this one alone. */
  selector?: string;
  /** Why it is here, in our words. */
  note?: string;
}

export function windowCandidate({ ref, role, title, app }: WindowInfo): Candidate {
  return { ref, role, name: title, note: plainApp(app) };
}

export function nearestCandidate({ element, item }: Nearest, note?: string): Candidate {
  return { ...elementWords(element), ...(item && { within: item }), ...(note && { note }) };
}

/** One of several that fit. */
export function foundCandidate({ element, window, path }: Pick<Match, 'element' | 'window' | 'path'>): Candidate {
  return { ...elementWords(element), window: window.ref, path: namedPath(path) };
}

/** One that does not fit, and why. */
export function missCandidate({ element, window, why }: NearMiss): Candidate {
  return { ...elementWords(element), window: window.ref, note: why };
}

const PARENTS = 3;

/** The window's own title goes without saying. */
export function namedPath(path: readonly Element[]): { role: string; name: string }[] {
  const around = path.filter(({ ref }) => !ref.startsWith('w'));
  const called = around.map((element) => ({ role: element.role, name: displayName(element) }));
  return called.filter(({ name }) => name).slice(-PARENTS);
}

function elementWords(element: Element): Candidate {
  const { ref, role } = element;
  const name = displayName(element);
  return { ref, role, ...(name !== '' && { name }) };
}

/** A program's name may stand in a sentence of ours only when it could not be a sentence itself. */
export function plainApp(app: string): string {
  return /^[\w.+@-]{1,40}$/.test(app) ? app : 'an app';
}
