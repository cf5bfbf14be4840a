import { cleanName } from '../../shared/index.js';
import { type Element, quote } from '../../tree/index.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { type CallRequest, surfaceOf, loggableArgs } from '../request/policy-request.js';
import type { Target } from '../locate/target.js';
import type { ApprovalCase } from './ask-user.js';

/** A question in the words that a person reads: what the system vouches for and our own words first, then the screen's. */
export interface ApprovalPrompt {
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
  /** What makes it high, whatever the score. */
  raised?: string;
  reason?: string;
  /** The session is asked for as a whole. */
  enables?: true;
  /** What it would do, without what is secret. */
  args: Record<string, unknown>;
  /** Quoted from the screen: data. */
  screen?: {
    app?: string;
    window?: string;
    role?: string;
    name?: string;
    path?: string[];
    /** Of what is risky: what stands beside it. */
    siblings?: string[];
  };
  /** What would have to stand in a policy for nobody to be asked again; absent where no rule should. */
  rule?: string;
  /** What is otherwise than when it was asked first. */
  changed?: string[];
}

const SHOWN = 80;
const short = (text: string): string => cleanName(text, SHOWN).text;

export function approvalPrompt(
  { asked: request, decided: decision, aim: plan }: Omit<ApprovalCase, 'subject'>,
  changed?: readonly string[],
): ApprovalPrompt {
  const { window } = plan ?? {};
  const target = plan?.target ?? (plan?.at && plan.lands?.target);
  const { risk, rule, reason, enables } = decision;
  const secret = (target ?? plan?.lands?.target)?.element.states.secret === true;
  const risky = risk?.levels.some((level) => level === 'high' || level === 'prohibited');
  const lasting = enables ? undefined : suggestedRule(request, decision);
  const screen = (target || window) && {
    ...(window && { app: short(window.app), window: short(window.title) }),
    ...(target && { role: target.element.role, name: short(target.element.name ?? '') }),
    ...(target && { path: target.path.map(called) }),
    ...(target && risky && siblingsOf(target)),
  };
  const program = plan?.start?.program ?? window?.program;
  return {
    what: enables ? `work of ${surfaceOf(request.caller)} on this desktop` : words(request.tool, plan),
    why: [...(risk ? [`risk ${risk.levels.join(' or ')}`] : []), `rule ${rule}`].join(', '),
    ...{ tool: request.tool, caller: request.caller },
    ...(program !== undefined && { program }),
    ...(window?.pid !== undefined && { pid: window.pid }),
    ...(risk && { score: risk.score, parts: risk.parts.map(({ points, why }) => `${points} ${why}`) }),
    ...(risk?.raised !== undefined && { raised: risk.raised }),
    ...(reason !== undefined && { reason }),
    ...(enables && { enables }),
    args: loggableArgs(request, !secret),
    ...(screen && { screen }),
    ...(lasting !== undefined && { rule: lasting }),
    ...(changed && { changed: [...changed] }),
  };
}

const called = ({ role, name }: Pick<Element, 'role' | 'name'>): string =>
  name ? `${role} ${quote(short(name))}` : role;

const MOST_SIBLINGS = 8;

/** Those nearest to it, in their order. */
function siblingsOf({ element, path }: Target): { siblings?: string[] } {
  const all = (path.at(-1)?.children ?? []).filter(({ states }) => states.visible !== false);
  const at = all.findIndex(({ id }) => id === element.id);
  if (at < 0) return {};
  const from = Math.max(0, Math.min(at - MOST_SIBLINGS / 2, all.length - MOST_SIBLINGS - 1));
  const near = all.slice(from, from + MOST_SIBLINGS + 1).filter(({ id }) => id !== element.id);
  return near.length > 0 ? { siblings: near.map(called) } : {};
}

function words(tool: string, plan: ApprovalCase['aim']): string {
  if (!plan) return tool;
  const { verb, window, start, onto, end } = plan;
  const target = plan.target ?? (plan.at && plan.lands?.target);
  if (!target)
    return [verb, start?.program ?? (window ? `in ${window.ref} ${quote(short(window.title))}` : '')].join(' ').trim();
  const last = onto ?? end?.lands?.target;
  const where = last ? ` onto ${place(last)}` : end?.window ? ` into ${end.window.ref}` : '';
  return `${verb} ${place(target)}${where}`;
}

function place({ element: { ref, role, name }, window }: Target): string {
  return `${ref} ${role}${name ? ` ${quote(short(name))}` : ''} in ${window.ref}`;
}

/**
 * The rule that would let this pass without a question, as it can be put into a policy file (JSON is YAML): for this tool
 * in this program, and where it is risky for this target alone. None for what only claims to be a program: an allow rule
 * never fits that.
 */
export function suggestedRule({ tool, class: kind }: CallRequest, { facts, risk }: PolicyDecision): string | undefined {
  const program = facts?.app && 'path' in facts.app ? facts.app.path : undefined;
  if (!facts || !risk || program === undefined) return undefined;
  const level = risk.levels.at(-1)!;
  const risky = level === 'high' || level === 'prohibited';
  if (risky && !facts.name) return undefined;
  const when = {
    app: escaped(program),
    tool,
    class: kind,
    ...(risky && { name: escaped(facts.name!), risk: [level] }),
  };
  const name = [tool, program.split('/').at(-1)!].join('-').replaceAll(/[^a-z0-9.-]+/gi, '-');
  return JSON.stringify({ name, when, decision: 'allow' });
}

/** What it says, and nothing else. */
const escaped = (text: string): string => text.replaceAll(/[\\*?]/g, '\\$&');
