import { describePage } from '../../policy/index.js';
import { cleanName } from '../../shared/index.js';
import { type Element, quote } from '../../tree/index.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { type CallRequest, surfaceOf } from '../request/policy-request.js';
import { loggableArgs } from '../request/tool-traits.js';
import type { Target } from '../locate/target.js';
import type { ApprovalCase } from './ask-user.js';

/**
 * What the user reads before answering. Facts verified by the system and our own words come first, text from the screen
 * last.
 */
export interface ApprovalPrompt {
  /** `click e22 button "Delete" in w3` */
  what: string;
  /** `risk high, rule ask-destructive` */
  why: string;
  tool: string;
  caller: string;
  /** As reported by the operating system; absent if it cannot be verified. */
  program?: string;
  pid?: number;
  /** For a secret: the addresses of the pages around its field, as the browser reports them, innermost first. */
  pages?: string[];
  score?: { least: number; most: number };
  /** Each part of the score as text. */
  parts?: string[];
  /** Why the risk is high whatever the score is. */
  raised?: string;
  reason?: string;
  /** Asks for the session as a whole. */
  enables?: true;
  /** The arguments of the call, without secrets. */
  args: Record<string, unknown>;
  /** Quoted from the screen: data, not instructions. */
  screen?: {
    app?: string;
    window?: string;
    role?: string;
    name?: string;
    path?: string[];
    /** Only for risky acts: the elements next to the target. */
    siblings?: string[];
  };
  /** The policy rule that would allow this without asking; absent if no rule should. */
  rule?: string;
  /** The parts that changed since the first request. */
  changed?: string[];
}

const MAX_TEXT = 80;
const truncated = (text: string): string => cleanName(text, MAX_TEXT).text;

export function approvalPrompt(
  { request, decision, plan }: Omit<ApprovalCase, 'subject'>,
  changed?: readonly string[],
): ApprovalPrompt {
  const { window } = plan ?? {};
  const target = plan?.target ?? (plan?.at && plan.lands?.target);
  const { risk, rule, reason, enables, effect } = decision;
  const secret = (target ?? plan?.lands?.target)?.element.states.secret === true;
  const risky = risk?.levels.some((level) => level === 'high' || level === 'prohibited');
  // A rule about the control would also have to allow the click.
  const ruleText = enables || effect !== undefined ? undefined : suggestedRule(request, decision);
  const screen = (target || window) && {
    ...(window && { app: truncated(window.app), window: truncated(window.title) }),
    ...(target && { role: target.element.role, name: truncated(target.element.name ?? '') }),
    ...(target && { path: target.path.map(describeElement) }),
    ...(target && risky && siblingsOf(target)),
  };
  const program = plan?.start?.program ?? window?.program;
  return {
    what: enables
      ? `control of this desktop by ${surfaceOf(request.caller)}`
      : `${describeAct(request.tool, plan)}${effect === undefined ? '' : ` (${effect})`}`,
    why: [...(risk ? [`risk ${risk.levels.join(' or ')}`] : []), `rule ${rule}`].join(', '),
    ...{ tool: request.tool, caller: request.caller },
    ...(program !== undefined && { program }),
    ...(window?.pid !== undefined && { pid: window.pid }),
    ...(plan?.pages && plan.pages.length > 0 && { pages: plan.pages.map(describePage) }),
    ...(risk && { score: risk.score, parts: risk.parts.map(({ points, why }) => `${points} ${why}`) }),
    ...(risk?.raised !== undefined && { raised: risk.raised }),
    ...(reason !== undefined && { reason }),
    ...(enables && { enables }),
    args: loggableArgs(request, !secret),
    ...(screen && { screen }),
    ...(ruleText !== undefined && { rule: ruleText }),
    ...(changed && { changed: [...changed] }),
  };
}

const describeElement = ({ role, name }: Pick<Element, 'role' | 'name'>): string =>
  name ? `${role} ${quote(truncated(name))}` : role;

const MOST_SIBLINGS = 8;

/** The siblings nearest to the target, in tree order. */
function siblingsOf({ element, path }: Target): { siblings?: string[] } {
  const all = (path.at(-1)?.children ?? []).filter(({ states }) => states.visible !== false);
  const at = all.findIndex(({ id }) => id === element.id);
  if (at < 0) return {};
  const from = Math.max(0, Math.min(at - MOST_SIBLINGS / 2, all.length - MOST_SIBLINGS - 1));
  const near = all.slice(from, from + MOST_SIBLINGS + 1).filter(({ id }) => id !== element.id);
  return near.length > 0 ? { siblings: near.map(describeElement) } : {};
}

function describeAct(tool: string, plan: ApprovalCase['plan']): string {
  if (!plan) return tool;
  const { verb, window, start, onto, end } = plan;
  const target = plan.target ?? (plan.at && plan.lands?.target);
  if (!target)
    return [verb, start?.program ?? (window ? `in ${window.ref} ${quote(truncated(window.title))}` : '')]
      .join(' ')
      .trim();
  const last = onto ?? end?.lands?.target;
  const where = last ? ` onto ${describeTarget(last)}` : end?.window ? ` into ${end.window.ref}` : '';
  return `${verb} ${describeTarget(target)}${where}`;
}

function describeTarget({ element: { ref, role, name }, window }: Target): string {
  return `${ref} ${role}${name ? ` ${quote(truncated(name))}` : ''} in ${window.ref}`;
}

/**
 * The rule that would allow this act without asking, ready to be pasted into a policy file (JSON is YAML). It covers
 * this tool in this program; if the act is risky, it covers only this target. There is none if the program cannot be
 * verified, because an allow rule never matches such a program.
 */
export function suggestedRule({ tool, class: kind }: CallRequest, { facts, risk }: PolicyDecision): string | undefined {
  const program = facts?.app && 'path' in facts.app ? facts.app.path : undefined;
  if (!facts || !risk || program === undefined) return undefined;
  const level = risk.levels.at(-1)!;
  const risky = level === 'high' || level === 'prohibited';
  if (risky && !facts.name) return undefined;
  const when = {
    app: escapePattern(program),
    tool,
    class: kind,
    ...(risky && { name: escapePattern(facts.name!), risk: [level] }),
  };
  const name = [tool, program.split('/').at(-1)!].join('-').replaceAll(/[^a-z0-9.-]+/gi, '-');
  return JSON.stringify({ name, when, decision: 'allow' });
}

/** Escapes pattern characters, so that the text matches only itself. */
const escapePattern = (text: string): string => text.replaceAll(/[\\*?]/g, '\\$&');
