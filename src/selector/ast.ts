import type { Role } from '../tree/index.js';
import type { StateKey, TextKey } from './match/predicates.js';

/** Which driver a step of an alternative uses. No prefix is the same as `any:`, which never includes OCR. */
export const PREFIXES = ['any', 'atspi', 'uia', 'win32', 'ax', 'sap', 'ocr'] as const;
type Prefix = (typeof PREFIXES)[number];
export type Source = Exclude<Prefix, 'any'>;

export const RELATIONS = ['right-of', 'left-of', 'above', 'below', 'near', 'inside'] as const;
export type Relation = (typeof RELATIONS)[number];

export const OPERATORS = ['=', '!=', '~=', '^=', '$=', '*='] as const;
export type Operator = (typeof OPERATORS)[number];

export interface RegexValue {
  source: string;
  ignoreCase: boolean;
}

/**
 * A condition on one element. Shorthands leave no trace: `button:Save` and `role=button && name="Save"` are equal.
 * `and` and `or` are flat and have at least two terms. A regex is only used with `=` or `!=`.
 */
export type Term =
  | { kind: 'or' | 'and'; terms: Term[] }
  | { kind: 'not'; term: Term }
  | { kind: 'has'; chain: Chain }
  | { kind: 'role'; op: '=' | '!='; roles: Role[] }
  | { kind: 'text'; key: TextKey; op: Operator; value: string | RegexValue }
  | { kind: 'state'; key: StateKey; op: '=' | '!='; value: boolean | 'mixed' }
  | { kind: 'ref'; ref: string }
  | { kind: 'region'; number: number }
  | { kind: 'cell'; address: string };

export type TextTerm = Extract<Term, { kind: 'text' }>;

export interface MatchStep {
  kind: 'match';
  /** Absent: every tree driver. */
  source?: Source;
  term: Term;
}

export interface RelationStep {
  kind: 'relation';
  relation: Relation;
  /** Pixels. */
  limit?: number;
}

export interface NthStep {
  kind: 'nth';
  index: number;
}

export type Step = MatchStep | RelationStep | NthStep;

export interface Chain {
  steps: Step[];
}

export interface Selector {
  /** Tried in this order. */
  alternatives: Chain[];
}

export function combine(kind: 'and' | 'or', terms: readonly Term[]): Term {
  const flat = terms.flatMap((term) => (term.kind === kind ? term.terms : [term]));
  return flat.length === 1 ? flat[0]! : { kind, terms: flat };
}
