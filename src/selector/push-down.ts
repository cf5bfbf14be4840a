import type { Element, WindowInfo } from '../tree/index.js';
import type { Chain, MatchStep, Term } from './ast.js';
import { matches } from './matches.js';
import { textPredicate } from './predicates.js';
import { Regexes } from './regexes.js';
import { asksAllWindows, meansWindows } from './step-traits.js';

/** Judges windows by the window list alone, so that only those are read in which a chain can find something. */
export function mayHold({ steps }: Chain, window: WindowInfo): boolean {
  const first = steps[0] as MatchStep;
  if (!asksAllWindows(first) && (!window.visible || window.minimised)) return false;
  return verdict(first.term, window) !== false;
}

/** False for a chain that asks for nothing but windows: the window list answers it. */
export function needsTree({ steps }: Chain): boolean {
  return steps.some(
    (step, at) => step.kind === 'relation' || (step.kind === 'match' && (at > 0 || !meansWindows(step))),
  );
}

/** Undefined: the window does not tell. */
function verdict(term: Term, window: WindowInfo): boolean | undefined {
  switch (term.kind) {
    case 'and':
    case 'or': {
      const decides = term.kind === 'or';
      const parts = term.terms.map((part) => verdict(part, window));
      if (parts.includes(decides)) return decides;
      return parts.includes(undefined) ? undefined : !decides;
    }
    case 'not': {
      const inner = verdict(term.term, window);
      return inner === undefined ? undefined : !inner;
    }
    case 'text':
      if (!textPredicate(term.key).ofWindow) return undefined;
      return matches(rootOf(window), term, { window, regexes: new Regexes(), has: () => false });
    case 'ref':
      return term.ref.startsWith('w') ? term.ref === window.ref : undefined;
    case 'has':
    case 'role':
    case 'state':
    case 'region':
    case 'cell':
      return undefined;
  }
}

/** Keys of the window are the same for all that is in it, so the root stands for any of them. */
function rootOf({ id, ref, role, title, visible }: WindowInfo): Element {
  return {
    id,
    ref,
    role,
    name: title,
    states: { enabled: true, visible },
    patterns: [],
    platformIds: {},
    children: [],
  };
}
