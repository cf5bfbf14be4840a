import { Deadline, DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { isStillValid } from '../approval/approval-validity.js';
import { askAndGrant, coveringGrant, type ApprovalChannel } from '../approval/ask-user.js';
import { sessionOf, type CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from './authorizer.js';
import { approvalSubject } from '../approval/approval-subject.js';

const MAX_QUEUE_MS = 10 * 60_000;

/** The first policy decision. Before there is a target, the user is only asked whether this session may work here. */
export async function authorizeSession(
  desktop: CallView,
  request: CallRequest,
  channel: ApprovalChannel,
): Promise<void> {
  const { authorizer } = desktop;
  // Once the session is enabled, other rules apply.
  for (let decision = authorizer.admit(request); decision.enables; decision = authorizer.admit(request)) {
    await requireApproval(desktop, request, channel, async () => ({ decision: authorizer.admit(request) }));
  }
  authorizer.count(request);
}

/** The current decision about the request, and its current plan. */
export type Known = () => Promise<{ decision: PolicyDecision; plan?: ActionPlan }>;

/** Asks the user about a read or about the session. Returns if the call may continue. */
export async function requireApproval(
  desktop: CallView,
  request: CallRequest,
  channel: ApprovalChannel,
  known: Known,
): Promise<void> {
  const { authorizer } = desktop;
  await desktop.queue.run(Deadline.in(MAX_QUEUE_MS, channel.signal), async (turn) => {
    const session = sessionOf(request.caller);
    const again = (): Deadline => Deadline.in(MAX_QUEUE_MS, channel.signal);
    if (authorizer.questions.hasOpen(session)) await turn.waitForAnswers(again(), session);
    // The user may have approved this session while the call waited.
    const { decision, plan } = await known();
    if (decision.answer !== 'ask') return;
    const approvalCase = { request, decision, ...(plan && { plan }) };
    if (!decision.enables && coveringGrant(desktop, approvalCase)) return;
    const subject = approvalSubject(desktop.name, request, plan, decision);
    const asking = { ...approvalCase, subject };
    const approval = await turn.ask(session, () => askAndGrant(desktop, asking, channel), again);
    const now = await known();
    if (!isStillValid(approval, approvalSubject(desktop.name, request, now.plan, now.decision)))
      throw changedWhileAsking(request.tool);
    if (!decision.enables) return;
    const policy = decision.policyHash ?? '0'.repeat(64);
    // An approval that cannot be recorded is not given.
    await authorizer.ledger.note({ kind: 'policy', event: 'enabled', policy, by: approval.by });
    authorizer.enable(session);
  });
}

function changedWhileAsking(tool: string): DesktopError {
  return new DesktopError(
    'target_changed',
    `The target of ${tool} changed while the user was asked; nothing was done.`,
    {
      retry: 'safe',
      hint: 'Try again: the user is asked about the current target.',
    },
  );
}
