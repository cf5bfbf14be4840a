import { type Deadline, type Delivered, DesktopError } from '../../shared/index.js';
import { mainWindowOf, type Snapshot } from '../../tree/index.js';
import type { AuthorizeDrop } from '../actionability/drop-target.js';
import { checkRefName } from '../actionability/recheck-target.js';
import { waitUntilActionable } from '../actionability/wait-actionable.js';
import { approvalSubject } from '../approval/approval-subject.js';
import { type Approval, isStillValid } from '../approval/approval-validity.js';
import type { ApprovalCase } from '../approval/ask-user.js';
import { refusePlanWhileAsking } from '../approval/open-questions.js';
import {
  authorizeDrop,
  clickEffectsOf,
  grantCovering,
  decideAffected,
  keyEffectsOf,
  refreshPaths,
} from '../authorization/authorize-act.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { evaluatedIn } from '../authorization/triggered-controls.js';
import type { ActTool } from '../call/tool.js';
import type { Turn } from '../desktop/action-queue.js';
import { FinalActError } from '../request/act-errors.js';
import { intentOf, type SeenSnapshot, seenSnapshot, withAuditRecord } from '../request/audit-record.js';
import type { CallContext } from '../request/call-context.js';
import type { CallRequest, EvaluatedControls } from '../request/policy-request.js';
import {
  checkSecretTarget,
  releaseTaint,
  notePlainText,
  refuseSecretTransfer,
  secretGuard,
  withPages,
  withSecret,
} from '../request/secret-input.js';
import { secretIn } from '../request/tool-traits.js';
import { InputArbiter } from '../user/input-arbiter.js';
import { noopResult, attentionChange } from '../verify/action-result.js';
import { PostCondition } from '../verify/post-condition.js';
import { type UiState, readUiState } from '../verify/ui-changes.js';
import { actAndVerify, type VerifyContext } from '../verify/verify-action.js';
import type { CallView } from '../visibility/call-view.js';
import type { RenderableActResult, ActionPlan, ActionReport } from './action.js';
import { Actor } from './actor.js';

/** What an attempt needs of a tool. */
export type ActionSteps = Pick<ActTool, 'name' | 'class' | 'plan' | 'act'>;

export interface AttemptInput extends VerifyContext {
  /** Grows from attempt to attempt: keys of a secret, controls that were found under the pointer. */
  request: CallRequest;
  /** Until when the target may become actionable. */
  actionableBy: Deadline;
  /** An act on something that does not exist fails before `actionableBy`, as soon as its apps are idle. */
  failsFast?: true;
  /** What the user has answered. */
  approval?: Approval;
  /** Lets other callers act while the target is not actionable. */
  yieldDuring?: Turn['yieldDuring'];
}

/** How one attempt ended. An attempt that cannot be repeated throws. */
export type AttemptOutcome =
  | { result: RenderableActResult }
  /** The user has to be asked before anything is done. */
  | { ask: ApprovalCase }
  /** Nothing was done: the user is asked about another act, and this one has to wait for the answer. */
  | { held: true }
  /** Nothing was done; the next attempt starts with this request. */
  | { retry: CallRequest; why: string };

/** The plan of an act and the UI state before it. */
interface Resolved {
  plan: ActionPlan;
  before: UiState;
}

interface Permit {
  decision: PolicyDecision;
  approval?: { by: string; scope: string; hash?: string };
}

type OpenMenus = Awaited<ReturnType<CallView['menus']['outside']>>;

/** What has been delivered so far, for an error or a deadline in the middle of an attempt. */
interface AttemptProgress {
  readonly delivered: Delivered;
  /** The act itself has ended; only its verification is missing. */
  readonly done: boolean;
}

/**
 * One attempt at an act, stage by stage: resolve the target and wait until it is actionable, authorize the act, close
 * menus that are in the way, write the intent, act, verify. The caller holds the action queue until the effect was read.
 */
export class Attempt {
  private readonly began = performance.now();
  private readonly evaluated: EvaluatedControls = new Set();
  private readonly view: CallView;
  private readonly revision: number;
  private actor?: Actor;
  private done = false;
  /** The user has just approved this act. */
  private approved = false;

  constructor(
    private readonly context: Pick<CallContext, 'view' | 'recordsItself'>,
    private readonly tool: ActionSteps,
    private readonly input: AttemptInput,
  ) {
    this.view = context.view;
    this.revision = this.view.hiddenWindows.revision;
  }

  get progress(): AttemptProgress {
    return { delivered: this.actor?.delivered ?? 'no', done: this.done };
  }

  async run(): Promise<AttemptOutcome> {
    const { view, input } = this;
    const { request, deadline } = input;
    const verify = PostCondition.of(view, request.args.verify);
    // Text for a password field is registered for redaction as soon as the field is known.
    const resolved = await this.resolve((plan) => notePlainText(view, request, plan));
    const { plan, before } = resolved;
    checkSecretTarget(view, request, plan);
    const permit = await this.authorize(resolved);
    if ('ask' in permit) return permit;
    if (plan.noop !== undefined) return { result: noopResult(view, plan, before, this.began) };
    // A grant has no hash: only the answer to a question about this very act counts as approved.
    this.approved = permit.approval?.hash !== undefined;
    await refusePlanWhileAsking(view, request, plan, this.approved, () => this.readFamily(resolved));
    const actor = this.createActor(plan);
    this.actor = actor;
    await refuseSecretTransfer(view, request, plan, () => actor.clipboardIsSecret());
    const menus = await view.menus.outside(view, plan, deadline);
    if (menus.length === 0) await verify?.before(deadline);
    return this.actWithAuditRecord(resolved, permit, actor, (args) =>
      menus.length === 0
        ? this.actAndVerifyOnce(actor, args, resolved, verify)
        : this.closeMenusAndAct(menus, actor, args, resolved, verify),
    );
  }

  /** Finds the target, waits until it is actionable, and reads the UI state that the effect is compared with. */
  private async resolve(onPlan?: (plan: ActionPlan) => void): Promise<Resolved> {
    const { view, tool } = this;
    const { request, reader, actionableBy, deadline, yieldDuring, failsFast } = this.input;
    const findPlan = async (): Promise<ActionPlan> =>
      checkRefName(view, await tool.plan(reader, request.args), request.args);
    const { plan: found, windows } = await waitUntilActionable(
      view,
      findPlan,
      actionableBy,
      deadline,
      // Once something was delivered, the rest follows in the same turn.
      { yieldDuring: this.progress.delivered === 'no' ? yieldDuring : undefined, failsFast },
    );
    onPlan?.(found);
    const plan = await withPages(view, request, found, deadline);
    return { plan, before: await readUiState(view, plan.window, deadline, windows) };
  }

  /** The window of the act with everything that belongs to the same main window. */
  private async readFamily({ plan: { window }, before }: Resolved): Promise<Snapshot> {
    const main = window && mainWindowOf(window, before.windows);
    if (!main || main.id === window.id) return before.snapshot;
    return (await readUiState(this.view, main, this.input.deadline, before.windows)).snapshot;
  }

  /** The second policy decision, bound to this target. An approval counts only for exactly what was asked. */
  private async authorize({ plan: found, before }: Resolved): Promise<Permit | { ask: ApprovalCase }> {
    const { view } = this;
    const { request, approval, deadline } = this.input;
    const plan = await refreshPaths(view, found, deadline, before.snapshot);
    const triggered = [
      ...(await keyEffectsOf(view, request, plan, deadline)),
      ...(await clickEffectsOf(view, request, plan, deadline)),
    ];
    const own = decideAffected(
      view,
      request,
      plan,
      (one, facts, effect) => view.authorizer.decideOrRefuse(one, facts, effect),
      triggered,
    );
    for (const control of evaluatedIn(own.plans)) this.evaluated.add(control);
    // An approval of the read is still needed if the act itself needs none.
    const decision = own.decision.answer === 'allow' ? (view.pendingReadApproval ?? own.decision) : own.decision;
    if (decision.answer === 'allow') return { decision };
    const subject = approvalSubject(view.name, request, plan, decision);
    if (approval && isStillValid(approval, subject)) return { decision, approval };
    const grant = grantCovering(view, own);
    if (!grant) return { ask: { request, decision, subject, plan } };
    view.readApproved();
    return { decision, approval: { by: `grant ${grant.id}`, scope: grant.scope } };
  }

  /** Writes the intent, acts, writes the outcome. A secret is registered for redaction before any of this. */
  private async actWithAuditRecord(
    { plan, before }: Resolved,
    { decision, approval }: Permit,
    actor: Actor,
    act: (args: CallRequest['args']) => Promise<RenderableActResult>,
  ): Promise<AttemptOutcome> {
    const { view, context } = this;
    const { request } = this.input;
    const { kind, name } = view.driver.describe();
    const intent = intentOf(request, plan, decision, {
      driver: `${kind}/${name}`,
      seen: seenSnapshot(before.snapshot, this.isVisible(before.snapshot)),
      ...(approval && { approval }),
    });
    const outcome = await withSecret(view, request, plan, (args) => {
      context.recordsItself = true;
      return withAuditRecord(
        view,
        intent,
        () => actor.delivered,
        () => act(args),
        ({ evidence }) => this.seenAfter(plan, evidence.snapshotId),
      );
    });
    if (!('presses' in outcome)) return { result: outcome };
    const presses = [...(request.presses ?? []), ...outcome.presses];
    return { retry: { ...request, presses }, why: 'the secret contains keys that policy has not evaluated' };
  }

  /** Acts once, waits until the UI is idle, and compares. */
  private actAndVerifyOnce(
    actor: Actor,
    args: CallRequest['args'],
    { plan, before }: Resolved,
    verify: PostCondition | undefined,
  ): Promise<RenderableActResult> {
    const { view, tool, input, began, revision } = this;
    const act = async (): Promise<ActionReport> => {
      const report = await tool.act(actor, plan, args);
      this.done = true;
      releaseTaint(view, input.request, plan);
      return report;
    };
    const { caller } = input.request;
    return actAndVerify(view, act, input, { plan, before, actor, began, caller, verify, hiddenRevision: revision });
  }

  /** Closes menus that cover the target, then resolves and authorizes again: other things may be there now. */
  private async closeMenusAndAct(
    menus: OpenMenus,
    actor: Actor,
    args: CallRequest['args'],
    { plan, before }: Resolved,
    verify: PostCondition | undefined,
  ): Promise<RenderableActResult> {
    const { view, input, tool } = this;
    const { request, deadline } = input;
    const closed = await view.menus.close(view, menus, this.createActor(plan));
    view.log.add('step', `closed ${closed.join(', ')}, which covered the target`);
    // To close a menu of another app, its window may have to be activated.
    const { activated } = attentionChange(before.windows, (await view.listWindows(deadline)).windows);
    const closing = { closed, ...(activated !== undefined && { activated }) };
    const again = await this.resolve().catch((error: unknown) => {
      throw afterEscape(error, closed);
    });
    if ('ask' in (await this.authorize(again))) throw changedAfterApproval(tool.name);
    if (secretIn(request) !== undefined && again.plan.target?.element.id !== plan.target?.element.id)
      throw changedAfterApproval(tool.name);
    if (again.plan.noop !== undefined) return { ...noopResult(view, again.plan, again.before, this.began), ...closing };
    await verify?.before(deadline);
    return { ...closing, ...(await this.actAndVerifyOnce(actor, args, again, verify)) };
  }

  /** Absent after a secret was written: the app may show it in a form that redaction does not know. */
  private seenAfter({ target }: ActionPlan, snapshotId: string): SeenSnapshot | undefined {
    const { request } = this.input;
    if (secretIn(request) !== undefined || request.args.redactInLogs === true || target?.element.states.secret) return;
    const snapshot = this.view.snapshots.get(snapshotId);
    return snapshot && seenSnapshot(snapshot, this.isVisible(snapshot));
  }

  /** No window has become hidden since the attempt began, so the whole snapshot may be stored. */
  private isVisible({ id }: Snapshot): boolean {
    const { hiddenWindows, snapshots } = this.view;
    return hiddenWindows.revision === this.revision && snapshots.get(id) !== undefined;
  }

  private createActor(plan: ActionPlan): Actor {
    const { view, evaluated } = this;
    const { reader, actionableBy, deadline, request } = this.input;
    const arbiter = new InputArbiter(view, plan.window, actionableBy, deadline, this.approved);
    const beforeText = secretGuard(view, request, plan);
    const drop: AuthorizeDrop = (...given) => authorizeDrop(view, request, ...given);
    return new Actor(view, deadline, actionableBy, reader, arbiter, evaluated, drop, beforeText);
  }
}

/** The target is gone or not actionable after a key was sent: the key may have caused that. */
function afterEscape(error: unknown, closed: readonly string[]): unknown {
  if (!(error instanceof DesktopError)) return error;
  const message = `${error.message.replace(/[.\s]+$/, '')}. Before that, Escape was pressed to close ${closed.join(', ')}.`;
  return error.with({ message, delivered: 'yes', retry: 'no' });
}

function changedAfterApproval(tool: string): FinalActError {
  return new FinalActError('target_changed', `The target changed after approval; ${tool} was not performed.`, {
    retry: 'safe',
    hint: 'Try again: the menus that covered the target are closed.',
  });
}
