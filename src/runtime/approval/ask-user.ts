import type { Scope } from '../../policy/index.js';
import type { Channel, Closing, OpenQuestion } from './pending-approvals.js';
import { DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Decided, Governor } from '../authorization/authorizer.js';
import { type Asked, sessionOf, surfaceOf } from '../authorization/policy-request.js';
import { decisionRecord, refusedBy } from '../call/audit-call.js';
import { secretIn } from '../call/secret-input.js';
import type { Desktop } from '../desktop/desktop.js';
import { type Shown, shownQuestion } from './approval-prompt.js';
import { difference, hashOf, sameWindow, type Subject } from './approval-subject.js';

/** How long a yes holds until the act that it is for. */
const HOLDS_MS = 10_000;
const TELL_MS = 5_000;

/** A person's yes, and what it was said to. */
export interface Approval {
  subject: Subject;
  hash: string;
  by: string;
  scope: Scope;
  answeredAt: number;
  /** It was asked a second time, since what it was about had changed. */
  again: boolean;
}

/** What a person has to decide. */
export interface Matter {
  asked: Asked;
  decided: Decided;
  subject: Subject;
  aim?: ActionPlan;
}

/** How whoever calls can be reached while a person thinks. */
export interface Line {
  signal?: AbortSignal;
  /** Told of each question that is put to a person. */
  onQuestion?: (question: OpenQuestion) => void;
  /** How the caller's own person can be asked there: a form of an MCP client counts for less than a terminal. */
  asksBy?: 'terminal' | 'mcp' | 'library' | 'nobody';
  /** Told while apps are read, and now and then while a person thinks, so that nobody takes the wait for a fault. */
  onProgress?: (elementsRead: number) => void;
}

/** Whether a yes still fits: the same matter, byte for byte, and not too long ago. */
export function stillFits({ hash, answeredAt }: Approval, subject: Subject, now = Date.now()): boolean {
  return hash === hashOf(subject) && now - answeredAt <= HOLDS_MS;
}

/** Puts it to a person and waits. Whoever calls holds the seat's turn meanwhile. Everything but a yes throws. */
export async function askPerson(governor: Governor, matter: Matter, line: Line, before?: Approval): Promise<Approval> {
  const { asked, decided, subject } = matter;
  if (before?.again) throw changedTwice(matter, before);
  if (before && !sameWindow(before.subject, subject)) throw windowGone(matter);
  const hash = hashOf(subject);
  const channels = openChannels(governor, matter, line);
  const what = shownQuestion(matter, before && difference(before.subject, subject));
  const told = forCaller(what, matter);
  if (channels.length === 0) throw refusedBy(nobodyThere(told, decided), decided);
  const { seconds = 55 } = governor.rules.settings?.approvals ?? {};
  const widest = decided.scope ?? 'once';
  const opened = governor.questions.ask(
    { session: sessionOf(asked.caller), subjectHash: hash, shown: what, widest, channels, seconds },
    line.signal,
  );
  const { id, askedAt } = opened.question;
  const about = { question: id, subject: hash };
  const waiting = setInterval(() => line.onProgress?.(0), TELL_MS);
  try {
    const caller = { surface: surfaceOf(asked.caller), session: sessionOf(asked.caller) };
    await governor.ledger.note({
      ...{ kind: 'ask', ...about, tool: asked.tool, caller, channels },
      decision: decisionRecord(decided),
      ...(what.screen && { target: { role: what.screen.role, name: what.screen.name, window: what.screen.window } }),
    });
    line.onQuestion?.(opened.question);
    const closing = await opened.closed;
    await governor.ledger.note({ kind: 'answer', ...about, ms: Date.now() - askedAt, ...answerOf(closing) });
    if (closing.state !== 'allowed') throw refusedBy(refusal(closing, told), decided);
    const { scope, channel: by, answeredAt } = closing;
    return { subject, hash, by, scope, answeredAt, again: before !== undefined };
  } catch (error) {
    governor.questions.void('it could not be asked', (question) => question.id === id);
    throw error;
  } finally {
    clearInterval(waiting);
  }
}

/** Who may not read a window yet may not know its title, either. */
function forCaller(what: Shown, { aim }: Matter): Shown {
  return aim?.verb === 'look' && aim.window ? { ...what, what: `look in ${aim.window.ref}` } : what;
}

function openChannels(governor: Governor, matter: Matter, { onQuestion, asksBy = 'terminal' }: Line): Channel[] {
  const { rules, attended } = governor;
  const { channels = ['terminal', 'inspector', 'mcp'], elicitation = 'medium' } = rules.settings?.approvals ?? {};
  const by = onQuestion && asksBy;
  const form = by === 'mcp' && channels.includes('mcp') && formMayAsk(governor, matter, elicitation);
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
function formMayAsk({ questions }: Governor, { asked, decided }: Matter, most: 'off' | 'medium' | 'high'): boolean {
  if (most === 'off' || decided.enables || questions.isShut(sessionOf(asked.caller), 'mcp')) return false;
  const may: readonly string[] = most === 'high' ? ['low', 'medium', 'high'] : ['low', 'medium'];
  return (decided.risk?.levels ?? ['prohibited']).every((level) => may.includes(level));
}

function answerOf(closing: Closing): { result: Closing['state']; channel?: string; scope?: string; reason?: string } {
  if (closing.state === 'allowed') return { result: 'allowed', channel: closing.channel, scope: closing.scope };
  if (closing.state === 'void') return { result: 'void', reason: closing.why };
  if (closing.state !== 'denied') return { result: closing.state };
  const { channel, reason } = closing;
  return { result: 'denied', channel, ...(reason !== undefined && { reason }) };
}

function refusal(closing: Exclude<Closing, { state: 'allowed' }>, what: Shown): DesktopError {
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

function nobodyThere({ what, why }: Shown, { enables, hint }: Decided): DesktopError {
  return new DesktopError('approval_required', `${what} needs a person (${why}) and none can be asked here.`, {
    ...{ retry: 'after', retryAfter: 'they answer' },
    hint: (enables && hint) || 'tell the person to run: deskproof approvals',
  });
}

/** Of the other window nobody has said that the caller may know of it. */
function windowGone({ asked }: Matter): DesktopError {
  return new DesktopError('target_changed', `${asked.tool} is not in the window that a person was asked about.`, {
    retry: 'no',
    hint: 'look again: ui_list_windows, then decide anew.',
  });
}

function changedTwice(matter: Matter, before: Approval): DesktopError {
  const { what } = shownQuestion(matter);
  const parts = difference(before.subject, matter.subject).join(', ') || 'time';
  return new DesktopError('target_changed', `${what} changed twice while a person was asked (${parts}).`, {
    retry: 'no',
    hint: 'look again: ui_snapshot, and wait until it stays as it is.',
  });
}

type Grantable = Parameters<Desktop['governor']['grants']['covers']>[0];

/** Asks, and keeps what a person allows beyond this once. */
export async function askAndGrant(desktop: Desktop, matter: Matter, line: Line, before?: Approval): Promise<Approval> {
  const { governor } = desktop;
  const { asked, decided } = matter;
  const approval = await whileItsWindowIsOpen(desktop, matter, () => askPerson(governor, matter, line, before));
  // Who lets a session work here has not said that nobody need be asked about what it does.
  if (decided.enables) return approval;
  const grant = governor.grants.give(approval.scope, grantable(desktop, matter));
  if (!grant) return approval;
  const { id, scope, tool } = grant;
  const caller = { surface: surfaceOf(asked.caller), session: sessionOf(asked.caller) };
  try {
    await governor.ledger.note({
      ...{ kind: 'grant', event: 'given', grant: id, scope, caller, by: approval.by },
      ...(tool !== undefined && { tool }),
    });
  } catch (error) {
    // What cannot be written down is not allowed.
    governor.grants.revoke(id);
    throw error;
  }
  return approval;
}

/** What is asked about a window ends with the window: nobody should think about what is no more. */
async function whileItsWindowIsOpen<T>(desktop: Desktop, { aim, subject }: Matter, ask: () => Promise<T>): Promise<T> {
  const hash = hashOf(subject);
  const stop = desktop.onEvent((event) => {
    if (event.type !== 'window' || event.change !== 'closed' || event.window !== aim?.window?.id) return;
    desktop.governor.questions.void('its window was closed', ({ subjectHash }) => subjectHash === hash);
  });
  return ask().finally(stop);
}

/** What a person has said before, if it covers this. */
export function coveredBy(desktop: Desktop, matter: Omit<Matter, 'subject'>) {
  return desktop.governor.grants.covers(grantable(desktop, matter), matter.decided.grant ?? 'once');
}

/** What a grant would have to cover. */
export function grantable({ governor }: Desktop, { asked, aim, decided }: Omit<Matter, 'subject'>): Grantable {
  const { tool, class: kind, caller } = asked;
  const window = aim?.target?.window ?? aim?.window;
  const program = aim?.start?.program ?? window?.program;
  const whose =
    program !== undefined && !(governor.rules.runsAnything?.(program) ?? true) ? program : processOf(window);
  return {
    ...{ session: sessionOf(caller), tool, class: kind, risk: decided.risk?.levels.at(-1) ?? 'high' },
    ...(secretIn(asked) !== undefined && { secret: true }),
    ...(whose !== undefined && { program: whose }),
  };
}

/** The one that a window is of; empty for what is done in none, undefined where nobody knows. */
function processOf(window: WindowInfo | undefined): string | undefined {
  if (!window) return '';
  const { pid, started = '?' } = window;
  return pid === undefined ? undefined : `${pid}:${started}`;
}
