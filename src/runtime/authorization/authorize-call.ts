import { hiddenWindowIds, type TargetFacts } from '../../policy/index.js';
import { Deadline, DesktopError, memoize } from '../../shared/index.js';
import { parseRef, type WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import { approvalSubject } from '../approval/approval-subject.js';
import { isStillValid } from '../approval/approval-validity.js';
import { askAndGrant, coveringGrant, type ApprovalChannel } from '../approval/ask-user.js';
import { windowsTitled } from '../observe/window.js';
import { sessionOf, type CallRequest, targetFacts } from '../request/policy-request.js';
import { READ_TRAITS } from '../request/tool-traits.js';
import { type CallView, SEES_ALL } from '../visibility/call-view.js';
import { forWindowRules } from '../visibility/hidden-windows.js';
import { type PolicyDecision, deniedError } from './authorizer.js';

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

/** For rules, the reads of an act are calls of this tool. */
const READ_OF_AN_ACT = { tool: 'ui_query', class: 'read', traits: { ...READ_TRAITS, place: 'any-window' } } as const;

/** Time limit for listing the windows after the user has answered, however long that took. */
const LIST_MS = 2_000;

/** What the user has approved in this call: reading one window, or all of them. */
interface ReadApproval {
  rule: string;
  window?: string;
}

/**
 * The second policy decision about a read, for each window. Windows that rules withhold from this call do not exist for
 * it; they are counted, and black in screenshots. If the call names such a window, it is refused or the user is asked.
 * An act also reads, to find its target and to verify its effect: windows that it may not read do not exist for it
 * either.
 */
export async function authorizeRead(
  view: CallView,
  request: CallRequest,
  channel: ApprovalChannel,
  deadline: Deadline,
): Promise<void> {
  const { authorizer } = view;
  const acts = request.class === 'act' || request.class === 'raw';
  // Rules for acts do not apply to reads.
  const readRequest: CallRequest = acts ? { ...request, ...READ_OF_AN_ACT } : request;
  if (!authorizer.rules.hasReadRules?.(readRequest.tool) && (acts || authorizer.decide(request).answer === 'allow'))
    return view.open(SEES_ALL);
  const approved: ReadApproval[] = [];
  // One call lists the same few windows many times.
  const asking = (): ((facts: TargetFacts) => PolicyDecision) =>
    memoize(
      (facts) => JSON.stringify([facts, authorizer.isEnabled(sessionOf(readRequest.caller))]),
      (facts) => authorizer.decide(readRequest, facts),
    );
  let [rules, ask] = [authorizer.rules, asking()];
  const decide = (window?: WindowInfo): PolicyDecision => {
    if (authorizer.rules !== rules) [rules, ask] = [authorizer.rules, asking()];
    return ask(targetFacts(readPlan(window)));
  };
  // If the act itself needs approval and its target is given by ref, the user is asked once, for reading and acting.
  // Until then, errors must not reveal window content.
  const asksItself = (window: WindowInfo | undefined): boolean =>
    acts && isPointedAt(request) && authorizer.decide(request, targetFacts(readPlan(window))).answer === 'ask';
  const soon = (): Deadline => Deadline.in(LIST_MS, channel.signal);
  // A grant to act in a window includes reading it.
  const covered = (window: WindowInfo | undefined, decision: PolicyDecision): boolean =>
    [readRequest, request].some(
      (one) => coveringGrant(view, { request: one, decision, plan: readPlan(window) }) !== undefined,
    );
  const list = await view.listAllWindows(deadline).catch((error: unknown) => {
    if (request.traits.diagnostic && error instanceof DesktopError) return { windows: [] };
    throw error;
  });
  const named = namedIn(view, request, list.windows);
  let pending: PolicyDecision | undefined;
  for (const window of named.length > 0 ? named : [undefined]) {
    const decision = decide(window);
    // For this caller the window does not exist.
    if (isHiding(decision)) continue;
    if (decision.answer === 'deny' && (window || !acts)) throw deniedError(request.tool, decision);
    if (decision.answer !== 'ask' || request.traits.place === 'no-window') continue;
    const isCovered = covered(window, decision);
    if (asksItself(window)) pending = isCovered ? pending : decision;
    else if (!isCovered)
      await requireApproval(view, readRequest, channel, async () => {
        const { windows } = await view.listAllWindows(soon());
        const now = window && windows.find(({ id }) => id === window.id);
        return { decision: decide(now), ...(now && { plan: readPlan(now) }) };
      });
    approved.push({ rule: decision.rule, ...(window && { window: window.id }) });
  }
  const agreed = (rule: string, window?: string): boolean =>
    approved.some((one) => one.rule === rule && (one.window === undefined || one.window === window));
  const open = (window: WindowInfo, owner: WindowInfo): boolean => {
    const decision = decide(window);
    if (decision.answer !== 'ask') return decision.answer === 'allow';
    if (agreed(decision.rule, window.id) || agreed(decision.rule, owner.id)) return true;
    return covered(window, decision);
  };
  // A dialog or menu of a window that may not be read may not be read either.
  const sees = (window: WindowInfo, owner: WindowInfo): boolean =>
    open(window, owner) && (owner === window || open(owner, owner));
  const hiddenIn = (windows: readonly WindowInfo[]): Set<string> => {
    const { windows: hiding } = authorizer.rules;
    if (!hiding) return new Set();
    // `sees` already withholds the windows that belong to one of these.
    return hiddenWindowIds(windows.map(forWindowRules), hiding);
  };
  // The windows may have changed while the user was asked.
  const now = approved.length > 0 ? await view.listAllWindows(soon()) : list;
  view.open({ sees, agreed, hiddenIn }, now);
  view.pendingReadApproval = pending;
}

/** Not a rule about reads: callers from this project may not know of the window at all. */
const isHiding = ({ rule }: PolicyDecision): boolean => rule.startsWith('windows/');

const readPlan = (window: WindowInfo | undefined) => ({ verb: 'look', needs: {}, ...(window && { window }) });

/** Whether the target is a window, a ref or the focus: without a search no content can leak. */
const isPointedAt = ({ args: { target, from, to } }: CallRequest): boolean =>
  [target, from, to].every(
    (word) => typeof word !== 'string' || parseRef(word) !== undefined || word.trim().toLowerCase() === 'focused',
  );

/** The windows that the arguments of a call name; none if it is about all windows. */
function namedIn(view: CallView, { traits, args }: CallRequest, windows: WindowInfo[]): WindowInfo[] {
  const { window, target, from, to, space } = args;
  if (typeof window === 'string' && window.trim() !== '*') {
    const ref = parseRef(window);
    return ref ? windows.filter((one) => one.ref === ref) : windowsTitled(windows, window);
  }
  const words = [target, from, to, space].filter((word) => typeof word === 'string');
  const ids = words.flatMap((word) => view.refs.get(parseRef(word.trim()) ?? '')?.windowId ?? []);
  if (ids.length > 0) return windows.filter(({ id }) => ids.includes(id));
  const focused = words.some((word) => word.trim().toLowerCase() === 'focused');
  const active = focused || (words.length === 0 && window === undefined && traits.place === 'active-window');
  return active ? windows.filter((one) => one.active) : [];
}
