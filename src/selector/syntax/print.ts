import { roleWord } from '../../tree/index.js';
import type { Chain, MatchStep, RegexValue, Selector, Source, Step, Term, TextTerm, Operator } from '../ast.js';
import { isEmptyText } from '../match/predicates.js';
import { platformOf } from './step.js';
import { quoted } from './syntax-error.js';

/** The canonical form: parsing it gives the same selector, and printing that gives the same text. */
export function printSelector(selector: Selector): string {
  return selector.alternatives.map(printChain).join(' ?? ');
}

function printChain(chain: Chain): string {
  return chain.steps.map(printStep).join(' >> ');
}

function printStep(step: Step): string {
  if (step.kind === 'nth') return `nth=${step.index}`;
  if (step.kind === 'relation') return step.limit === undefined ? step.relation : `${step.relation}(${step.limit})`;
  return printMatch(step);
}

function printMatch({ source, term }: MatchStep): string {
  return `${source === undefined ? '' : `${source}:`}${printTerm(term, source, 'or')}`;
}

/** `around`: the loosest operator that needs no parentheses here. */
function printTerm(term: Term, source: Source | undefined, around: 'or' | 'and' | 'not'): string {
  switch (term.kind) {
    case 'or': {
      const text = term.terms.map((part) => printTerm(part, source, 'and')).join(' || ');
      return around === 'or' ? text : `(${text})`;
    }
    case 'and': {
      const parts = printParts(term.terms, source);
      const text = parts.join(' && ');
      return around === 'not' && parts.length > 1 ? `(${text})` : text;
    }
    case 'not':
      return `!${printTerm(term.term, source, 'not')}`;
    case 'has':
      return `has(${printChain(term.chain)})`;
    case 'role':
      return `role${term.op}${printRoles(term, source)}`;
    case 'text':
      return printText(term, source);
    case 'state':
      return `${term.key}${term.op}${term.value}`;
    case 'ref':
      return `@${term.ref}`;
    case 'region':
      return `region:${term.number}`;
    case 'cell':
      return `cell:${term.address}`;
  }
}

/** A role followed by its name is one part: `button:"Save"`. */
function printParts(terms: readonly Term[], source: Source | undefined): string[] {
  const parts: string[] = [];
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    const next = terms[at + 1];
    if (next && isNamedRole(term, next)) {
      parts.push(`${printRoles(term, source)}:${printValue(next.value)}`);
      at++;
    } else {
      parts.push(printTerm(term, source, 'and'));
    }
  }
  return parts;
}

type RoleTerm = Extract<Term, { kind: 'role' }>;

/** `region:` takes a number, so the role `region` keeps its long form. */
function isNamedRole(term: Term, next: Term): next is TextTerm & { key: 'name' } {
  if (term.kind !== 'role' || term.op !== '=' || term.roles.join() === 'region') return false;
  return next.kind === 'text' && next.key === 'name' && next.op === '=';
}

function printRoles(term: Term, source: Source | undefined): string {
  const { roles } = term as RoleTerm;
  return roleWord(roles, platformOf(source)) ?? roles[0]!;
}

function printValue(value: string | RegexValue): string {
  return typeof value === 'string' ? quoted(value) : `/${value.source}/${value.ignoreCase ? 'i' : ''}`;
}

function printText({ key, op, value }: TextTerm, source: Source | undefined): string {
  const written = printValue(value);
  const long = `${key}${op}${written}`;
  if (op !== '=' || (typeof value === 'string' && isEmptyText(key, value))) return long;
  if (typeof value !== 'string') return key === (source === 'ocr' ? 'text' : 'name') ? written : long;
  if (key === bareKey(source)) return written;
  if (key === 'className') return `.${printId(value, '.')}`;
  if (key === 'automationId' && source !== 'sap') return `#${printId(value, '#')}`;
  return long;
}

/** What a bare quoted text is compared with. */
function bareKey(source: Source | undefined): string {
  if (source === 'ocr') return 'text';
  return source === 'sap' ? 'sapId' : 'name';
}

const PLAIN_ID = /^(?!["'\u2018-\u201f])(?:(?!>>|\?\?|&&|\|\|)[^\s"()])+$/;

function printId(id: string, mark: '#' | '.'): string {
  const plain = PLAIN_ID.test(id) && !(mark === '.' && /^\.+$/.test(id));
  return plain ? id : quoted(id);
}

/** The selector in words, as `selector explain` prints it. `→` is the next step. */
export function explainSelector(selector: Selector): string {
  return selector.alternatives.map(explainChain).join(' ; else: ');
}

function explainChain(chain: Chain): string {
  return chain.steps.map(explainStep).join(' → ');
}

function explainStep(step: Step): string {
  if (step.kind === 'nth') return `take number ${step.index}`;
  if (step.kind === 'relation') {
    return `${step.relation}${step.limit === undefined ? '' : ` within ${step.limit} px`} of it`;
  }
  return `${step.source === undefined ? '' : `[${step.source}] `}${explainTerm(step.term)}`;
}

export function explainTerm(term: Term): string {
  switch (term.kind) {
    case 'or':
    case 'and':
      return term.terms.map(explainPart).join(` ${term.kind} `);
    case 'not':
      return `not (${explainTerm(term.term)})`;
    case 'has':
      return `has inside [${explainChain(term.chain)}]`;
    case 'role':
      return `role ${term.op === '!=' ? 'is not ' : ''}${term.roles.join(' or ')}`;
    case 'text':
      return explainText(term);
    case 'state':
      return `${term.key} is ${term.op === '!=' ? 'not ' : ''}${term.value}`;
    case 'ref':
      return `ref ${term.ref}`;
    case 'region':
      return `overlay region ${term.number}`;
    case 'cell':
      return `cell at ${term.address}`;
  }
}

function explainPart(term: Term): string {
  return term.kind === 'or' || term.kind === 'and' ? `(${explainTerm(term)})` : explainTerm(term);
}

const OPERATOR_WORDS: Record<Operator, string> = {
  '=': 'is',
  '!=': 'is not',
  '~=': 'contains',
  '^=': 'starts with',
  '$=': 'ends with',
  '*=': 'fits',
};

function explainText({ key, op, value }: TextTerm): string {
  if (typeof value !== 'string') {
    const regex = `/${value.source}/${value.ignoreCase ? 'i' : ''}`;
    return `${key} ${op === '!=' ? 'does not match' : 'matches'} ${regex}`;
  }
  return value === '' ? `${key} ${OPERATOR_WORDS[op]} empty` : `${key} ${OPERATOR_WORDS[op]} “${value}”`;
}
