import { type CallNote, type ActOutcome, type Intent, snapshotHash } from '../../audit/index.js';
import type { Cost } from '../visibility/driver-decorators.js';
import { DesktopError, hasTrait } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { RenderableActResult, ActionPlan } from '../act/action.js';
import type { PolicyDecision, Authorizer } from '../authorization/authorizer.js';
import {
  callRequest,
  type CallRequest,
  targetFacts,
  sessionOf,
  surfaceOf,
  withoutInternalFields,
} from './policy-request.js';
import { loggableArgs } from './tool-traits.js';
import type { Desktop } from '../desktop/desktop.js';
import { validateArguments } from './arguments.js';
import type { Tool } from '../call/tool.js';

/** Who approved it, and with which scope. */
interface ApprovalRecord {
  by: string;
  scope: string;
}

type DecisionRecord = NonNullable<Intent['decision']>;

export function decisionRecord(decision: PolicyDecision, approval?: ApprovalRecord): DecisionRecord {
  const { answer, rule, tier, policyHash, risk } = decision;
  return {
    ...{ answer, rule },
    ...(tier && { tier }),
    ...(policyHash && { policy: policyHash }),
    ...(risk && { risk: { level: risk.levels.at(-1) ?? 'low', score: risk.score.most } }),
    ...(approval && { by: approval.by, scope: approval.scope }),
  };
}

/** A snapshot for the log. `content` is absent if it may no longer be stored. */
export interface SeenSnapshot {
  /** Of the windows and elements, also if `content` is absent: evidence of what the decision was based on. */
  hash: string;
  content?: NonNullable<Intent['seen']>;
}

/** `visible`: no window of the snapshot has become hidden since it was taken. */
export function seenSnapshot({ windows, roots }: Pick<Snapshot, 'windows' | 'roots'>, visible: boolean): SeenSnapshot {
  const content = { windows, roots };
  return { hash: snapshotHash(content), ...(visible && { content }) };
}

/** The intent of a call, without anything that may not be logged. */
export function intentOf(
  request: CallRequest,
  plan: ActionPlan | undefined,
  decision: PolicyDecision,
  /** `approval.hash`: the hash of the subject that the user approved. */
  extra: { driver: string; approval?: ApprovalRecord & { hash?: string }; seen?: SeenSnapshot },
): Intent {
  const { tool, caller } = request;
  const where = plan?.target?.window ?? plan?.window;
  const process = {
    ...(where?.pid !== undefined && { pid: where.pid }),
    ...(where?.started !== undefined && { start: where.started }),
  };
  const { seen, approval: { hash: subject } = {} } = extra;
  const evidence = { ...(seen && { snapshot: seen.hash }), ...(subject !== undefined && { subject }) };
  return {
    tool,
    caller: { surface: surfaceOf(caller), session: sessionOf(caller) },
    rule: decision.rule,
    decision: decisionRecord(decision, extra.approval),
    args: loggableArgs(request, isShownPlainly(plan)) as NonNullable<Intent['args']>,
    ...(plan && { target: targetOf(plan) }),
    ...(Object.keys(process).length > 0 && { process }),
    driver: extra.driver,
    ...(Object.keys(evidence).length > 0 && { evidence }),
    ...(seen?.content && { seen: seen.content }),
  };
}

/** Whether the text is typed where it is shown, so that it may be logged. */
function isShownPlainly(plan: ActionPlan | undefined): boolean {
  if (!plan || (plan.lands && !plan.lands.target)) return false;
  return !(plan.target ?? plan.lands?.target)?.element.states.secret;
}

/** The target as it was planned. The decision covers other controls that are triggered. */
function targetOf(plan: ActionPlan): NonNullable<Intent['target']> {
  const { lands, ...named } = plan;
  const facts = targetFacts({ ...named, ...(lands?.target && { lands }) });
  return { ...withoutInternalFields(facts), ...(plan.target && { id: plan.target.element.id }) };
}

type End = Omit<ActOutcome, 'durationMs' | 'driverCalls'>;

/** The authorizer with the ledger, and the cost of the call. */
type AuditContext = Pick<Desktop, 'authorizer'> & { cost?: Cost };

/** Writes the intent, does the work, and writes the outcome in any case. Without a written intent nothing is done. */
export async function recordedAs<T>(
  { authorizer: { ledger }, cost }: AuditContext,
  intent: Intent,
  delivered: () => ActOutcome['delivered'],
  work: () => Promise<T>,
  endOf: (result: T) => End,
): Promise<T> {
  const began = performance.now();
  const of = await ledger.intent(intent).catch((error: unknown) => {
    throw auditUnavailable(error, 'no');
  });
  const end = async (ending: End): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    await ledger.outcome(of, { ...ending, durationMs, ...cost }).catch((error: unknown) => {
      throw auditUnavailable(error, ending.delivered);
    });
  };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const code = error instanceof DesktopError ? error.code : 'command_failed';
    const unmet = code === 'verify_failed' && { postcondition: 'unsatisfied' as const };
    await end({ status: 'failed', delivered: delivered(), error: code, ...unmet });
    throw error;
  }
  await end(endOf(result));
  return result;
}

export function withAuditRecord(
  desktop: AuditContext,
  intent: Intent,
  delivered: () => ActOutcome['delivered'],
  work: () => Promise<RenderableActResult>,
  seenAfter: (result: RenderableActResult) => SeenSnapshot | undefined = () => undefined,
): Promise<RenderableActResult> {
  return recordedAs(desktop, intent, delivered, work, (result) => {
    const { status, changed, postcondition, method } = result;
    const after = seenAfter(result);
    return {
      ...{ status, delivered: result.delivered, changed },
      ...(postcondition && { postcondition }),
      ...(method && { method }),
      ...(after && { after: after.hash, ...(after.content && { seen: after.content }) }),
    };
  });
}

/** Records a read or a refused call, in one line. */
export async function recordCall(
  authorizer: Authorizer,
  request: CallRequest,
  driver: string,
  { error, cost }: { error?: unknown; cost?: CallNote['cost'] },
): Promise<void> {
  const code = error instanceof DesktopError ? error.code : error === undefined ? undefined : 'command_failed';
  const refused = code !== undefined && isRefusal(error);
  const named = error instanceof DesktopError ? error.details?.rule : undefined;
  const rule = typeof named === 'string' ? named : refused ? code : 'looked';
  const behind = decisionOf(error);
  const decision: PolicyDecision = behind ?? { answer: refused ? 'deny' : 'allow', rule };
  const target = behind && refusedTarget(behind);
  const status = code === undefined ? 'ok' : refused ? 'refused' : 'failed';
  const note = {
    ...intentOf(request, undefined, decision, { driver }),
    ...(target && { target }),
    status,
    ...(code && { error: code }),
    // Equal refusals are counted instead of written, so they must not differ in their cost.
    ...(cost && !refused && { cost }),
  } as const;
  await authorizer.ledger.call(note).catch((cause: unknown) => {
    throw auditUnavailable(cause, 'no');
  });
}

/** Whether the error is a refusal, which has no record yet. An act that began has its own record. */
export const isRefusal = (error: unknown): boolean => hasTrait(error, 'refusal');

function auditUnavailable(cause: unknown, delivered: ActOutcome['delivered']): DesktopError {
  const what = delivered === 'no' ? 'so nothing was done' : 'although the act was done';
  const why = cause instanceof DesktopError ? ` ${cause.message}` : '';
  return new DesktopError('audit_unavailable', `The log could not be written, ${what}.${why}`, {
    delivered,
    retry: delivered === 'no' ? 'after' : 'no',
    ...(delivered === 'no' && { retryAfter: 'the log can be written again' }),
    hint: (cause instanceof DesktopError && cause.hint) || 'Free disk space or repair the log first.',
    cause,
  });
}

const DECISIONS = new WeakMap<DesktopError, PolicyDecision>();

/** Attaches the decision and its facts to a refusal, only for the log. */
export function withDecision(error: DesktopError, decision: PolicyDecision): DesktopError {
  DECISIONS.set(error, decision);
  return error;
}

export const decisionOf = (error: unknown): PolicyDecision | undefined => DECISIONS.get(error as DesktopError);

/** The target of a refused call, in the terms of the rules. Undefined for a hidden window: nothing about it is logged. */
export function refusedTarget({ rule, facts }: PolicyDecision): Intent['target'] {
  if (!facts || rule.startsWith('windows/')) return undefined;
  const { app, appName, window, role, name, confidence } = facts;
  const words = {
    ...(app && 'path' in app && { app: app.path }),
    ...(typeof appName === 'string' && { appName }),
    ...(typeof window === 'string' && { window }),
    ...(typeof role === 'string' && { role }),
    ...(typeof name === 'string' && { name }),
    ...(typeof confidence === 'number' && { confidence }),
  };
  return Object.keys(words).length > 0 ? words : undefined;
}

/** After an emergency stop, every call is refused and logged, except a diagnostic one. */
export async function checkStop(
  { emergencyStop, authorizer, driver }: Desktop,
  tools: readonly Tool[],
  call: { tool: string; args?: unknown; caller: string },
): Promise<void> {
  const tool = tools.find(({ name }) => name === call.tool);
  const refusal = tool?.traits.diagnostic ? undefined : emergencyStop.refusalOf(call.tool);
  if (!refusal) return;
  if (tool) {
    const request = callRequest(tool, call.caller, validArguments(tool, call.args));
    await recordCall(authorizer, request, driver.describe().name, { error: refusal });
  }
  throw refusal;
}

/** Only arguments that the schema accepts can be redacted reliably. A batch contains texts of all kinds. */
function validArguments(tool: Tool, given: unknown): CallRequest['args'] {
  if ('steps' in tool) return {};
  try {
    return validateArguments(tool.name, tool.input, given);
  } catch (error) {
    if (error instanceof DesktopError) return {}; // The refusal matters more than the arguments.
    throw error;
  }
}
