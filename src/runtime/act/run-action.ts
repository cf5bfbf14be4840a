import { Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import { parseRef } from '../../tree/index.js';
import { checkRefName } from '../actionability/recheck-target.js';
import { waitUntilActionable } from '../actionability/wait-actionable.js';
import { approvalSubject } from '../approval/approval-subject.js';
import {
  type Approval,
  askAndGrant,
  type ApprovalChannel,
  type ApprovalCase,
  isStillValid,
} from '../approval/ask-user.js';
import { grantCovering, decideAffected, refreshPaths } from '../authorization/authorize-act.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import type { CallRequest } from '../request/policy-request.js';
import { type EvaluatedControls, evaluatedIn } from '../authorization/triggered-controls.js';
import { intentOf, withAuditRecord, snapshotHash } from '../request/audit-record.js';
import { releaseTaint, notePlainText, type Presses, secretIn, withSecret } from '../request/secret-input.js';
import type { ActTool } from '../call/tool.js';
import type { CallView } from '../visibility/call-view.js';
import { Reader } from './reader.js';
import { InputArbiter } from '../user/input-arbiter.js';
import { noopResult, attentionChange } from '../verify/action-result.js';
import type { VerifiedStep } from '../verify/batch-changes.js';
import { PostCondition } from '../verify/post-condition.js';
import { type UiState, readUiState } from '../verify/ui-changes.js';
import { actAndVerify, type VerifyContext } from '../verify/verify-action.js';
import { withDeadline } from '../verify/action-errors.js';
import type { ActResult, ActionPlan, ActionReport } from './action.js';
import { Actor } from './actor.js';

const SETTLE_MS = 500;
const FINISH_MS = 5_000;
const LONGEST_MS = 10 * 60_000;
/** After a person has answered, the target is found again. */
const AFTER_ASKING_MS = 2_000;

export interface ActionRequest {
  asked: CallRequest;
  line: ApprovalChannel;
  /** How long the target may take to become ready. */
  limitMs: number;
  /** From here on it writes its own record. */
  onBegun?: () => void;
  onProved?: (proved: VerifiedStep) => void;
}

/**
 * Acts take turns. Their limit is for becoming ready; what was begun in time gets the time to be finished and proved. A
 * person who is asked takes their own time, and nobody else acts meanwhile.
 */
export async function runAction(desktop: CallView, tool: ActTool, wanted: ActionRequest): Promise<ActResult> {
  const { line, limitMs, onBegun, onProved } = wanted;
  let { asked: request } = wanted;
  const meanwhile = desktop.events.eventsSinceLastCall(request.caller).filter((one) => desktop.hears(one));
  const { settleMs = SETTLE_MS, verify } = request.args as { settleMs?: number; verify?: unknown };
  const verifyMs = verify === undefined ? 0 : limitMs;
  const first = Deadline.in(limitMs, line.signal);
  const result = await desktop.queue.run(first, async () => {
    let approval: Approval | undefined;
    for (let ready = first; ;) {
      const finishMs = FINISH_MS + Math.min(tool.longerMs?.(request.args) ?? 0, LONGEST_MS);
      const deadline = Deadline.in(ready.remaining() + settleMs + verifyMs + finishMs, line.signal);
      const reader = new Reader(desktop, deadline, request.caller, line.onProgress);
      const times = { reader, ready, deadline, settleMs, verifyMs };
      const done = await performAct(desktop, tool, {
        asked: request,
        ...times,
        ...(approval && { approval }),
        ...(onBegun && { onBegun }),
        ...(onProved && { onProved }),
      });
      if ('result' in done) return done.result;
      const left = Math.max(ready.remaining(), AFTER_ASKING_MS);
      // More may be known of it by now than was at first.
      ({ asked: request } = done.ask);
      approval = await askAndGrant(desktop, done.ask, line, approval);
      delete desktop.pendingReadApproval;
      ready = Deadline.in(left, line.signal);
    }
  });
  return meanwhile.length > 0 ? { ...result, meanwhile } : result;
}

export interface ActCall extends VerifyContext {
  asked: CallRequest;
  /** Until when the target may become ready. */
  ready: Deadline;
  /** What a person has said to it. */
  approval?: Approval;
  /** From here on it writes its own record. */
  onBegun?: () => void;
}

/** What became of it, or what a person has to be asked before anything is done. */
export type ActOutcome = { result: ActResult } | { ask: ApprovalCase };

type Doing = Pick<ActTool, 'name' | 'class' | 'aim' | 'act'>;

interface Made {
  actor?: Actor;
  done: boolean;
}

/** One act from aim to proof. The seat is ours while this runs. */
export async function performAct(desktop: CallView, tool: Doing, given: ActCall): Promise<ActOutcome> {
  for (let call = given; ;) {
    const made: Made = { done: false };
    const work = planAndAct(desktop, tool, call, made);
    const soFar = () => ({ delivered: made.actor?.delivered ?? ('no' as const), done: made.done });
    try {
      const outcome = await withDeadline(work, call.deadline, tool.name, soFar);
      if (!('presses' in outcome)) return outcome;
      call = { ...call, asked: { ...call.asked, presses: [...(call.asked.presses ?? []), ...outcome.presses] } };
    } catch (error) {
      // A selector means whatever fits it: what went away before anything was done is looked for again.
      if (soFar().delivered !== 'no' || call.ready.over || !targetLost(error, call.asked.args)) throw error;
      const { met = [] } = made.actor ?? {};
      call = { ...call, asked: { ...call.asked, meets: [...(call.asked.meets ?? []), ...met] } };
    }
  }
}

function targetLost(error: unknown, { target, from }: CallRequest['args']): boolean {
  if (!hasTrait(error, 'targetLost') || error.delivered !== 'no' || error.details?.asked) return false;
  // A bare point means whatever lies there in its window, once that stays.
  if (error.details?.within === true) return true;
  const named = target ?? from;
  return typeof named === 'string' && parseRef(named.trim()) === undefined;
}

async function planAndAct(desktop: CallView, tool: Doing, call: ActCall, made: Made): Promise<ActOutcome | Presses> {
  const { asked: request, reader, ready, deadline } = call;
  const { args } = request;
  const began = performance.now();
  const hiddenWindows = desktop.hiddenWindows.revision;
  const verify = PostCondition.of(desktop, args.verify);
  const findAim = async (): Promise<ActionPlan> => checkRefName(desktop, await tool.aim(reader, args), args);
  const { aim: plan, windows } = await waitUntilActionable(desktop, findAim, ready, deadline);
  notePlainText(desktop, request, plan);
  // Before the question, which is also about what the target is in now.
  const before = await readUiState(desktop, plan.window, deadline, windows);
  const judged: EvaluatedControls = new Set();
  const permit = await authorizePlan(desktop, call, plan, before, judged);
  if ('ask' in permit) return permit;
  if (plan.already !== undefined) return { result: noopResult(desktop, plan, before, began) };
  const newActor = (): Actor =>
    new Actor(desktop, deadline, ready, reader, new InputArbiter(desktop, plan.window, ready, deadline), judged);
  const actor = newActor();
  made.actor = actor;
  const proceed = async (words: CallRequest['args'], planned: ActionPlan, uiState: UiState): Promise<ActResult> => {
    const act = (): Promise<ActionReport> =>
      tool.act(actor, planned, words as never).then((report) => {
        made.done = true;
        releaseTaint(desktop, request, planned);
        return report;
      });
    return actAndVerify(desktop, act, call, {
      aim: planned,
      before: uiState,
      actor,
      began,
      verify,
      veil: hiddenWindows,
    });
  };
  const menus = await desktop.menus.besides(desktop, plan, deadline);
  if (menus.length === 0) await verify?.before(deadline);
  const { kind, name } = desktop.driver.describe();
  const intent = intentOf(request, plan, permit.decided, {
    driver: `${kind}/${name}`,
    seen: snapshotHash(before.snapshot),
    ...(permit.approval && { approval: permit.approval }),
  });
  const work = async (words: CallRequest['args']): Promise<ActResult> => {
    if (menus.length === 0) return proceed(words, plan, before);
    const closed = await desktop.menus.close(desktop, menus, newActor());
    // To close another app's menu its window may have to be active.
    const { activated } = attentionChange(before.windows, (await desktop.listWindows(deadline)).windows);
    const told = { closed, ...(activated !== undefined && { activated }) };
    // What was in their way, and what stood behind them, is looked at again.
    const { aim: again, windows: now } = await waitUntilActionable(desktop, findAim, ready, deadline);
    const uiState = await readUiState(desktop, again.window, deadline, now);
    if ('ask' in (await authorizePlan(desktop, call, again, uiState, judged))) throw otherThanAsked(tool.name);
    if (secretIn(request) !== undefined && again.target?.element.id !== plan.target?.element.id)
      throw otherThanAsked(tool.name);
    if (again.already !== undefined) return { ...noopResult(desktop, again, uiState, began), ...told };
    await verify?.before(deadline);
    return { ...told, ...(await proceed(words, again, uiState)) };
  };
  // A secret is known everywhere before anything of it is written down or done.
  const result = await withSecret(desktop, request, plan, (words) => {
    call.onBegun?.();
    return withAuditRecord(
      desktop,
      intent,
      () => actor.delivered,
      () => work(words),
      ({ evidence }) => hashAfter(desktop, request, plan, evidence.snapshotId),
    );
  });
  return 'presses' in result ? result : { result };
}

/** Not where something was written that is to stand nowhere: an app may show it in a form that nobody knows. */
function hashAfter(
  { snapshots }: CallView,
  request: CallRequest,
  { target }: ActionPlan,
  snapshotId: string,
): string | undefined {
  if (secretIn(request) !== undefined || request.args.redactInLogs === true || target?.element.states.secret) return;
  const look = snapshots.get(snapshotId);
  return look && snapshotHash(look);
}

interface Permit {
  decided: PolicyDecision;
  approval?: { by: string; scope: string; hash?: string };
}

/** The second question. What a person must be asked, and what they have said, is bound to this very target. */
async function authorizePlan(
  desktop: CallView,
  call: ActCall,
  found: ActionPlan,
  { snapshot }: UiState,
  judged: EvaluatedControls,
): Promise<Permit | { ask: ApprovalCase }> {
  const { authorizer } = desktop;
  const { asked: request, approval, deadline } = call;
  const plan = await refreshPaths(desktop, found, deadline, snapshot);
  const actDecision = decideAffected(desktop, request, plan, (one, facts) => authorizer.decideAndCount(one, facts));
  for (const one of evaluatedIn(actDecision.aims)) judged.add(one);
  // A yes to the look is still needed where the act itself needs none.
  const decision =
    actDecision.decided.answer === 'allow' ? (desktop.pendingReadApproval ?? actDecision.decided) : actDecision.decided;
  if (decision.answer === 'allow') return { decided: decision };
  const subject = approvalSubject(desktop.name, request, plan, decision);
  if (approval && isStillValid(approval, subject)) return { decided: decision, approval };
  const grant = grantCovering(desktop, actDecision);
  if (grant) {
    delete desktop.pendingReadApproval;
    return { decided: decision, approval: { by: `grant ${grant.id}`, scope: grant.scope } };
  }
  return { ask: { asked: request, decided: decision, subject, aim: plan } };
}

function otherThanAsked(tool: string): DesktopError {
  return new DesktopError('target_changed', `${tool} would now be done to something that nobody was asked about.`, {
    retry: 'safe',
    hint: 'try again: the menus that were in the way are closed.',
    details: { asked: true },
  });
}
