import { editDistance } from '../../shared/index.js';
import { displayName, type Element, isInteractive, type WindowInfo } from '../../tree/index.js';
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
  /** It has the role that was asked for and is where it was looked for: it may be what the caller means. */
  likely: boolean;
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
  // Something that comes nearer is in another place or has another role: then it is not known what is meant.
  return nearest.map(({ element, window, why, rank, likely }) => {
    const mayBeMeant = likely && rank === nearest[0]!.rank && isFoundBy(run, chain, at, element);
    return { element, window, why, likely: mayBeMeant };
  });
}

/** The visible elements with the asked role where the selector searches; controls if there are none or no role was asked. */
export function presentInstead(selector: Selector, scene: ElementIndex, options: RunOptions = {}): Element[] {
  const run = new ChainRun(scene, options);
  const chain = selector.alternatives.find((one) => !sourcesOf(one).includes('ocr'));
  if (!chain) return [];
  const at = chain.steps.findLastIndex((step) => step.kind === 'match');
  const { term } = chain.steps[at] as MatchStep;
  const isHere = new Set(foundBy(run, chain, at, { kind: 'state', key: 'offscreen', op: '=', value: false }));
  const here = scene.places.filter(
    ({ element, hidden, parent }) => parent && !hidden && isHere.has(element) && displayName(element) !== '',
  );
  const role = term.kind === 'and' ? term.terms.find(({ kind }) => kind === 'role') : term;
  const alike = role?.kind === 'role' ? here.filter((place) => run.fits(place, { kind: 'match', term: role })) : [];
  const shown = alike.length > 0 ? alike : here.filter(({ element }) => isInteractive(element));
  return shown.map(({ element }) => element);
}

/** The elements that the chain finds with other criteria in its last step: they are in the place that was named. */
function foundBy(run: ChainRun, { steps }: Chain, at: number, term: Term): Element[] {
  return run.find({ steps: [...steps.slice(0, at), { kind: 'match', term }] }).map(({ place }) => place.element);
}

function isFoundBy(run: ChainRun, chain: Chain, at: number, element: Element): boolean {
  return foundBy(run, chain, at, { kind: 'ref', ref: element.ref }).includes(element);
}

interface Miss {
  rank: number;
  why: string;
  likely: boolean;
}

function missOf(place: Place, step: MatchStep, run: ChainRun, outside: string): Miss | undefined {
  const parts = step.term.kind === 'and' ? step.term.terms : [step.term];
  const failing = parts.filter((term) => !run.fits(place, { kind: 'match', term }));
  const hidden = place.hidden && !findsHidden(step);
  if (failing.length === 0)
    return { ...(hidden ? { rank: 0, why: 'hidden' } : { rank: 1, why: outside }), likely: false };
  const [term] = failing;
  if (failing.length > 1 || hidden) return undefined;
  const distance = nameDistance(term!, place.element);
  // A name that is only a little different before one that contains the words among others.
  if (distance !== undefined)
    return { rank: 3 + distance / MAX_COMPARED / 2, why: 'its name is similar', likely: true };
  const named = parts.some((part) => part !== term && (part.kind === 'text' || part.kind === 'ref'));
  return named ? { rank: 2, why: mismatch(term!, place), likely: term!.kind !== 'role' } : undefined;
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

/** How different a similar name is; undefined if it is not similar. */
function nameDistance(term: Term, element: Element): number | undefined {
  if (term.kind !== 'text' || typeof term.value !== 'string' || term.op === '!=') return undefined;
  if (term.key !== 'name' && term.key !== 'text') return undefined;
  const [wanted, actual] = [normaliseLabel(term.value), normaliseLabel(element.name || firstWords(element))];
  if (wanted.length < 2 || actual === '' || wanted.length > MAX_COMPARED || actual.length > MAX_COMPARED)
    return undefined;
  const limit = Math.max(1, wanted.length / 3);
  const distance = editDistance(wanted, actual, limit);
  if (distance <= limit) return distance;
  const contains = actual.includes(wanted) || (actual.length > 2 && wanted.includes(actual));
  return contains ? Math.abs(actual.length - wanted.length) : undefined;
}
