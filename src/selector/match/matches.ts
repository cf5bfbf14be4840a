import { roleIsA, type Element, ITEM_ROLES, WINDOW_ROLES } from '../../tree/index.js';
import type { Chain, Term, TextTerm, MatchStep, Source } from '../ast.js';
import { matchesWildcard, normaliseLabel, sameLabel, wholeLabel } from './text-match.js';
import { statePredicate, textPredicate, type Around } from './predicates.js';
import type { Regexes } from './regexes.js';
import { cellPlace } from '../syntax/text.js';

export interface MatchContext extends Around {
  regexes: Regexes;
  /** The table or sheet that contains the element. */
  table?: Element;
  /** Whether the chain finds something inside the element. */
  has(element: Element, chain: Chain): boolean;
  /** The ref of the element with this number in the overlay. */
  region?: (number: number) => string | undefined;
}

/** Whether one element matches the term. Its position in the tree is not checked here. */
export function matches(element: Element, term: Term, context: MatchContext): boolean {
  switch (term.kind) {
    case 'or':
      return term.terms.some((part) => matches(element, part, context));
    case 'and':
      // Searching inside is expensive, so it comes last, wherever it is written.
      return (
        term.terms.every((part) => usesHas(part) || matches(element, part, context)) &&
        term.terms.every((part) => !usesHas(part) || matches(element, part, context))
      );
    case 'not':
      return !matches(element, term.term, context);
    case 'has':
      return context.has(element, term.chain);
    case 'role':
      return (term.op === '=') === term.roles.some((role) => roleIsA(element.role, role));
    case 'text':
      return textMatches(element, term, context);
    case 'state':
      return (term.op === '=') === (statePredicate(term.key).state(element, context) === term.value);
    case 'ref':
      return element.ref === term.ref;
    case 'region':
      return context.region?.(term.number) === element.ref;
    case 'cell':
      return isCellAt(element, term.address, context);
  }
}

function usesHas(term: Term): boolean {
  if (term.kind === 'has') return true;
  if (term.kind === 'not') return usesHas(term.term);
  return (term.kind === 'or' || term.kind === 'and') && term.terms.some(usesHas);
}

function textMatches(element: Element, term: TextTerm, context: MatchContext): boolean {
  const { key, op, value } = term;
  // A comparison must not reveal what a password is, or what it is not.
  if (key === 'value' && element.states.secret) return false;
  const wanted = typeof value === 'string' ? value : '';
  const texts = textPredicate(key).texts(element, context, wanted);
  const test = typeof value === 'string' ? testOf(term, value) : (text: string) => context.regexes.test(value, text);
  const one = texts.some((text) => text !== undefined && test(text));
  return op === '!=' ? !one : one;
}

type TextTest = (text: string) => boolean;
/** The wanted side is normalised once, not once per element. */
const tests = new WeakMap<TextTerm, TextTest>();

function testOf(term: TextTerm, value: string): TextTest {
  const known = tests.get(term);
  if (known) return known;
  const { compare, equal } = textPredicate(term.key);
  const test = compare === 'label' ? labelTest(term.op, value) : literalTest(term.op, value, equal);
  tests.set(term, test);
  return test;
}

function labelTest(op: TextTerm['op'], value: string): TextTest {
  if (op === '=' || op === '!=') {
    const whole = wholeLabel(value);
    return (text) => wholeLabel(text) === whole;
  }
  const inner = literalTest(op, normaliseLabel(value));
  return (text) => inner(normaliseLabel(text));
}

function literalTest(op: TextTerm['op'], value: string, equal?: (text: string, wanted: string) => boolean): TextTest {
  switch (op) {
    case '=':
    case '!=':
      return equal ? (text) => equal(text, value) : (text) => text === value;
    case '~=':
      return (text) => text.includes(value);
    case '^=':
      return (text) => text.startsWith(value);
    case '$=':
      return (text) => text.endsWith(value);
    case '*=':
      return (text) => matchesWildcard(text, value);
  }
}

/** By address if the sheet has addresses, by numbers in any table; else the written text is the cell's name. */
function isCellAt(element: Element, written: string, { table }: MatchContext): boolean {
  if (!roleIsA(element.role, 'cell')) return false;
  const { sheet, address, row, column } = cellPlace(written);
  const { cell } = element;
  if (!cell || (address !== undefined && cell.address === undefined)) return sameLabel(element.name ?? '', written);
  return cell.row === row && cell.column === column && (sheet === undefined || isSheet(table?.name ?? '', sheet));
}

/** LibreOffice names the sheet Budget "Sheet Budget". */
function isSheet(name: string, wanted: string): boolean {
  return sameLabel(name, wanted) || sameLabel(name, `sheet ${wanted}`);
}

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
export function searchesAllWindows({ term }: MatchStep): boolean {
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
