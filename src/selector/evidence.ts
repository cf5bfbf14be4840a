import type { Element } from '../tree/index.js';
import type { Term, TextTerm } from './ast.js';
import { firstWords } from './first-words.js';
import { matches, type MatchContext } from './matches.js';
import { readableLabel } from './normalise-label.js';
import { textPredicate, type TextKey } from './predicates.js';

/** How sure the strongest thing that a step asks for makes one. Proposals: change a number when a real app shows it wrong. */
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

export interface Evidence {
  base: number;
  why: string;
  /** The name is equal only without case, ellipsis, colon, dashes or quotes. */
  loose: boolean;
  /** It has no name of its own: the first words in it are what it is called by. */
  firstWords: boolean;
  /** Nothing but what kind of thing it is. */
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
const NAMES: ReadonlySet<TextKey> = new Set(['name', 'text', 'window']);

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

/** What holds of the element, term by term. A negation proves nothing. */
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
  if (!whole || !NAMES.has(key)) return ['part'];
  const wanted = readableLabel(value);
  const texts = textPredicate(key).texts(element, context, value);
  return [texts.some((text) => text !== undefined && readableLabel(text) === wanted) ? 'name' : 'looseName'];
}
