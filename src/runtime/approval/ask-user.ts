import type { Channel, Closing, PendingApproval } from './pending-approvals.js';
import { DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { PolicyDecision, Authorizer } from '../authorization/authorizer.js';
import { type CallRequest, sessionOf, surfaceOf } from '../request/policy-request.js';
import { decisionRecord, withDecision } from '../request/audit-record.js';
import { secretIn } from '../request/tool-traits.js';
import type { CallView } from '../visibility/call-view.js';
import { type ApprovalPrompt, approvalPrompt } from './approval-prompt.js';
import type { Approval } from './approval-validity.js';
import { placesOf } from './open-questions.js';
import { changedFields, subjectHashOf, sameWindow, type ApprovalSubject } from './approval-subject.js';

const PROGRESS_MS = 5_000;

/** What the user has to decide. */
export interface ApprovalCase {
  request: CallRequest;
  decision: PolicyDecision;
  subject: ApprovalSubject;
  plan?: ActionPlan;
}

/** How to reach the caller while the user decides. */
export interface ApprovalChannel {
  signal?: AbortSignal;
  /** The connection of the caller, which other callers may share. */
  door?: string;
  /** Called for each request that is shown to the user. */
  onQuestion?: (question: PendingApproval) => void;
  /** How the caller can ask its user. A form of an MCP client counts for less than a terminal. */
  asksBy?: 'terminal' | 'mcp' | 'library' | 'none';
  /**
   * Called while apps are read, and every few seconds while the user decides, so that the wait does not look like a
   * hang.
   */
  onProgress?: (elementsRead: number) => void;
}

/** Asks the user and waits; one question for each caller. Throws unless the user approves. */
export async function askUser(
  authorizer: Authorizer,
  approvalCase: ApprovalCase,
  channel: ApprovalChannel,
  before?: Approval,
): Promise<Approval> {
  const { request, decision, subject } = approvalCase;
  if (before?.again) throw changedTwiceError(approvalCase, before);
  if (before && !sameWindow(before.subject, subject)) throw otherWindowError(approvalCase);
  const hash = subjectHashOf(subject);
  const channels = openChannels(authorizer, approvalCase, channel);
  const what = approvalPrompt(approvalCase, before && changedFields(before.subject, subject));
  const promptForCaller = forCaller(what, approvalCase);
  if (channels.length === 0) throw withDecision(noChannelError(promptForCaller, decision), decision);
  refuseIfUnanswered(authorizer, sessionOf(request.caller), channel.door);
  const { seconds = 55 } = authorizer.rules.settings?.approvals ?? {};
  const widest = decision.scope ?? 'once';
  const pending = authorizer.questions.ask(
    {
      ...{ session: sessionOf(request.caller), subjectHash: hash, shown: what, widest, channels, seconds },
      ...(channel.door !== undefined && { door: channel.door }),
      places: placesOf(approvalCase.plan),
    },
    channel.signal,
  );
  const { id, askedAt } = pending.question;
  const about = { question: id, subject: hash };
  const waiting = setInterval(() => channel.onProgress?.(0), PROGRESS_MS);
  try {
    const caller = { surface: surfaceOf(request.caller), session: sessionOf(request.caller) };
    await authorizer.ledger.note({
      ...{ kind: 'ask', ...about, tool: request.tool, caller, channels },
      decision: decisionRecord(decision),
      ...(what.screen && { target: { role: what.screen.role, name: what.screen.name, window: what.screen.window } }),
    });
    channel.onQuestion?.(pending.question);
    const closing = await pending.closed;
    await authorizer.ledger.note({ kind: 'answer', ...about, ms: Date.now() - askedAt, ...answerRecord(closing) });
    if (closing.state !== 'allowed') throw withDecision(refusalError(closing, promptForCaller), decision);
    const { scope, channel: by, answeredAt } = closing;
    return { subject, hash, by, scope, answeredAt, again: before !== undefined };
  } catch (error) {
    authorizer.questions.void('it could not be asked', (question) => question.id === id);
    throw error;
  } finally {
    clearInterval(waiting);
  }
}

/** A caller cannot keep the user, and with them all other callers, busy with questions that stay unanswered. */
function refuseIfUnanswered({ questions }: Authorizer, session: string, door: string | undefined): void {
  const limited = (message: string, retryAfter: string, hint: string): DesktopError =>
    new DesktopError('rate_limited', message, { retry: 'after', retryAfter, hint });
  if (questions.hasOpen(session))
    throw limited(
      'An approval request of this caller is open already.',
      'the user has answered it',
      'Wait for the answer: each caller can ask one question at a time.',
    );
  if (questions.isCrowded(session, door))
    throw limited(
      'Approval requests of other new sessions of this server are open already.',
      'the user has answered them',
      'Wait for the answers: the user has not answered a request of this session yet.',
    );
  const pause = questions.pauseMs(session, door);
  if (pause > 0)
    throw limited(
      questions.pauseMs(session) > 0
        ? "The user did not answer this caller's last approval requests."
        : 'The user did not answer the last approval requests of new sessions of this server.',
      `${Math.ceil(pause / 1000)} s`,
      'Do something that needs no approval, or tell the person to run: deskproof approvals',
    );
  const wait = questions.desktopPauseMs(session);
  if (wait > 0)
    throw limited(
      'The user did not answer the last approval requests on this desktop, and other callers may act now.',
      `${Math.ceil(wait / 1000)} s`,
      'Do something that needs no approval, or tell the person to run: deskproof approvals',
    );
}

/** A caller that may not read a window yet must not learn its title. */
function forCaller(what: ApprovalPrompt, { plan }: ApprovalCase): ApprovalPrompt {
  return plan?.verb === 'look' && plan.window ? { ...what, what: `look in ${plan.window.ref}` } : what;
}

function openChannels(
  authorizer: Authorizer,
  approvalCase: ApprovalCase,
  { onQuestion, asksBy = 'terminal' }: ApprovalChannel,
): Channel[] {
  const { rules, attended } = authorizer;
  const { channels = ['terminal', 'inspector', 'mcp'], elicitation = 'medium' } = rules.settings?.approvals ?? {};
  const askedBy = onQuestion && asksBy;
  const formOpen = askedBy === 'mcp' && channels.includes('mcp') && mayAskByForm(authorizer, approvalCase, elicitation);
  const isOpen: Record<Channel, boolean> = {
    // While a form is open, a terminal may connect a moment later.
    terminal: attended || formOpen || askedBy === 'terminal',
    inspector: false,
    mcp: formOpen,
    library: askedBy === 'library',
  };
  return [...channels, 'library' as const].filter((channel) => isOpen[channel]);
}

/**
 * Some clients answer forms by themselves, or decline without showing them. So forms do not decide about risky acts.
 */
function mayAskByForm(
  { questions }: Authorizer,
  { request, decision }: ApprovalCase,
  highest: 'off' | 'medium' | 'high',
): boolean {
  if (highest === 'off' || decision.enables || questions.isShut(sessionOf(request.caller), 'mcp')) return false;
  const levels: readonly string[] = highest === 'high' ? ['low', 'medium', 'high'] : ['low', 'medium'];
  return (decision.risk?.levels ?? ['prohibited']).every((level) => levels.includes(level));
}

function answerRecord(closing: Closing): {
  result: Closing['state'];
  channel?: string;
  scope?: string;
  reason?: string;
} {
  if (closing.state === 'allowed') return { result: 'allowed', channel: closing.channel, scope: closing.scope };
  if (closing.state === 'void') return { result: 'void', reason: closing.why };
  if (closing.state !== 'denied') return { result: closing.state };
  const { channel, reason } = closing;
  return { result: 'denied', channel, ...(reason !== undefined && { reason }) };
}

function refusalError(closing: Exclude<Closing, { state: 'allowed' }>, what: ApprovalPrompt): DesktopError {
  const about = `(${what.why})`;
  switch (closing.state) {
    case 'denied':
      return new DesktopError('approval_denied', `The person refused ${what.what} ${about}.`, {
        retry: 'no',
        hint: 'stop this path and ask the person what they want.',
        ...(closing.reason !== undefined && { details: { userReason: closing.reason } }),
      });
    case 'expired':
      return new DesktopError('approval_timeout', `The approval request for ${what.what} was not answered ${about}.`, {
        ...{ retry: 'after', retryAfter: 'the user can answer' },
        hint: 'tell the person to run: deskproof approvals',
      });
    case 'withdrawn':
      return new DesktopError('cancelled', `The approval request for ${what.what} was withdrawn.`);
    case 'void':
      return new DesktopError('policy_denied', `The approval request for ${what.what} is void: ${closing.why}.`, {
        retry: 'no',
        hint: 'Run ui_snapshot, then decide again.',
      });
  }
}

function noChannelError({ what, why }: ApprovalPrompt, { enables, hint }: PolicyDecision): DesktopError {
  return new DesktopError('approval_required', `${what} needs a person (${why}) and none can be asked here.`, {
    ...{ retry: 'after', retryAfter: 'they answer' },
    hint: (enables && hint) || 'tell the person to run: deskproof approvals',
  });
}

/** The caller may not be allowed to know of the other window, so the error does not name it. */
function otherWindowError({ request }: ApprovalCase): DesktopError {
  return new DesktopError(
    'target_changed',
    `${request.tool} no longer affects the window that the user was asked about.`,
    {
      retry: 'no',
      hint: 'Run ui_list_windows, then decide again.',
    },
  );
}

function changedTwiceError(approvalCase: ApprovalCase, before: Approval): DesktopError {
  const { what } = approvalPrompt(approvalCase);
  const parts = changedFields(before.subject, approvalCase.subject).join(', ') || 'time';
  return new DesktopError('target_changed', `${what} changed twice while the user was asked (${parts}).`, {
    retry: 'no',
    hint: 'Run ui_snapshot, and wait until the target no longer changes.',
  });
}

type Grantable = Parameters<CallView['authorizer']['grants']['covers']>[0];

/** Asks the user, and stores a grant if the answer covers more than this act. */
export async function askAndGrant(
  desktop: CallView,
  approvalCase: ApprovalCase,
  channel: ApprovalChannel,
  before?: Approval,
): Promise<Approval> {
  const { authorizer } = desktop;
  const { request, decision } = approvalCase;
  const approval = await voidWhenWindowCloses(desktop, approvalCase, () =>
    askUser(authorizer, approvalCase, channel, before),
  );
  // Enabling a session is not an approval of its acts.
  if (decision.enables) return approval;
  const grant = authorizer.grants.give(approval.scope, grantable(desktop, approvalCase));
  if (!grant) return approval;
  const { id, scope, tool } = grant;
  const caller = { surface: surfaceOf(request.caller), session: sessionOf(request.caller) };
  try {
    await authorizer.ledger.note({
      ...{ kind: 'grant', event: 'given', grant: id, scope, caller, by: approval.by },
      ...(tool !== undefined && { tool }),
    });
  } catch (error) {
    // A grant that cannot be recorded is not given.
    authorizer.grants.revoke(id);
    throw error;
  }
  return approval;
}

/** A request about a window becomes void when the window closes, so that the user does not decide about it any more. */
async function voidWhenWindowCloses<T>(
  desktop: CallView,
  { plan, subject }: ApprovalCase,
  ask: () => Promise<T>,
): Promise<T> {
  const hash = subjectHashOf(subject);
  const stop = desktop.onEvent((event) => {
    if (event.type !== 'window' || event.change !== 'closed' || event.window !== plan?.window?.id) return;
    desktop.authorizer.questions.void('its window was closed', ({ subjectHash }) => subjectHash === hash);
  });
  return ask().finally(stop);
}

/** An earlier grant that covers this act. */
export function coveringGrant(desktop: CallView, approvalCase: Omit<ApprovalCase, 'subject'>) {
  return desktop.authorizer.grants.covers(grantable(desktop, approvalCase), approvalCase.decision.grant ?? 'once');
}

/** The description of the act that a grant would have to cover. */
export function grantable(
  { authorizer }: CallView,
  { request, plan, decision }: Omit<ApprovalCase, 'subject'>,
): Grantable {
  const { tool, class: kind, caller } = request;
  const window = plan?.target?.window ?? plan?.window;
  const program = plan?.start?.program ?? window?.program;
  const grantProgram =
    program !== undefined && !(authorizer.rules.runsAnything?.(program) ?? true) ? program : processKey(window);
  return {
    ...{ session: sessionOf(caller), tool, class: kind, risk: decision.risk?.levels.at(-1) ?? 'high' },
    ...(secretIn(request) !== undefined && { secret: true }),
    ...(request.traits.appGrant && { appGrant: true }),
    ...(grantProgram !== undefined && { program: grantProgram }),
  };
}

/** The process of a window; empty for an act without a window, undefined if the process is unknown. */
function processKey(window: WindowInfo | undefined): string | undefined {
  if (!window) return '';
  const { pid, started = '?' } = window;
  return pid === undefined ? undefined : `${pid}:${started}`;
}
