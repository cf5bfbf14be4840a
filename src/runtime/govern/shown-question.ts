import { cleanName } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import { surfaceOf, writtenArgs } from './asked.js';
import type { Matter } from './approval.js';

/** A question in the words that a person reads: what the system vouches for and our own words first, then the screen's. */
export interface Shown {
  /** `click e22 button "Delete" in w3` */
  what: string;
  /** `risk high, rule ask-destructive` */
  why: string;
  tool: string;
  caller: string;
  /** By the operating system; absent where it cannot be checked. */
  program?: string;
  pid?: number;
  score?: { least: number; most: number };
  /** Each part of the score, in words. */
  parts?: string[];
  reason?: string;
  /** The session is asked for as a whole. */
  enables?: true;
  /** What it would do, without what is secret. */
  args: Record<string, unknown>;
  /** Quoted from the screen: data. */
  screen?: { app?: string; window?: string; role?: string; name?: string; path?: string[] };
  /** What is otherwise than when it was asked first. */
  changed?: string[];
}

const SHOWN = 80;
const short = (text: string): string => cleanName(text, SHOWN).text;

export function shownQuestion({ asked, decided, aim }: Omit<Matter, 'subject'>, changed?: readonly string[]): Shown {
  const { target, window } = aim ?? {};
  const { risk, rule, reason, enables } = decided;
  const secret = target?.element.states.secret === true;
  const screen = (target || window) && {
    ...(window && { app: short(window.app), window: short(window.title) }),
    ...(target && { role: target.element.role, name: short(target.element.name ?? '') }),
    ...(target && { path: target.path.map(({ role, name }) => (name ? `${role} ${quote(short(name))}` : role)) }),
  };
  const program = aim?.program ?? window?.program;
  return {
    what: enables ? `work of ${surfaceOf(asked.caller)} on this desktop` : words(asked.tool, aim),
    why: [...(risk ? [`risk ${risk.levels.join(' or ')}`] : []), `rule ${rule}`].join(', '),
    ...{ tool: asked.tool, caller: asked.caller },
    ...(program !== undefined && { program }),
    ...(window?.pid !== undefined && { pid: window.pid }),
    ...(risk && { score: risk.score, parts: risk.parts.map(({ points, why }) => `${points} ${why}`) }),
    ...(reason !== undefined && { reason }),
    ...(enables && { enables }),
    args: writtenArgs(asked, !secret),
    ...(screen && { screen }),
    ...(changed && { changed: [...changed] }),
  };
}

function words(tool: string, aim: Matter['aim']): string {
  if (!aim) return tool;
  const { verb, target, window, program } = aim;
  if (!target)
    return [verb, program ?? (window ? `in ${window.ref} ${quote(short(window.title))}` : '')].join(' ').trim();
  const { ref, role, name } = target.element;
  return `${verb} ${ref} ${role}${name ? ` ${quote(short(name))}` : ''} in ${target.window.ref}`;
}
