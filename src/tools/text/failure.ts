import type { CallLogEntry, Candidate } from '../../runtime/index.js';
import { DesktopError, type ErrorJson } from '../../shared/index.js';
import { pointerLines } from '../../selector/index.js';
import { describeElement, withUntrustedMarkers, quote } from '../../tree/index.js';

const LISTED = 5;

/** What a model reads when a call failed: what happened, if it was delivered, if a retry is safe, and what to do. */
export function failureText(failure: DesktopError | ErrorJson): string {
  const error = failure instanceof DesktopError ? failure.toJSON() : failure;
  const retry = error.retry === 'after' ? `after ${error.retryAfter ?? 'a while'}` : error.retry;
  const lines = [`failed: ${error.code}. ${sentence(error.message)} Delivered: ${error.delivered}. Retry: ${retry}.`];
  if (error.code === 'selector_syntax') lines.push(...pointerLines(error.details));
  const nearest = candidatesIn(error.details, 'nearest');
  if (nearest.length > 0) lines.push(`nearest: ${nearest.slice(0, LISTED).map(candidateText).join(', ')}`);
  const there = candidatesIn(error.details, 'there');
  if (there.length > 0) {
    const more = Number(error.details?.thereTotal ?? there.length) - Math.min(there.length, LISTED);
    lines.push(`there: ${there.slice(0, LISTED).map(candidateText).join(', ')}${more > 0 ? `, … +${more} more` : ''}`);
  }
  const candidates = candidatesIn(error.details, 'candidates');
  lines.push(...candidates.slice(0, LISTED).map(candidateText));
  const all = Number(error.details?.matches ?? candidates.length);
  if (candidates.length > LISTED) lines.push(`… +${all - LISTED} more`);
  const log = logLine(error);
  if (log !== undefined) lines.push(`log: ${log}`);
  const changes = linesIn(error.details, 'changes');
  if (changes.length > 0) lines.push(withUntrustedMarkers(changes.join('\n')));
  const before = linesIn(error.details, 'changesBefore');
  if (before.length > 0) lines.push(`${stepsBefore(error.details)} changed:`, withUntrustedMarkers(before.join('\n')));
  const reason = error.details?.userReason;
  // The user's own words, unquoted: quotes mean text of an app.
  if (typeof reason === 'string') lines.push(`person: ${sentence(reason).replace(/\.$/, '')}`);
  if (error.hint) lines.push(`next: ${nextText(error.hint)}`);
  return lines.join('\n');
}

/** `e22 button "Submit" in w4 (name 2 letters off)`: an app's words only in quotes. */
function candidateText({ ref, role, name, within, window, path = [], note }: Candidate): string {
  const around = [
    ...(window && window !== ref ? [window] : []),
    ...path.map((one) => `${one.role} ${quote(one.name)}`),
    ...(within ? [[within.ref, within.role, within.name && quote(within.name)].filter(Boolean).join(' ')] : []),
  ];
  const place = around.length > 0 ? ` in ${around.join(' > ')}` : '';
  return `${describeElement({ ref, role, name })}${place}${note ? ` (${note})` : ''}`;
}

/** The text has the last entries only; the JSON answer has all. */
const LOGGED = 3;

/** The log of the act, with waits and retries, unless the message already contains it. */
function logLine({ code, message, details }: ErrorJson): string | undefined {
  const entries = Array.isArray(details?.log) ? (details.log as Partial<CallLogEntry>[]) : [];
  const texts = entries.flatMap((entry) =>
    entry?.kind !== 'step' && typeof entry?.text === 'string' ? [entry.text] : [],
  );
  const news = texts.filter((text) => !message.includes(text) && !text.endsWith(code));
  return news.length > 0 ? sentence(news.slice(-LOGGED).join('; ')) : undefined;
}

/** Details travel as JSON and may come from anywhere: only what looks like candidates is printed. */
function candidatesIn(details: Record<string, unknown> | undefined, field: string): Candidate[] {
  const list = details?.[field];
  if (!Array.isArray(list)) return [];
  return list.filter((one): one is Candidate => {
    const { ref, role } = (one ?? {}) as Partial<Candidate>;
    return typeof ref === 'string' && typeof role === 'string';
  });
}

/** One list of the details: the changes by an act without the expected effect, or the steps before a failed one. */
function linesIn(details: Record<string, unknown> | undefined, field: string): string[] {
  const lines = details?.[field];
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [];
}

function stepsBefore(details: Record<string, unknown> | undefined): string {
  const last = Number(details?.step) - 1;
  return last > 1 ? `Steps 1-${last}` : 'Step 1';
}

/** One line, whatever a caller's own words in it would do to a terminal. */
function sentence(text: string): string {
  const line = text.replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

/** A command to type stands at the end as it is typed: without a full stop. */
function nextText(hint: string): string {
  const line = sentence(hint).replace(/(: deskproof [^.]*)\.$/, '$1');
  return /^[A-Z][a-z]/.test(line) ? line.charAt(0).toLowerCase() + line.slice(1) : line;
}
