export { narrowest, strictness, type Answer, type Scope } from './answer.js';
export { Grants } from './approvals/grants.js';
export type { Grant, Grantable } from './approvals/grants.js';
export { OpenQuestions } from './approvals/open-questions.js';
export type { Channel, Closing, OpenQuestion, PersonsAnswer, Taken } from './approvals/open-questions.js';
export { REDACTED } from './argument.js';
export { keysInText } from './chord.js';
export { explain, riskLine } from './explain.js';
export { factsOf } from './facts.js';
export type { App, Facts } from './facts.js';
export { govern } from './govern.js';
export type { GovernedPolicy } from './govern.js';
export { limitsFor, SlidingMinute } from './limits.js';
export type { Clock, Reached } from './limits.js';
export { parsePolicy, readPolicy } from './parse-policy.js';
export type { ParsedPolicy, PolicySource } from './parse-policy.js';
export type { PolicyFault } from './policy-fault.js';
export type { Mask, PolicyFile, Profile, Secret } from './policy-file.js';
export { policyDifference } from './policy-difference.js';
export { policyJsonSchema } from './policy-json-schema.js';
export type {
  CallClass,
  Decision,
  FindMethod,
  Policy,
  Question,
  Said,
  TargetFacts,
  Tier,
  Verdict,
} from './question.js';
export { changedFiles, policyPlaces, readPolicyFiles, readProjectFile } from './read-policy-files.js';
export type { FileIdentity, PolicyFiles, PolicyPlaces, ProjectFile } from './read-policy-files.js';
export type { Level, Risk } from './risk.js';
export { secretFits } from './secret-target.js';
export type { Files, Limits, Settings } from './settings.js';
export { policyWarnings } from './warnings.js';
export type { PolicyWarning } from './warnings.js';
export { hiddenAmong } from './windows.js';
export type { Hidden, ListedWindow, WindowFacts, WindowRules } from './windows.js';
