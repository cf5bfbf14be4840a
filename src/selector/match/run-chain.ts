import { accessibleName } from '../../tree/index.js';
import type { Chain, MatchStep, RelationStep, Step } from '../ast.js';
import { firstWords, foldNested, normaliseLabel, withoutNamesakes } from './text-match.js';
import {
  matches,
  type MatchContext,
  searchesAllWindows,
  asksForItemByName,
  findsHidden,
  meansWindows,
  regexTerms,
} from './matches.js';
import { textPredicate } from './predicates.js';
import { Regexes } from './regexes.js';
import { nearestOf, relate, type Related } from './relations.js';
import { isInside, type Place, type ElementIndex } from './scene.js';

export interface Found {
  place: Place;
  /** The step that it matches. */
  step: MatchStep;
  /** The element it was found relative to, and its distance. */
  anchor?: Found;
  distance?: number;
}

export interface RunOptions {
  /** The ref of the element with this number in the overlay. */
  region?: (number: number) => string | undefined;
}

/** Finds chains in one scene. It caches the results of regexes and of `has` for the next chain. */
export class ChainRun {
  private readonly regexes = new Regexes();
  private readonly hasCache = new Map<Chain, number[]>();

  constructor(
    private readonly scene: ElementIndex,
    private readonly options: RunOptions = {},
  ) {}

  /** In the order of the scene; after a relation by distance. Nested duplicates are folded. */
  find(chain: Chain): Found[] {
    const first = chain.steps[0] as MatchStep;
    const all = searchesAllWindows(first);
    const scope = all
      ? this.scene.places
      : this.scene.places.filter(({ window }) => window.visible && !window.minimised);
    return exactFirst(foldFound(this.run(chain, scope), 'target'));
  }

  private run({ steps }: Chain, scope: readonly Place[]): Found[] {
    let found: Found[] = [];
    let searched = scope;
    steps.forEach((step, at) => {
      const before = steps[at - 1];
      // As an anchor, a box and the label in it that names it count as one. For `inside`, only the box will do.
      if (step.kind === 'relation') found = step.relation === 'inside' ? found : foldFound(found, 'anchor');
      else if (step.kind === 'nth') {
        // After a relation, the position counts in the order of each anchor; it was already applied there.
        if (steps[at - 2]?.kind !== 'relation') found = pick(foldFound(found, 'target'), step.index);
      } else if (before?.kind === 'relation') found = this.related(found, before, step, searched, steps[at + 1]);
      else {
        if (before) searched = this.insideOf(found);
        found = this.matching(searched, step).map((place) => ({ place, step }));
      }
    });
    return found;
  }

  /** Each element once, in the order of the scene. */
  private insideOf(found: readonly Found[]): Place[] {
    const places: Place[] = [];
    let upTo = -1;
    for (const { place } of [...found].sort((a, b) => a.place.order - b.place.order)) {
      const from = Math.max(place.order, upTo) + 1;
      places.push(...this.scene.places.slice(from, place.last + 1));
      upTo = Math.max(upTo, place.last);
    }
    return places;
  }

  private matching(places: readonly Place[], step: MatchStep): Place[] {
    const alsoHidden = findsHidden(step);
    const roots = meansWindows(step);
    const candidates = places.filter(({ hidden, parent }) => (alsoHidden || !hidden) && !(roots && parent));
    this.primeRegexes(candidates, step);
    const named = candidates.filter((place) => this.fits(place, step));
    if (!asksForItemByName(step)) return named;
    const byFirstWords = this.matchingByFirstWords(candidates, named, step);
    return byFirstWords.length === 0 ? named : [...named, ...byFirstWords].sort((a, b) => a.order - b.order);
  }

  /** Items without a name of their own that match by their first text. */
  private matchingByFirstWords(places: readonly Place[], named: readonly Place[], step: MatchStep): Place[] {
    const known = new Set(named);
    const items = places.filter((place) => !known.has(place) && firstWords(place.element) !== '');
    this.primeRegexes(items, step, true);
    const matching = items.filter((place) =>
      matches(place.element, step.term, { ...this.contextOf(place), byFirstWords: true }),
    );
    return withoutNamesakes(matching, named);
  }

  /**
   * Whether an element matches the step, hidden or not. The first text of an item without a name does not count as its
   * name.
   */
  fits(place: Place, step: MatchStep): boolean {
    return matches(place.element, step.term, this.contextOf(place));
  }

  contextOf(place: Place): MatchContext {
    return {
      window: place.window,
      table: place.table,
      hidden: place.hidden,
      regexes: this.regexes,
      has: (_, chain) => this.has(place, chain),
      region: this.options.region,
    };
  }

  /** Tests all texts together within one time limit; one by one, each could take the full limit. */
  primeRegexes(places: readonly Place[], step: MatchStep, byFirstWords = false): void {
    const terms = regexTerms(step.term);
    if (terms.length === 0) return;
    this.regexes.prime(
      terms.flatMap(({ key, value }) => {
        if (typeof value === 'string') return [];
        const texts = places.flatMap((place) =>
          textPredicate(key).texts(place.element, { ...place, byFirstWords }, ''),
        );
        return [[value, texts.filter((text) => text !== undefined)] as const];
      }),
    );
  }

  private has(place: Place, chain: Chain): boolean {
    if (chain.steps.length > 1) return this.run(chain, this.scene.inside(place)).length > 0;
    // A single inner step is matched against the whole scene once, and not again for every row.
    let orders = this.hasCache.get(chain);
    if (!orders) {
      orders = this.matching(this.scene.places, chain.steps[0] as MatchStep).map(({ order }) => order);
      this.hasCache.set(chain, orders);
    }
    const next = orders[firstAbove(orders, place.order)];
    return next !== undefined && next <= place.last;
  }

  private related(anchors: Found[], by: RelationStep, step: MatchStep, scope: readonly Place[], next?: Step): Found[] {
    const matching = foldNested(this.matching(scope, step));
    const found = anchors.flatMap((anchor) => {
      const related = relatedTo(anchor.place, matching, by);
      const chosen = next?.kind === 'nth' ? related : innermost(nearestOf(related, by.relation, anchor.place.scale));
      const all = chosen.map(({ candidate, distance }) => ({ place: candidate.place, step, anchor, distance }));
      return next?.kind === 'nth' ? pick(all, next.index) : all;
    });
    const ordered = by.relation === 'inside' ? found : found.sort((a, b) => a.distance! - b.distance!);
    return distinct(ordered);
  }
}

type Candidate = { place: Place; bounds?: Place['element']['bounds'] };

function relatedTo(anchor: Place, matching: readonly Place[], { relation, limit }: RelationStep): Related<Candidate>[] {
  const { bounds } = anchor.element;
  if (!bounds) return [];
  const others = matching.filter((place) => {
    if (place.window !== anchor.window || place === anchor || isInside(anchor, place)) return false;
    return relation === 'inside' || !isInside(place, anchor);
  });
  const candidates = others.map((place) => ({ place, bounds: place.element.bounds }));
  return relate(bounds, candidates, relation, limit, anchor.scale);
}

/** If nested candidates are equally near, the inner one is meant. */
function innermost(related: Related<Candidate>[]): Related<Candidate>[] {
  return related.filter(
    ({ candidate: outer }) => !related.some(({ candidate }) => isInside(candidate.place, outer.place)),
  );
}

function pick(found: Found[], index: number): Found[] {
  const one = found.at(index);
  return one ? [one] : [];
}

function distinct(found: Found[]): Found[] {
  const seen = new Set<Place>();
  return found.filter(({ place }) => !seen.has(place) && seen.add(place));
}

function foldFound(found: Found[], use: 'target' | 'anchor'): Found[] {
  const kept = new Set(
    foldNested(
      found.map(({ place }) => place),
      use,
    ),
  );
  return found.filter(({ place }) => kept.has(place));
}

/**
 * A whole label is also equal without a trailing "..." or ":". If some elements have the name exactly as written, the
 * others are not meant: "Save" is not "Save...".
 */
function exactFirst(found: Found[]): Found[] {
  if (found.length < 2) return found;
  const isExact = ({ place: { element }, step }: Found): boolean => {
    const terms = step.term.kind === 'and' ? step.term.terms : [step.term];
    const named = terms.find((term) => term.kind === 'text' && term.key === 'name' && term.op === '=');
    if (named?.kind !== 'text' || typeof named.value !== 'string') return false;
    const name = accessibleName(element) || firstWords(element);
    return normaliseLabel(name) === normaliseLabel(named.value);
  };
  const exact = found.filter(isExact);
  return exact.length > 0 ? exact : found;
}

function firstAbove(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
