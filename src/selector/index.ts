export type { Chain, MatchStep, NthStep, Operator, Prefix, RegexValue, Relation, RelationStep } from './ast.js';
export type { Selector, Source, Step, Term, TextTerm } from './ast.js';
export { OPERATORS, PREFIXES, RELATIONS } from './ast.js';
export { explainChain, explainSelector, explainTerm } from './explain.js';
export { normaliseLabel, sameLabel, wholeLabel } from './normalise-label.js';
export { LIMITS, parseSelector } from './parse.js';
export { printChain, printSelector } from './print.js';
export type { SyntaxDetails } from './syntax-error.js';
export { syntaxErrorText } from './syntax-error.js';
