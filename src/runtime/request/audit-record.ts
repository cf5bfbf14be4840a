import { type CallNote, type ActOutcome, type Intent, snapshotHash } from '../../audit/index.js';
import type { Cost } from '../visibility/driver-decorators.js';
import { DesktopError, hasTrait } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { RenderableActResult, ActionPlan } from '../act/action.js';
import type { PolicyDecision, Authorizer } from '../authorization/authorizer.js';
import { callRequest, type CallRequest, targetFacts, sessionOf, surfaceOf } from './policy-request.js';
import { loggableArgs } from './tool-traits.js';
import type { Desktop } from '../desktop/desktop.js';
import { validateArguments } from './arguments.js';
import { withoutInternalFields } from './internal-fields.js';
import type { Tool } from '../call/tool.js';

/** Who allowed it when it was asked, and how widely. */
interface Said {
  by: string;
  scope: string;
}

type DecisionRecord = NonNullable<Intent['decision']>;

export function decisionRecord(decision: PolicyDecision, approval?: Said): DecisionRecord {
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
  hash: string;
  content?: NonNullable<Intent['seen']>;
}

/** `visible`: no window of the snapshot has become hidden since it was taken. */
export function seenSnapshot({ windows, roots }: Pick<Snapshot, 'windows' | 'roots'>, visible: boolean): SeenSnapshot {
  const content = { windows, roots };
  return { hash: snapshotHash(content), ...(visible && { content }) };
}

/** What is about to be done, as it may be written down. */
export function intentOf(
  request: CallRequest,
  plan: ActionPlan | undefined,
  decision: PolicyDecision,
  extra: { driver: string; approval?: Said & { hash?: string }; seen?: SeenSnapshot },
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
    args: loggableArgs(request, goesInPlainSight(plan)) as NonNullable<Intent['args']>,
    ...(plan && { target: targetOf(plan) }),
    ...(Object.keys(process).length > 0 && { process }),
    driver: extra.driver,
    ...(Object.keys(evidence).length > 0 && { evidence }),
    ...(seen?.content && { seen: seen.content }),
  };
}

/** What is typed there is seen by everybody who looks. */
function goesInPlainSight(plan: ActionPlan | undefined): boolean {
  if (!plan || (plan.lands && !plan.lands.target)) return false;
  return !(plan.target ?? plan.lands?.target)?.element.states.secret;
}

/** As it was aimed at; that more may happen beyond it stands in the decision. */
function targetOf(plan: ActionPlan): NonNullable<Intent['target']> {
  const { lands, ...named } = plan;
  const facts = targetFacts({ ...named, ...(lands?.target && { lands }) });
  return { ...withoutInternalFields(facts), ...(plan.target && { id: plan.target.element.id }) };
}

type End = Omit<ActOutcome, 'durationMs' | 'driverCalls'>;

/** Whose record it is, and what it has cost by the end. */
type Of = Pick<Desktop, 'authorizer'> & { cost?: Cost };

/** Written before it is begun and after it has ended, however it ended. What cannot be written is not begun. */
export async function recordedAs<T>(
  { authorizer: { ledger }, cost }: Of,
  intent: Intent,
  delivered: () => ActOutcome['delivered'],
  work: () => Promise<T>,
  endOf: (result: T) => End,
): Promise<T> {
  const began = performance.now();
  const of = await ledger.intent(intent).catch((error: unknown) => {
    throw unwritten(error, 'no');
  });
  const end = async (ending: End): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    await ledger.outcome(of, { ...ending, durationMs, ...cost }).catch((error: unknown) => {
      throw unwritten(error, ending.delivered);
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
  desktop: Of,
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

/** A look, or what was refused: one line each. */
export async function recordCall(
  authorizer: Authorizer,
  request: CallRequest,
  driver: string,
  { error, cost }: { error?: unknown; cost?: CallNote['cost'] },
): Promise<void> {
  const code = error instanceof DesktopError ? error.code : error === undefined ? undefined : 'command_failed';
  const refused = isRefusal(error);
  const named = error instanceof DesktopError ? error.details?.rule : undefined;
  const rule = typeof named === 'string' ? named : refused && code !== undefined ? code : 'looked';
  const behind = decisionOf(error);
  const decision: PolicyDecision = behind ?? { answer: refused ? 'deny' : 'allow', rule };
  const target = behind && refusedTarget(behind);
  const status = code === undefined ? 'ok' : refused ? 'refused' : 'failed';
  const note = {
    ...intentOf(request, undefined, decision, { driver }),
    ...(target && { target }),
    status,
    ...(code && { error: code }),
    // Equal refusals are counted, and not written each: then they must be equal.
    ...(cost && !refused && { cost }),
  } as const;
  await authorizer.ledger.call(note).catch((cause: unknown) => {
    throw unwritten(cause, 'no');
  });
}

/** Which refusals have no record of their own yet: an act that was begun has one. */
export const isRefusal = (error: unknown): boolean => hasTrait(error, 'refusal');

function unwritten(cause: unknown, delivered: ActOutcome['delivered']): DesktopError {
  const what = delivered === 'no' ? 'so nothing was done' : 'though the act was done';
  const why = cause instanceof DesktopError ? ` ${cause.message}` : '';
  return new DesktopError('audit_unavailable', `The log could not be written, ${what}.${why}`, {
    delivered,
    retry: delivered === 'no' ? 'after' : 'no',
    ...(delivered === 'no' && { retryAfter: 'the log can be written again' }),
    hint: (cause instanceof DesktopError && cause.hint) || 'make room or repair the log first.',
    cause,
  });
}

const DECISIONS = new WeakMap<DesktopError, PolicyDecision>();

/** Remembers what was decided when something was refused, and on which facts: for the log alone. */
export function withDecision(error: DesktopError, decision: PolicyDecision): DesktopError {
  DECISIONS.set(error, decision);
  return error;
}

export const decisionOf = (error: unknown): PolicyDecision | undefined => DECISIONS.get(error as DesktopError);

/** What it was refused for, in the words that rules use. Of a window that nobody may see nothing is written. */
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
    const request = callRequest(tool, call.caller, understood(tool, call.args));
    await recordCall(authorizer, request, driver.describe().name, { error: refusal });
  }
  throw refusal;
}

/** Only arguments that the schema accepts can be redacted reliably. A batch contains texts of all kinds. */
function understood(tool: Tool, given: unknown): CallRequest['args'] {
  if ('steps' in tool) return {};
  try {
    return validateArguments(tool.name, tool.input, given);
  } catch (error) {
    if (error instanceof DesktopError) return {}; // The refusal matters more than the arguments.
    throw error;
  }
}
