import type { Match } from '../../selector/index.js';
import { renderElementLine, type Role, type States } from '../../tree/index.js';

/** An element as a condition saw it, without what is in it. */
export interface SeenElement {
  ref: string;
  role: Role;
  name?: string;
  value?: string | number;
  states: States;
  window: string;
  /** As a look prints it: app text in quotes. */
  line: string;
}

export function seenElement({ element, window }: Pick<Match, 'element' | 'window'>): SeenElement {
  const { ref, role, name, value, states } = element;
  return {
    ref,
    role,
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    states,
    window: window.ref,
    line: renderElementLine(element),
  };
}
