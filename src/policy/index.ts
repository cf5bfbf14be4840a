export type { Decision, Policy, Question, TargetFacts } from './question.js';
export { WHOSE_DESKTOP } from './whose-desktop.js';
