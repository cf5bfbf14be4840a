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

/**
 * Builds a selector step by step. Every step is parsed when it is added, so errors appear where the program makes them.
 */
export class SelectorBuilder {
  private constructor(private readonly selector: Selector) {}

  static of(text: string): SelectorBuilder {
    return new SelectorBuilder(parseSelector(text));
  }

  get text(): string {
    return printSelector(this.selector);
  }

  /** Limits the matches to descendants of `outer`. */
  within(outer: SelectorBuilder | undefined): SelectorBuilder {
    if (!outer) return this;
    const joined = outer.chains.flatMap((chain) => this.chains.map((own) => [...chain.steps, ...own.steps]));
    return rebuild(joined.map((steps) => ({ steps })));
  }

  nth(index: number): SelectorBuilder {
    if (!Number.isInteger(index))
      throw badArguments('nth() takes a whole number.', 'Use 0 for the first match and -1 for the last.');
    return this.map((steps) => [...steps, { kind: 'nth', index }]);
  }

  /** Adds a term that must also match. */
  and(text: string): SelectorBuilder {
    const [only, ...others] = SelectorBuilder.of(text).chains;
    const [step, ...more] = only?.steps ?? [];
    if (step?.kind !== 'match' || more.length + others.length > 0)
      throw badArguments('This cannot be added to a locator.', 'Use a single term.');
    return this.map((steps) => [...steps.slice(0, -1), withTerm(lastMatch(steps), step.term)]);
  }

  /** Adds the requirement that a descendant matches `inner`. */
  has(inner: SelectorBuilder): SelectorBuilder {
    const terms = inner.chains.map((chain): Term => ({ kind: 'has', chain }));
    const term: Term = terms.length === 1 ? terms[0]! : { kind: 'or', terms };
    return this.map((steps) => [...steps.slice(0, -1), withTerm(lastMatch(steps), term)]);
  }

  /** Limits the matches to those beside the anchor. Both are searched in the same scope. */
  beside(relation: Relation, anchor: SelectorBuilder, limit?: number): SelectorBuilder {
    const step: Step = { kind: 'relation', relation, ...(limit !== undefined && { limit }) };
    const both = anchor.chains.flatMap((from) =>
      this.chains.map((own) => {
        const scope = own.steps.slice(0, -1);
        const target = lastMatch(own.steps);
        const inPlace = startsWith(from.steps, scope) ? from.steps : [...scope, ...from.steps];
        return { steps: [...inPlace, step, target] };
      }),
    );
    return rebuild(both);
  }

  private get chains(): Chain[] {
    return this.selector.alternatives;
  }

  private map(change: (steps: Step[]) => Step[]): SelectorBuilder {
    return rebuild(this.chains.map(({ steps }) => ({ steps: change(steps) })));
  }
}

/** Prints and parses the selector again, so that the parser rejects what the grammar does not allow. */
function rebuild(alternatives: Chain[]): SelectorBuilder {
  return SelectorBuilder.of(printSelector({ alternatives }));
}

function withTerm(step: MatchStep, more: Term): MatchStep {
  const before = step.term.kind === 'and' ? step.term.terms : [step.term];
  const after = more.kind === 'and' ? more.terms : [more];
  return { ...step, term: { kind: 'and', terms: [...before, ...after] } };
}

function lastMatch(steps: readonly Step[]): MatchStep {
  const last = steps.at(-1);
  if (last?.kind === 'match') return last;
  throw badArguments(
    'A locator with nth(), first() or last() cannot be filtered further.',
    'Filter first, then pick by index.',
  );
}

function startsWith(steps: readonly Step[], scope: readonly Step[]): boolean {
  return JSON.stringify(steps.slice(0, scope.length)) === JSON.stringify(scope);
}

/** Options of `getByRole`. */
export interface RoleOptions {
  /** Name of the element: a string matches part of it. */
  name?: string | RegExp;
  /** `name` must be the whole name. */
  exact?: boolean;
  /** Whether the element is checked. */
  checked?: boolean;
  /** Whether the element is disabled. */
  disabled?: boolean;
  /** Whether the element is expanded. */
  expanded?: boolean;
  /** Whether the element is selected. */
  selected?: boolean;
}

/** States that `filter` can require. */
export type FilterStates = {
  [Key in 'enabled' | 'visible' | 'focused' | 'checked' | 'selected' | 'expanded' | 'editable' | 'offscreen']?: boolean;
};

const STATES = ['enabled', 'visible', 'focused', 'checked', 'selected', 'expanded', 'editable', 'offscreen'];

/** Quotes a text for a selector, so that nothing in it is an operator. */
export function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}

/** `name~="Save"`, `name="Save"` or `name=/^save/i`. */
export function textTerm(key: string, text: string | RegExp, exact = false): string {
  if (text instanceof RegExp) return `${key}=${regexTerm(text)}`;
  if (text === '' && !exact)
    throw badArguments(
      `An empty text matches every element (${key}).`,
      'Use a text that is not empty, or find the element by role.',
    );
  return `${key}${exact ? '=' : '~='}${quote(text)}`;
}

/** Matches the element or a descendant. */
export const selfOrDescendant = (term: string): string => `${term} || has(${term})`;

function regexTerm({ source, flags }: RegExp): string {
  const other = flags.replaceAll(/[igyuv]/g, '');
  if (other !== '')
    throw badArguments(`The regular expression flag ${other} is not supported.`, 'Use only the flag i.');
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
      throw badArguments(`Elements cannot be found by the state ${key}.`, `Use ${STATES.join(', ')}.`);
    // An element without information about the screen counts as not offscreen.
    return [key === 'offscreen' && value === false ? '!offscreen=true' : `${key}=${String(value)}`];
  });
}

/** Finds the field by its name. The label itself, which has the same text, is excluded. */
export function labelTerms(label: string | RegExp, exact?: boolean): string {
  return `${textTerm('name', label, exact)} && !role=text`;
}

export function badArguments(message: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint, retry: 'no' });
}
