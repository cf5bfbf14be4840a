import { Deadline, DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { isStillValid } from '../approval/approval-validity.js';
import { askAndGrant, coveringGrant, type ApprovalChannel } from '../approval/ask-user.js';
import { sessionOf, type CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from './authorizer.js';
import { approvalSubject } from '../approval/approval-subject.js';

const LONGEST_MS = 10 * 60_000;

/** The first question. Only whether this session may work here at all is asked of a person before there is a target. */
export async function authorizeSession(desktop: CallView, request: CallRequest, line: ApprovalChannel): Promise<void> {
  const { authorizer } = desktop;
  // With the session enabled other rules have their say.
  for (let decision = authorizer.admit(request); decision.enables; decision = authorizer.admit(request)) {
    await requireApproval(desktop, request, line, async () => ({ decided: authorizer.admit(request) }));
  }
  authorizer.count(request);
}

/** What is known now of what is asked for. */
export type Known = () => Promise<{ decided: PolicyDecision; aim?: ActionPlan }>;

/** Asks about a look or about the session, with the turn held; it may go on afterwards. */
export async function requireApproval(
  desktop: CallView,
  request: CallRequest,
  line: ApprovalChannel,
  known: Known,
): Promise<void> {
  const { authorizer } = desktop;
  await desktop.queue.run(Deadline.in(LONGEST_MS, line.signal), async () => {
    // Somebody may have said yes to this session while the turn was waited for.
    const { decided: decision, aim: plan } = await known();
    if (decision.answer !== 'ask') return;
    const matter = { asked: request, decided: decision, ...(plan && { aim: plan }) };
    if (!decision.enables && coveringGrant(desktop, matter)) return;
    const subject = approvalSubject(desktop.name, request, plan, decision);
    const approval = await askAndGrant(desktop, { ...matter, subject }, line);
    const now = await known();
    if (!isStillValid(approval, approvalSubject(desktop.name, request, now.aim, now.decided)))
      throw moved(request.tool);
    if (!decision.enables) return;
    const policy = decision.policyHash ?? '0'.repeat(64);
    // What cannot be written down is not allowed.
    await authorizer.ledger.note({ kind: 'policy', event: 'enabled', policy, by: approval.by });
    authorizer.enable(sessionOf(request.caller));
  });
}

function moved(tool: string): DesktopError {
  return new DesktopError('target_changed', `What ${tool} was allowed for changed while a person was asked.`, {
    retry: 'safe',
    hint: 'try again: it is asked about as it is now.',
  });
}
