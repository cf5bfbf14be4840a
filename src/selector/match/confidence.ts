import type { Element } from '../../tree/index.js';
import type { Term, TextTerm } from '../ast.js';
import { type MatchContext, matches } from './matches.js';
import { type TextKey, textPredicate } from './predicates.js';
import { firstWords, readableLabel } from './text-match.js';

/** Each factor below 1 that applies becomes a reason. Estimates, like the bases. */
export const FACTORS = {
  firstWords: { factor: 0.9, why: 'called by the first words in it' },
  looseText: { factor: 0.97, why: 'spelled a little differently' },
  byPosition: { factor: 0.85, why: 'by position' },
  byRelation: { factor: 0.95, why: 'by place beside another' },
  moved: { factor: 0.95, why: 'moved a little' },
  movedFar: { factor: 0.85, why: 'moved or resized' },
  reborn: { factor: 0.7, why: 'a new element like one that vanished' },
  fallback: { factor: 0.95, why: 'not the first alternative' },
  pixelsDisagree: { factor: 0.6, why: 'the screen shows something else' },
  degraded: { factor: 0.8, why: 'not everything could be read' },
} as const;

export type Stability = 'same' | 'moved' | 'movedFar' | 'reborn';

interface Circumstances {
  /** Number of matches in the list. */
  matches: number;
  /** Evidence for the anchor. */
  anchor?: Evidence;
  byPosition?: boolean;
  fallback?: boolean;
  stability?: Stability;
  degraded?: boolean;
  pixelsDisagree?: boolean;
}

export interface Confidence {
  /** 0 to 1, two digits. */
  confidence: number;
  reasons: string[];
}

export function confidenceOf(target: Evidence, circumstances: Circumstances): Confidence {
  const { matches, anchor, byPosition, fallback, stability = 'same', degraded, pixelsDisagree } = circumstances;
  const used = anchor ? weakest(anchor, target) : target;
  const factors = [
    used.firstWords && FACTORS.firstWords,
    used.loose && FACTORS.looseText,
    matches > 1 && { factor: 1 / matches, why: `one of ${matches}` },
    byPosition && FACTORS.byPosition,
    anchor && FACTORS.byRelation,
    stability !== 'same' && FACTORS[stability],
    fallback && FACTORS.fallback,
    pixelsDisagree && FACTORS.pixelsDisagree,
    degraded && FACTORS.degraded,
  ].filter((factor) => typeof factor === 'object');
  const confidence = factors.reduce((product, { factor }) => product * factor, used.base);
  return { confidence: round2(confidence), reasons: [used.why, ...factors.map(({ why }) => why)] };
}

/** A chain is as strong as its weaker end. A target that is only a role depends on its anchor alone. */
function weakest(anchor: Evidence, target: Evidence): Evidence {
  return target.kindOnly || anchor.base <= target.base ? anchor : target;
}

/** Rounds halves up: 0.5 × 0.85 is 0.43, although floating point gives slightly less. */
function round2(value: number): number {
  return Math.round(value * 100 + 1e-9) / 100;
}

/**
 * Confidence by the strongest property that a step matches. Estimates: change a number when a real app shows that it is
 * wrong.
 */
export const BASES = {
  identity: { base: 1, why: 'by identity' },
  automationId: { base: 0.97, why: "by the developer's id" },
  place: { base: 0.95, why: 'by number or address' },
  roleAndName: { base: 0.9, why: 'role and whole name' },
  name: { base: 0.8, why: 'whole name, no role' },
  roleAndPart: { base: 0.75, why: 'role and part of a name' },
  part: { base: 0.65, why: 'part of a name, or a value' },
  kind: { base: 0.5, why: 'only role, class, state or content' },
} as const;

interface Evidence {
  base: number;
  why: string;
  /** The name is equal only if case, ellipsis, colon, dashes and quotes are ignored. */
  loose: boolean;
  /** It has no name of its own: the first text in it serves as its name. */
  firstWords: boolean;
  /** Only its kind is known. */
  kindOnly: boolean;
}

type Fact = 'identity' | 'automationId' | 'place' | 'role' | 'name' | 'looseName' | 'firstWords' | 'part' | 'kind';

const KEY_FACTS: Partial<Record<TextKey, Fact>> = {
  id: 'identity',
  runtimeId: 'identity',
  automationId: 'automationId',
  sapId: 'automationId',
  legacyId: 'place',
  role: 'kind',
  className: 'kind',
};
/** Keys whose whole text is as good as a name. */
const NAME_KEYS: ReadonlySet<TextKey> = new Set(['name', 'text', 'window']);

export function evidenceOf(term: Term, element: Element, context: MatchContext): Evidence {
  return weigh(factsOf(term, element, context));
}

function weigh(facts: readonly Fact[]): Evidence {
  const has = (fact: Fact): boolean => facts.includes(fact);
  const strongest = (['identity', 'automationId', 'place'] as const).find(has);
  const named = has('name') || has('looseName');
  const part = has('part');
  const by =
    strongest ??
    (named ? (has('role') ? 'roleAndName' : 'name') : part ? (has('role') ? 'roleAndPart' : 'part') : 'kind');
  return {
    ...BASES[by],
    loose: !strongest && named && !has('name'),
    firstWords: !strongest && has('firstWords'),
    kindOnly: by === 'kind',
  };
}

/** The facts that hold for the element, term by term. A negation proves nothing. */
function factsOf(term: Term, element: Element, context: MatchContext): Fact[] {
  switch (term.kind) {
    case 'and':
      return term.terms.flatMap((part) => factsOf(part, element, context));
    case 'or':
      return bestOf(
        term.terms.filter((part) => matches(element, part, context)).map((part) => factsOf(part, element, context)),
      );
    case 'not':
      return [];
    case 'has':
    case 'state':
      return ['kind'];
    case 'role':
      return term.op === '=' ? ['role'] : [];
    case 'ref':
      return ['identity'];
    case 'region':
    case 'cell':
      return ['place'];
    case 'text':
      return [...textFacts(term, element, context), ...wordFacts(term, element, context)];
  }
}

function bestOf(branches: Fact[][]): Fact[] {
  return branches.reduce<Fact[]>((best, facts) => (weigh(facts).base > weigh(best).base ? facts : best), []);
}

function wordFacts({ key, op }: TextTerm, element: Element, { byFirstWords }: MatchContext): Fact[] {
  return byFirstWords && key === 'name' && op !== '!=' && firstWords(element) !== '' ? ['firstWords'] : [];
}

function textFacts({ key, op, value }: TextTerm, element: Element, context: MatchContext): Fact[] {
  if (op === '!=') return [];
  const whole = op === '=' && typeof value === 'string';
  const known = KEY_FACTS[key];
  if (known) return [whole || known === 'kind' ? known : 'part'];
  if (!whole || !NAME_KEYS.has(key)) return ['part'];
  const wanted = readableLabel(value);
  const texts = textPredicate(key).texts(element, context, value);
  return [texts.some((text) => text !== undefined && readableLabel(text) === wanted) ? 'name' : 'looseName'];
}
