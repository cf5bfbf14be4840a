import {
  type Chain,
  type MatchStep,
  parseSelector,
  printSelector,
  type Relation,
  type Selector,
  type Step,
  type Term,
} from '../../../selector/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { Role } from '../../../tree/index.js';

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

/** What `getByRole` may ask besides the role. */
export interface RoleOptions {
  /** Of the element: a part of it, or a pattern. */
  name?: string | RegExp;
  /** `name` is the whole name. */
  exact?: boolean;
  /** Ticked or not. */
  checked?: boolean;
  /** Greyed out or not. */
  disabled?: boolean;
  /** Open or not. */
  expanded?: boolean;
  /** Chosen or not. */
  selected?: boolean;
}

/** States that `filter` can ask for. */
export type FilterStates = {
  [Key in 'enabled' | 'visible' | 'focused' | 'checked' | 'selected' | 'expanded' | 'editable' | 'offscreen']?: boolean;
};

const STATES = ['enabled', 'visible', 'focused', 'checked', 'selected', 'expanded', 'editable', 'offscreen'];

/** A text in a selector: nothing in it is an operator. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** `name~="Save"`, `name="Save"` or `name=/^save/i`. */
export function textTerm(key: string, text: string | RegExp, exact = false): string {
  if (text instanceof RegExp) return `${key}=${regexOf(text)}`;
  if (text === '' && !exact) throw wrong(`An empty text is a part of everything (${key}).`, 'Give a text, or a role.');
  return `${key}${exact ? '=' : '~='}${quoted(text)}`;
}

/** It, or something in it. */
export const showing = (term: string): string => `${term} || has(${term})`;

function regexOf({ source, flags }: RegExp): string {
  const other = flags.replaceAll(/[igyuv]/g, '');
  if (other !== '') throw wrong(`The flag ${other} of a pattern is not known here.`, 'Only i is.');
  return `/${source}/${flags.includes('i') ? 'i' : ''}`;
}

export function roleTerms(role: Role, { name, exact, checked, disabled, expanded, selected }: RoleOptions): string {
  const states = { checked, enabled: disabled === undefined ? undefined : !disabled, expanded, selected };
  const named = name === undefined || name === '' ? [] : [textTerm('name', name, exact)];
  return [`role=${role}`, ...named, ...stateTerms(states)].join(' && ');
}

export function stateTerms(states: FilterStates): string[] {
  return Object.entries(states).flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (!STATES.includes(key))
      throw wrong(`Elements cannot be found by the state ${key}.`, `Use ${STATES.join(', ')}.`);
    // Of what says nothing about the screen it is not known that it is off it.
    return [key === 'offscreen' && value === false ? '!offscreen=true' : `${key}=${String(value)}`];
  });
}

/** What a field is called, by its label or by itself; the label is not the field. */
export function labelTerms(label: string | RegExp, exact?: boolean): string {
  return `${textTerm('name', label, exact)} && !role=text`;
}

export function wrong(message: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint, retry: 'no' });
}
