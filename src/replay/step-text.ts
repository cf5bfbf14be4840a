import { cutMark } from '../shared/index.js';
import { type LogSentence, type SentencePart, TOOLS } from '../tools/index.js';
import { isRole } from '../tree/index.js';
import type { Args, Caller, CallStep } from './trace.js';

/** The target as the caller wrote it, for calls that found nothing or did not search. */
function requestedTarget({ target, from }: Args): { quoted: string }[] {
  const named = target ?? from;
  return typeof named === 'string' && named !== '' ? [{ quoted: named }] : [];
}

/** Absent for a name that no tool has, and for a batch, whose steps have their own records. */
function sentenceOf(name: string): LogSentence | undefined {
  const tool = TOOLS.find((one) => one.name === name);
  return tool && 'sentence' in tool ? tool.sentence : undefined;
}

/** The call as a sentence: `Click button “Save” in “notes.txt - Mousepad”`. */
export function stepParts({ tool, args = {}, target = {}, app }: CallStep): SentencePart[] {
  const known = sentenceOf(tool);
  const verb = (known?.verb(args) ?? [/^ui_[a-z_]{1,40}$/.test(tool) ? tool : { quoted: tool }]).filter(
    (part) => part !== undefined,
  );
  const { role, name, window } = target;
  // Does not repeat what the verb already names.
  const isNamed = (text: string): boolean => verb.some((part) => typeof part === 'object' && part.quoted === text);
  const found: SentencePart[] = [
    ...(role ? [isRole(role) ? role : { quoted: role }] : []),
    ...(name ? [{ quoted: name }] : []),
  ];
  const own = found.length > 0 || window ? found : requestedTarget(args).filter(({ quoted: text }) => !isNamed(text));
  if (own.length === 0 && known?.ofWindow && window) return [...verb, { quoted: window }];
  const where: SentencePart[] = window && !isNamed(window) && window !== name ? ['in', { quoted: window }] : [];
  const from = !window && app?.name ? ['in', { quoted: app.name }] : [];
  return [...verb, ...(own.length > 0 && known?.at ? [known.at] : []), ...own, ...where, ...from];
}

/** The same as one line of text, with external text in quotes. */
export function stepSentence(step: CallStep): string {
  const parts = stepParts(step).map((part) => (typeof part === 'string' ? part : JSON.stringify(part.quoted)));
  return safeText(parts.join(' '));
}

/** `41 ms`, `1.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1_000);
  const [large, small] =
    seconds < 3_600
      ? [`${Math.floor(seconds / 60)} min`, seconds % 60 === 0 ? '' : `${seconds % 60} s`]
      : [`${Math.floor(seconds / 3_600)} h`, `${Math.floor((seconds % 3_600) / 60)} min`];
  return [large, small].filter(Boolean).join(' ');
}

/** `10:30:45.120` of `2026-11-15T10:30:45.120Z`. */
export const clockText = (at: string): string => at.slice(11, 23);

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** `15 November 2026, 10:30:45`; always in UTC, as in the log. */
export function dateText(at: string): string {
  return `${dayText(at)}, ${at.slice(11, 19)}`;
}

export function dayText(at: string): string {
  return `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1] ?? ''} ${at.slice(0, 4)}`;
}

/** `mcp s7`, `cli`, `replay:5f3a`: a session id that starts with its surface is not prefixed again. */
export function callerText({ surface, session }: Caller): string {
  if (session === undefined) return surface;
  return session === surface || session.startsWith(`${surface}:`) ? session : `${surface} ${session}`;
}

// Invisible characters, direction marks and line ends are shown by number, so that they cannot hide anything.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;
/** Records contain at most 200 characters per text; an edited file may contain anything. */
const MAX_LENGTH = 2_000;

/** Any text on one line, with every character visible. */
export function safeText(text: string): string {
  const shown = text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) + cutMark(text.length - MAX_LENGTH) : text;
  return shown.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
