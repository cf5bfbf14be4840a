export { narrowest, strictness, type Effect, type Scope } from './decision.js';
export { REDACTED } from './rules/argument-match.js';
export { keysInText } from './rules/argument-match.js';
export { explain, riskLine } from './explain.js';
export { factsOf } from './facts.js';
export type { App, Facts } from './facts.js';
export { compilePolicy } from './policy.js';
export type { CompiledPolicy } from './policy.js';
export { limitsFor, SlidingMinute } from './rate-limits.js';
export type { Clock, ReachedLimit } from './rate-limits.js';
export { parsePolicy, readPolicy } from './file/parse.js';
export type { ParsedPolicy, PolicySource } from './file/parse.js';
export type { PolicyFault } from './file/faults.js';
export type { Mask, PolicyFile, Profile, Secret } from './file/schema.js';
export { policyDifference } from './file/diff.js';
export { policyJsonSchema } from './file/schema.js';
export type {
  CallClass,
  CallEffects,
  Decision,
  FindMethod,
  Policy,
  PolicyRequest,
  TierResult,
  TargetFacts,
  Tier,
  PolicyVerdict,
} from './decision.js';
export { changedFiles, policyPlaces, readPolicyFiles, readProjectFile } from './file/load.js';
export type { FileIdentity, PolicyFiles, PolicyPlaces, ProjectFile } from './file/load.js';
export type { ActionName } from './risk/action-risk.js';
export type { Level, Risk } from './risk/risk.js';
export { secretAllowedAt } from './rules/rules.js';
export type { Files, Limits, Settings } from './file/settings.js';
export { policyWarnings } from './file/lint.js';
export type { PolicyWarning } from './file/lint.js';
export { hiddenWindowIds } from './rules/window-rules.js';
export type { Hidden, ListedWindow, WindowFacts, WindowRules } from './rules/window-rules.js';
export { SCOPES } from './decision.js';
