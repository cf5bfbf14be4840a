export type { Chain, MatchStep, Relation } from './ast.js';
export type { Selector, Source, Step, Term, TextTerm } from './ast.js';
export { PREFIXES, RELATIONS } from './ast.js';
export { FACTORS } from './match/confidence.js';
export type { Stability } from './match/confidence.js';
export { BASES } from './match/confidence.js';
export { explainSelector, explainTerm, printSelector } from './syntax/print.js';
export { nearMisses, presentInstead } from './match/near-misses.js';
export type { NearMiss } from './match/near-misses.js';
export { normaliseLabel, sameLabel } from './match/text-match.js';
export { isStateKey, keyNamed, KEYS, statePredicate } from './match/predicates.js';
export type { StateKey } from './match/predicates.js';
export {
  cellsIn,
  exclusionReason,
  canMatchIn,
  namesWindow,
  needsTree,
  readNeeds,
  refsIn,
  withPartialTitles,
} from './match/read-needs.js';
export type { CellRequest } from './match/read-needs.js';
export { nearestOf, relate } from './match/relations.js';
export { missingSource, noDriver, resolveAlternative } from './match/resolve.js';
export type { Match, Resolution } from './match/resolve.js';
export { ElementIndex } from './match/scene.js';
export type { Place, SceneWindow } from './match/scene.js';
export { GENERATED_ID, suggest } from './suggest.js';
export type { SuggestedBy } from './suggest.js';
export { LIMITS, parseSelector } from './syntax/parse.js';
export { pointerLines, syntaxErrorText } from './syntax/syntax-error.js';
