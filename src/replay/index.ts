export { traceOf } from './build-trace.js';
export {
  type ApprovalRequest,
  type Caller,
  type CallStep,
  type EventStep,
  isCallStep,
  type LogVerification,
  type Result,
  type Step,
  type Totals,
  type Trace,
  type TraceOptions,
} from './trace.js';
export { durationText } from './step-text.js';
export { type HtmlOptions, traceHtml } from './html/page.js';
export { type ScriptOptions, traceScript } from './script/script.js';
export type { ToolField } from './recorded-call.js';
export { type PlannedStep, type PlanOptions, planReplay, type StepOutcome } from './plan.js';
export type { Comparison, Difference } from './compare.js';
export type { CallTool, ReplayStep } from './run/preview-step.js';
export { NOT_DONE, type ReplayedStep } from './run/replay-step.js';
export { checkReplay, noSteps, replayPlan, replayResult, stepReport } from './run/replay-plan.js';
export type { ReplayChecks, ReplayResult, ReplayRun } from './run/replay-plan.js';
export { rehearsalTotals, rehearsePolicy } from './rehearsal.js';
export type { DecisionChange, PolicyRehearsal, Rehearsal, RehearsalTotals, RehearsedCall } from './rehearsal.js';
