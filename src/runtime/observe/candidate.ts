import type { Match, NearMiss } from '../../selector/index.js';
import { displayName, type Element, type Nearest, type WindowInfo } from '../../tree/index.js';

/** An element that the caller may have meant. Part of an error's `details`; the surfaces print it. */
export interface Candidate {
  ref: string;
  role: string;
  name?: string;
  /** The item or window that contains it. */
  within?: { ref?: string; role?: string; name?: string };
  /** Its window, and its named ancestors, outermost first. */
  window?: string;
  path?: { role: string; name: string }[];
  /** A selector that matches only this element. */
  selector?: string;
  /** Why it is listed. Our own text, not the app's. */
  note?: string;
  /** It has the asked role and is in the asked place: it may be what the caller means. */
  likely?: true;
}

export function windowCandidate({ ref, role, title, app }: WindowInfo): Candidate {
  return { ref, role, name: title, note: plainApp(app) };
}

export function nearestCandidate({ element, item }: Nearest, note?: string): Candidate {
  return { ...elementWords(element), ...(item && { within: item }), ...(note && { note }) };
}

/** One of several matches. */
export function foundCandidate({ element, window, path }: Pick<Match, 'element' | 'window' | 'path'>): Candidate {
  return { ...elementWords(element), window: window.ref, path: namedPath(path) };
}

/** An element that does not match, and why. */
export function missCandidate({ element, window, why, likely }: NearMiss): Candidate {
  return { ...elementWords(element), window: window.ref, note: why, ...(likely && { likely }) };
}

/** An element that is there, without any claim that it is similar. */
export function presentCandidate(element: Element): Candidate {
  return elementWords(element);
}

const PARENTS = 3;

/** Omits the window's own title, which is already known. */
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

/** A program's name is used in our sentences only if it cannot be mistaken for a sentence. */
export function plainApp(app: string): string {
  return /^[\w.+@-]{1,40}$/.test(app) ? app : 'an app';
}
