import type { Scope } from '../../policy/index.js';
import type { Channel, Closing, PendingApproval } from './pending-approvals.js';
import { DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { PolicyDecision, Authorizer } from '../authorization/authorizer.js';
import { type CallRequest, sessionOf, surfaceOf } from '../request/policy-request.js';
import { decisionRecord, withDecision } from '../request/audit-record.js';
import { secretIn } from '../request/secret-input.js';
import type { CallView } from '../visibility/call-view.js';
import { type ApprovalPrompt, approvalPrompt } from './approval-prompt.js';
import { difference, hashOf, sameWindow, type ApprovalSubject } from './approval-subject.js';

/** How long a yes holds until the act that it is for. */
const HOLDS_MS = 10_000;
const TELL_MS = 5_000;

/** A person's yes, and what it was said to. */
export interface Approval {
  subject: ApprovalSubject;
  hash: string;
  by: string;
  scope: Scope;
  answeredAt: number;
  /** It was asked a second time, since what it was about had changed. */
  again: boolean;
}

/** What a person has to decide. */
export interface ApprovalCase {
  asked: CallRequest;
  decided: PolicyDecision;
  subject: ApprovalSubject;
  aim?: ActionPlan;
}

/** How whoever calls can be reached while a person thinks. */
export interface ApprovalChannel {
  signal?: AbortSignal;
  /** Told of each question that is put to a person. */
  onQuestion?: (question: PendingApproval) => void;
  /** How the caller's own person can be asked there: a form of an MCP client counts for less than a terminal. */
  asksBy?: 'terminal' | 'mcp' | 'library' | 'nobody';
  /** Told while apps are read, and now and then while a person thinks, so that nobody takes the wait for a fault. */
  onProgress?: (elementsRead: number) => void;
}

/** Whether a yes still fits: the same matter, byte for byte, and not too long ago. */
export function isStillValid({ hash, answeredAt }: Approval, subject: ApprovalSubject, now = Date.now()): boolean {
  return hash === hashOf(subject) && now - answeredAt <= HOLDS_MS;
}

/** Puts it to a person and waits. Whoever calls holds the seat's turn meanwhile. Everything but a yes throws. */
export async function askUser(
  authorizer: Authorizer,
  matter: ApprovalCase,
  line: ApprovalChannel,
  before?: Approval,
): Promise<Approval> {
  const { asked: request, decided: decision, subject } = matter;
  if (before?.again) throw changedTwice(matter, before);
  if (before && !sameWindow(before.subject, subject)) throw windowGone(matter);
  const hash = hashOf(subject);
  const channels = openChannels(authorizer, matter, line);
  const what = approvalPrompt(matter, before && difference(before.subject, subject));
  const told = forCaller(what, matter);
  if (channels.length === 0) throw withDecision(noApprover(told, decision), decision);
  const { seconds = 55 } = authorizer.rules.settings?.approvals ?? {};
  const widest = decision.scope ?? 'once';
  const opened = authorizer.questions.ask(
    { session: sessionOf(request.caller), subjectHash: hash, shown: what, widest, channels, seconds },
    line.signal,
  );
  const { id, askedAt } = opened.question;
  const about = { question: id, subject: hash };
  const waiting = setInterval(() => line.onProgress?.(0), TELL_MS);
  try {
    const caller = { surface: surfaceOf(request.caller), session: sessionOf(request.caller) };
    await authorizer.ledger.note({
      ...{ kind: 'ask', ...about, tool: request.tool, caller, channels },
      decision: decisionRecord(decision),
      ...(what.screen && { target: { role: what.screen.role, name: what.screen.name, window: what.screen.window } }),
    });
    line.onQuestion?.(opened.question);
    const closing = await opened.closed;
    await authorizer.ledger.note({ kind: 'answer', ...about, ms: Date.now() - askedAt, ...answerOf(closing) });
    if (closing.state !== 'allowed') throw withDecision(refusal(closing, told), decision);
    const { scope, channel: by, answeredAt } = closing;
    return { subject, hash, by, scope, answeredAt, again: before !== undefined };
  } catch (error) {
    authorizer.questions.void('it could not be asked', (question) => question.id === id);
    throw error;
  } finally {
    clearInterval(waiting);
  }
}

/** Who may not read a window yet may not know its title, either. */
function forCaller(what: ApprovalPrompt, { aim: plan }: ApprovalCase): ApprovalPrompt {
  return plan?.verb === 'look' && plan.window ? { ...what, what: `look in ${plan.window.ref}` } : what;
}

function openChannels(
  authorizer: Authorizer,
  matter: ApprovalCase,
  { onQuestion, asksBy = 'terminal' }: ApprovalChannel,
): Channel[] {
  const { rules, attended } = authorizer;
  const { channels = ['terminal', 'inspector', 'mcp'], elicitation = 'medium' } = rules.settings?.approvals ?? {};
  const by = onQuestion && asksBy;
  const form = by === 'mcp' && channels.includes('mcp') && formMayAsk(authorizer, matter, elicitation);
  const isOpen: Record<Channel, boolean> = {
    // Beside a form there may be a terminal a moment later.
    terminal: attended || form || by === 'terminal',
    inspector: false,
    mcp: form,
    library: by === 'library',
  };
  return [...channels, 'library' as const].filter((channel) => isOpen[channel]);
}

/** Clients answer forms by themselves, or say no though nobody was shown anything: so not for what is risky. */
function formMayAsk(
  { questions }: Authorizer,
  { asked: request, decided: decision }: ApprovalCase,
  most: 'off' | 'medium' | 'high',
): boolean {
  if (most === 'off' || decision.enables || questions.isShut(sessionOf(request.caller), 'mcp')) return false;
  const may: readonly string[] = most === 'high' ? ['low', 'medium', 'high'] : ['low', 'medium'];
  return (decision.risk?.levels ?? ['prohibited']).every((level) => may.includes(level));
}

function answerOf(closing: Closing): { result: Closing['state']; channel?: string; scope?: string; reason?: string } {
  if (closing.state === 'allowed') return { result: 'allowed', channel: closing.channel, scope: closing.scope };
  if (closing.state === 'void') return { result: 'void', reason: closing.why };
  if (closing.state !== 'denied') return { result: closing.state };
  const { channel, reason } = closing;
  return { result: 'denied', channel, ...(reason !== undefined && { reason }) };
}

function refusal(closing: Exclude<Closing, { state: 'allowed' }>, what: ApprovalPrompt): DesktopError {
  const about = `(${what.why})`;
  switch (closing.state) {
    case 'denied':
      return new DesktopError('approval_denied', `The person refused ${what.what} ${about}.`, {
        retry: 'no',
        hint: 'stop this path and ask the person what they want.',
        ...(closing.reason !== undefined && { details: { person: closing.reason } }),
      });
    case 'expired':
      return new DesktopError('approval_timeout', `Nobody answered whether ${what.what} may be done ${about}.`, {
        ...{ retry: 'after', retryAfter: 'a person is there to answer' },
        hint: 'tell the person to run: deskproof approvals',
      });
    case 'withdrawn':
      return new DesktopError('cancelled', `The question whether ${what.what} may be done was withdrawn.`);
    case 'void':
      return new DesktopError('policy_denied', `The question about ${what.what} is void: ${closing.why}.`, {
        retry: 'no',
        hint: 'look again, then decide anew.',
      });
  }
}

function noApprover({ what, why }: ApprovalPrompt, { enables, hint }: PolicyDecision): DesktopError {
  return new DesktopError('approval_required', `${what} needs a person (${why}) and none can be asked here.`, {
    ...{ retry: 'after', retryAfter: 'they answer' },
    hint: (enables && hint) || 'tell the person to run: deskproof approvals',
  });
}

/** Of the other window nobody has said that the caller may know of it. */
function windowGone({ asked: request }: ApprovalCase): DesktopError {
  return new DesktopError('target_changed', `${request.tool} is not in the window that a person was asked about.`, {
    retry: 'no',
    hint: 'look again: ui_list_windows, then decide anew.',
  });
}

function changedTwice(matter: ApprovalCase, before: Approval): DesktopError {
  const { what } = approvalPrompt(matter);
  const parts = difference(before.subject, matter.subject).join(', ') || 'time';
  return new DesktopError('target_changed', `${what} changed twice while a person was asked (${parts}).`, {
    retry: 'no',
    hint: 'look again: ui_snapshot, and wait until it stays as it is.',
  });
}

type Grantable = Parameters<CallView['authorizer']['grants']['covers']>[0];

/** Asks, and keeps what a person allows beyond this once. */
export async function askAndGrant(
  desktop: CallView,
  matter: ApprovalCase,
  line: ApprovalChannel,
  before?: Approval,
): Promise<Approval> {
  const { authorizer } = desktop;
  const { asked: request, decided: decision } = matter;
  const approval = await whileItsWindowIsOpen(desktop, matter, () => askUser(authorizer, matter, line, before));
  // Who lets a session work here has not said that nobody need be asked about what it does.
  if (decision.enables) return approval;
  const grant = authorizer.grants.give(approval.scope, grantable(desktop, matter));
  if (!grant) return approval;
  const { id, scope, tool } = grant;
  const caller = { surface: surfaceOf(request.caller), session: sessionOf(request.caller) };
  try {
    await authorizer.ledger.note({
      ...{ kind: 'grant', event: 'given', grant: id, scope, caller, by: approval.by },
      ...(tool !== undefined && { tool }),
    });
  } catch (error) {
    // What cannot be written down is not allowed.
    authorizer.grants.revoke(id);
    throw error;
  }
  return approval;
}

/** What is asked about a window ends with the window: nobody should think about what is no more. */
async function whileItsWindowIsOpen<T>(
  desktop: CallView,
  { aim: plan, subject }: ApprovalCase,
  ask: () => Promise<T>,
): Promise<T> {
  const hash = hashOf(subject);
  const stop = desktop.onEvent((event) => {
    if (event.type !== 'window' || event.change !== 'closed' || event.window !== plan?.window?.id) return;
    desktop.authorizer.questions.void('its window was closed', ({ subjectHash }) => subjectHash === hash);
  });
  return ask().finally(stop);
}

/** What a person has said before, if it covers this. */
export function coveredBy(desktop: CallView, matter: Omit<ApprovalCase, 'subject'>) {
  return desktop.authorizer.grants.covers(grantable(desktop, matter), matter.decided.grant ?? 'once');
}

/** What a grant would have to cover. */
export function grantable(
  { authorizer }: CallView,
  { asked: request, aim: plan, decided: decision }: Omit<ApprovalCase, 'subject'>,
): Grantable {
  const { tool, class: kind, caller } = request;
  const window = plan?.target?.window ?? plan?.window;
  const program = plan?.start?.program ?? window?.program;
  const whose =
    program !== undefined && !(authorizer.rules.runsAnything?.(program) ?? true) ? program : processOf(window);
  return {
    ...{ session: sessionOf(caller), tool, class: kind, risk: decision.risk?.levels.at(-1) ?? 'high' },
    ...(secretIn(request) !== undefined && { secret: true }),
    ...(whose !== undefined && { program: whose }),
  };
}

/** The one that a window is of; empty for what is done in none, undefined where nobody knows. */
function processOf(window: WindowInfo | undefined): string | undefined {
  if (!window) return '';
  const { pid, started = '?' } = window;
  return pid === undefined ? undefined : `${pid}:${started}`;
}
