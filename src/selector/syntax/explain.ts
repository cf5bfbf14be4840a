import type { Chain, Operator, Selector, Step, Term, TextTerm } from '../ast.js';

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
