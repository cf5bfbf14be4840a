import { parseSelector, printSelector } from '../../selector/index.js';
import type { Chain, MatchStep, Relation, Selector, Step, Term } from '../../selector/index.js';
import { wrong } from './selector-text.js';

/** A selector that grows: every step of a locator is checked when it is written, and means the same as the words. */
export class SelectorParts {
  private constructor(private readonly selector: Selector) {}

  static of(text: string): SelectorParts {
    return new SelectorParts(parseSelector(text));
  }

  get text(): string {
    return printSelector(this.selector);
  }

  /** Only what is inside of these. */
  within(outer: SelectorParts | undefined): SelectorParts {
    if (!outer) return this;
    const joined = outer.chains.flatMap((chain) => this.chains.map((own) => [...chain.steps, ...own.steps]));
    return made(joined.map((steps) => ({ steps })));
  }

  nth(index: number): SelectorParts {
    if (!Number.isInteger(index)) throw wrong('nth takes a whole number.', '0 is the first, -1 the last.');
    return this.map((steps) => [...steps, { kind: 'nth', index }]);
  }

  /** The same, if this is so too. */
  and(text: string): SelectorParts {
    const [only, ...others] = SelectorParts.of(text).chains;
    const [step, ...more] = only?.steps ?? [];
    if (step?.kind !== 'match' || more.length + others.length > 0)
      throw wrong('It cannot be added to a locator.', 'Use one term.');
    return this.map((steps) => [...steps.slice(0, -1), joined(lastMatch(steps), step.term)]);
  }

  /** The same, if one of these is in it. */
  has(inner: SelectorParts): SelectorParts {
    const terms = inner.chains.map((chain): Term => ({ kind: 'has', chain }));
    const term: Term = terms.length === 1 ? terms[0]! : { kind: 'or', terms };
    return this.map((steps) => [...steps.slice(0, -1), joined(lastMatch(steps), term)]);
  }

  /** Those that lie so beside the anchor. Both are looked for in the same place. */
  beside(relation: Relation, anchor: SelectorParts, limit?: number): SelectorParts {
    const step: Step = { kind: 'relation', relation, ...(limit !== undefined && { limit }) };
    const both = anchor.chains.flatMap((from) =>
      this.chains.map((own) => {
        const place = own.steps.slice(0, -1);
        const target = lastMatch(own.steps);
        const inPlace = startsWith(from.steps, place) ? from.steps : [...place, ...from.steps];
        return { steps: [...inPlace, step, target] };
      }),
    );
    return made(both);
  }

  private get chains(): Chain[] {
    return this.selector.alternatives;
  }

  private map(change: (steps: Step[]) => Step[]): SelectorParts {
    return made(this.chains.map(({ steps }) => ({ steps: change(steps) })));
  }
}

/** Through its own words: what the grammar does not allow is told as such. */
function made(alternatives: Chain[]): SelectorParts {
  return SelectorParts.of(printSelector({ alternatives }));
}

function joined(step: MatchStep, more: Term): MatchStep {
  const before = step.term.kind === 'and' ? step.term.terms : [step.term];
  const after = more.kind === 'and' ? more.terms : [more];
  return { ...step, term: { kind: 'and', terms: [...before, ...after] } };
}

function lastMatch(steps: readonly Step[]): MatchStep {
  const last = steps.at(-1);
  if (last?.kind === 'match') return last;
  throw wrong('A locator that picks by number cannot be narrowed any more.', 'Narrow it first, then nth().');
}

function startsWith(steps: readonly Step[], place: readonly Step[]): boolean {
  return JSON.stringify(steps.slice(0, place.length)) === JSON.stringify(place);
}
