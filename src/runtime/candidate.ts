import type { Element, Nearest, WindowInfo } from '../tree/index.js';

/** Something that a caller may have meant; travels in an error's `details`, and is printed by the surfaces. */
export interface Candidate {
  ref: string;
  role: string;
  name?: string;
  /** The item or window around it. */
  within?: { ref?: string; role?: string; name?: string };
  /** Why it is here, in our words. */
  note?: string;
}

export function windowCandidate({ ref, role, title, app }: WindowInfo): Candidate {
  return { ref, role, name: title, note: plainApp(app) };
}

export function nearestCandidate({ element, item }: Nearest, note?: string): Candidate {
  return { ...elementWords(element), ...(item && { within: item }), ...(note && { note }) };
}

function elementWords({ ref, role, name }: Element): Candidate {
  return { ref, role, ...(name !== undefined && { name }) };
}

/** A program's name may stand in a sentence of ours only when it could not be a sentence itself. */
export function plainApp(app: string): string {
  return /^[\w.+@-]{1,40}$/.test(app) ? app : 'an app';
}
