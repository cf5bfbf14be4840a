export { narrowest, strictness, type Effect, type Scope } from './decision.js';
export { REDACTED } from './rules/argument-match.js';
export { keysInText } from './rules/argument-match.js';
export { explain } from './explain.js';
export { compilePolicy } from './policy.js';
export type { CompiledPolicy } from './policy.js';
export { parsePolicy, parsePolicyContent } from './file/parse.js';
export type { ParsedPolicy } from './file/parse.js';
export type { PolicyFault } from './file/faults.js';
export type { PolicyFile } from './file/schema.js';
export { policyDifference } from './file/diff.js';
export { isTighter } from './file/tighter.js';
export type {
  CallClass,
  CallEffects,
  Decision,
  FindMethod,
  Policy,
  PolicyRequest,
  TargetFacts,
  PolicyVerdict,
} from './decision.js';
export { changedFiles, policyPlaces, readPolicyFiles, readProjectFile } from './file/load.js';
export type { PolicyFiles, PolicyPlaces, ProjectFile } from './file/load.js';
export type { ActionName } from './risk/action-risk.js';
export { LEVELS as RISK_LEVELS } from './risk/risk.js';
export type { Level } from './risk/risk.js';
export { secretRefusal, type SecretRefusal } from './rules/rules.js';
export { describePage, type PageAddress } from './rules/page-address.js';
export type { Files, Limits, Settings } from './file/settings.js';
export { policyWarnings } from './file/lint.js';
export { hiddenWindowIds } from './rules/window-rules.js';
export type { WindowRules } from './rules/window-rules.js';
export { SCOPES } from './decision.js';
