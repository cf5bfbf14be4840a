import { ITEM_ROLES, WINDOW_ROLES } from '../../tree/index.js';
import type { Chain, MatchStep, Source, Term } from '../ast.js';
import { textPredicate } from './predicates.js';

export function leaves(term: Term): Term[] {
  if (term.kind === 'or' || term.kind === 'and') return term.terms.flatMap(leaves);
  return term.kind === 'not' ? leaves(term.term) : [term];
}

/** Hidden elements are found only by a step that mentions `visible`, or by their ref. */
export function findsHidden({ term }: MatchStep): boolean {
  return leaves(term).some((leaf) => leaf.kind === 'ref' || (leaf.kind === 'state' && leaf.key === 'visible'));
}

const isOfWindow = (leaf: Term): boolean => leaf.kind === 'text' && textPredicate(leaf.key).ofWindow === true;
const isWindowRole = (leaf: Term): boolean =>
  leaf.kind === 'role' && leaf.roles.every((role) => WINDOW_ROLES.has(role));

/** `window="Calculator"` alone is the window; with other terms it is an element in that window. */
export function meansWindows({ term }: MatchStep): boolean {
  const all = leaves(term);
  return all.some(isOfWindow) && all.every((leaf) => isOfWindow(leaf) || isWindowRole(leaf));
}

/** Such a first step also searches minimised and hidden windows, because it names the window. */
export function asksAllWindows({ term }: MatchStep): boolean {
  return leaves(term).some((leaf) => isOfWindow(leaf) || isWindowRole(leaf) || leaf.kind === 'ref');
}

/** The drivers that a chain needs, including those inside `has`. */
export function sourcesOf(chain: Chain): Source[] {
  return chain.steps.flatMap((step) => {
    if (step.kind !== 'match') return [];
    const inner = leaves(step.term).flatMap((leaf) => (leaf.kind === 'has' ? sourcesOf(leaf.chain) : []));
    return step.source === undefined ? inner : [step.source, ...inner];
  });
}

/** `row:"Army Day"`: asks for a row, list item or tree item by its name. */
export function asksForItemByName({ term }: MatchStep): boolean {
  const named = leaves(term).some((leaf) => leaf.kind === 'text' && leaf.key === 'name' && leaf.op !== '!=');
  return named && asksForItem(term);
}

function asksForItem(term: Term): boolean {
  if (term.kind === 'or' || term.kind === 'and') return term.terms.some(asksForItem);
  return term.kind === 'role' && term.op === '=' && term.roles.every((role) => ITEM_ROLES.has(role));
}

/** The comparisons with a regex, to be tested on all texts together. */
export function regexTerms(term: Term): Extract<Term, { kind: 'text' }>[] {
  return leaves(term).flatMap((leaf) => (leaf.kind === 'text' && typeof leaf.value !== 'string' ? [leaf] : []));
}
