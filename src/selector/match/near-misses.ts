import { editDistance } from '../../shared/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { Chain, MatchStep, Selector, Step, Term } from '../ast.js';
import { firstWords, normaliseLabel } from './text-match.js';
import { statePredicate } from './predicates.js';
import { ChainRun, type RunOptions } from './run-chain.js';
import type { Place, ElementIndex } from './scene.js';
import { findsHidden, sourcesOf } from './matches.js';
import { explainTerm } from '../syntax/print.js';

export interface NearMiss {
  element: Element;
  window: WindowInfo;
  /** Why it does not match, in our words and the selector's; never the app's. */
  why: string;
}

type Ranked = NearMiss & { rank: number };

/** The elements that come nearest to a selector without matches, most likely first. */
export function nearMisses(selector: Selector, scene: ElementIndex, limit = 5, options: RunOptions = {}): NearMiss[] {
  const run = new ChainRun(scene, options);
  const chain = selector.alternatives.find((one) => !sourcesOf(one).includes('ocr'));
  if (!chain) return [];
  const at = chain.steps.findLastIndex((step) => step.kind === 'match');
  const last = chain.steps[at] as MatchStep;
  run.primeRegexes(scene.places, last);
  const missed = scene.places.flatMap((place): Ranked[] => {
    const miss = missOf(place, last, run, excludedBy(chain, at));
    return miss ? [{ element: place.element, window: place.window, ...miss }] : [];
  });
  const nearest = missed.sort((a, b) => a.rank - b.rank).slice(0, limit);
  return nearest.map(({ element, window, why }) => ({ element, window, why }));
}

interface Miss {
  rank: number;
  why: string;
}

function missOf(place: Place, step: MatchStep, run: ChainRun, outside: string): Miss | undefined {
  const parts = step.term.kind === 'and' ? step.term.terms : [step.term];
  const failing = parts.filter((term) => !run.fits(place, { kind: 'match', term }));
  const hidden = place.hidden && !findsHidden(step);
  if (failing.length === 0) return hidden ? { rank: 0, why: 'hidden' } : { rank: 1, why: outside };
  const [term] = failing;
  if (failing.length > 1 || hidden) return undefined;
  const similar = isSimilar(term!, place.element);
  if (similar) return { rank: 3, why: 'its name is similar' };
  const named = parts.some((part) => part !== term && (part.kind === 'text' || part.kind === 'ref'));
  return named ? { rank: 2, why: mismatch(term!, place) } : undefined;
}

/** Why an element that fits this step is not a match: an earlier step or a position excluded it. */
function excludedBy({ steps }: Chain, at: number): string {
  const before: Step | undefined = steps[at - 1];
  if (steps[at + 1]?.kind === 'nth') return 'there are fewer than the position asks for';
  if (before?.kind === 'relation') return `not ${before.relation} what was named`;
  return before ? 'not inside what was named' : 'its window is minimised or hidden';
}

function mismatch(term: Term, place: Place): string {
  if (term.kind === 'role') return `role is ${place.element.role}`;
  if (term.kind === 'state') {
    return `${term.key} is ${statePredicate(term.key).state(place.element, place) ?? 'not a state of it'}`;
  }
  return `does not hold: ${explainTerm(term)}`;
}

const MAX_COMPARED = 60;

function isSimilar(term: Term, element: Element): boolean {
  if (term.kind !== 'text' || typeof term.value !== 'string' || term.op === '!=') return false;
  if (term.key !== 'name' && term.key !== 'text') return false;
  const [wanted, actual] = [normaliseLabel(term.value), normaliseLabel(element.name || firstWords(element))];
  if (wanted.length < 2 || actual === '' || wanted.length > MAX_COMPARED || actual.length > MAX_COMPARED) return false;
  const limit = Math.max(1, wanted.length / 3);
  return (
    actual.includes(wanted) ||
    (actual.length > 2 && wanted.includes(actual)) ||
    editDistance(wanted, actual, limit) <= limit
  );
}
