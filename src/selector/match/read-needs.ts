import type { Element, WindowInfo } from '../../tree/index.js';
import type { Chain, MatchStep, Selector, Step, Term } from '../ast.js';
import { matches, searchesAllWindows, leaves, meansWindows } from './matches.js';
import { textPredicate } from './predicates.js';
import { Regexes } from './regexes.js';
import { normaliseLabel, sameLabel } from './text-match.js';
import { cellPlace, type CellPlace } from '../syntax/text.js';

/** Decides from the window list alone whether a chain can match in a window, so that only those windows are read. */
export function canMatchIn(chain: Chain, window: WindowInfo, windowOf?: WindowOfRef): boolean {
  return exclusionReason(chain, window, windowOf) === undefined;
}

/**
 * Why a window is not read: it is not visible and the chain does not ask for such windows, or the first step excludes
 * it.
 */
type LeftOut = 'does not show' | 'does not fit';

export function exclusionReason({ steps }: Chain, window: WindowInfo, windowOf?: WindowOfRef): LeftOut | undefined {
  const first = steps[0] as MatchStep;
  if (!searchesAllWindows(first) && (!window.visible || window.minimised)) return 'does not show';
  return windowMatches(first.term, window, windowOf) === false ? 'does not fit' : undefined;
}

/** The driver's id of the window in which an element was last seen. */
type WindowOfRef = (ref: string) => string | undefined;

/**
 * Whether the chain starts with a window title that matches this window, without a position that selects another one.
 */
export function namesWindow({ steps }: Chain, window: WindowInfo): boolean {
  if (steps[1]?.kind === 'nth') return false;
  const first = steps[0] as MatchStep;
  const byTitle = leaves(first.term).some((leaf) => leaf.kind === 'text' && leaf.key === 'window');
  return byTitle && meansWindows(first) && windowMatches(first.term, window) === true;
}

/**
 * The selector with `window="Calc"` read as `--window Calc` is: windows with that title; if none is open, those whose
 * title contains it.
 */
export function withPartialTitles(selector: Selector, windows: readonly Pick<WindowInfo, 'title'>[]): Selector {
  const inTerm = (term: Term): Term => {
    switch (term.kind) {
      case 'or':
      case 'and':
        return { ...term, terms: term.terms.map(inTerm) };
      case 'not':
        return { ...term, term: inTerm(term.term) };
      case 'text': {
        const { key, op, value } = term;
        const isTitle = key === 'window' && op === '=' && typeof value === 'string' && normaliseLabel(value) !== '';
        const isOpen = isTitle && windows.some(({ title }) => sameLabel(title, value));
        return isTitle && !isOpen ? { ...term, op: '~=' } : term;
      }
      default:
        return term;
    }
  };
  const inStep = (step: Step): Step => (step.kind === 'match' ? { ...step, term: inTerm(step.term) } : step);
  const namesTitle = selector.alternatives.some((chain) =>
    leavesOf(chain).some((leaf) => leaf.kind === 'text' && leaf.key === 'window'),
  );
  if (!namesTitle) return selector;
  return { alternatives: selector.alternatives.map(({ steps }) => ({ steps: steps.map(inStep) })) };
}

interface ReadNeeds {
  /** Asks for elements that are not visible. */
  full: boolean;
  /** Asks for properties that only a detailed read returns. */
  detail: boolean;
}

const DETAIL_KEYS: ReadonlySet<string> = new Set([
  'description',
  'automationId',
  'className',
  'runtimeId',
  'legacyId',
  'sapId',
]);

export function readNeeds(chain: Chain): ReadNeeds {
  const all = leavesOf(chain);
  const hidden = (leaf: Term): boolean =>
    leaf.kind === 'state' &&
    (leaf.key === 'visible' || leaf.key === 'offscreen') &&
    (leaf.op === '=') !== asksForVisible(leaf);
  return {
    full: all.some(hidden),
    detail: all.some((leaf) => leaf.kind === 'text' && DETAIL_KEYS.has(leaf.key)),
  };
}

const asksForVisible = ({ key, value }: Extract<Term, { kind: 'state' }>): boolean => value === (key === 'visible');

/** The elements that the chain names by ref. */
export function refsIn(chain: Chain): string[] {
  return leavesOf(chain).flatMap((leaf) => (leaf.kind === 'ref' ? [leaf.ref] : []));
}

export type CellRequest = CellPlace & { written: string };

/** The cells that the chain names by address: they are read one by one, however large their table is. */
export function cellsIn(chain: Chain): CellRequest[] {
  return leavesOf(chain).flatMap((leaf) =>
    leaf.kind === 'cell' ? [{ written: leaf.address, ...cellPlace(leaf.address) }] : [],
  );
}

function leavesOf({ steps }: Chain): Term[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'match') return [];
    return leaves(step.term).flatMap((leaf) => (leaf.kind === 'has' ? leavesOf(leaf.chain) : [leaf]));
  });
}

/** False for a chain that asks only for windows: the window list is enough. */
export function needsTree({ steps }: Chain): boolean {
  return steps.some(
    (step, at) => step.kind === 'relation' || (step.kind === 'match' && (at > 0 || !meansWindows(step))),
  );
}

/** Undefined: the window alone does not decide it. */
function windowMatches(term: Term, window: WindowInfo, windowOf?: WindowOfRef): boolean | undefined {
  switch (term.kind) {
    case 'and':
    case 'or': {
      const decides = term.kind === 'or';
      const parts = term.terms.map((part) => windowMatches(part, window, windowOf));
      if (parts.includes(decides)) return decides;
      return parts.includes(undefined) ? undefined : !decides;
    }
    case 'not': {
      const inner = windowMatches(term.term, window, windowOf);
      return inner === undefined ? undefined : !inner;
    }
    case 'text':
      if (!textPredicate(term.key).ofWindow) return undefined;
      return matches(rootOf(window), term, { window, regexes: new Regexes(), has: () => false });
    case 'ref':
      if (term.ref.startsWith('w')) return term.ref === window.ref;
      return windowOf && windowOf(term.ref) !== window.id ? false : undefined;
    case 'has':
    case 'role':
    case 'state':
    case 'region':
    case 'cell':
      return undefined;
  }
}

/** Window keys are the same for all elements of a window, so the root stands for any of them. */
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
