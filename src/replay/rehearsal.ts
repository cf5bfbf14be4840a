import type { Decision, CompiledPolicy, PolicyRequest, TargetFacts, PolicyVerdict } from '../policy/index.js';
import { DesktopError } from '../shared/index.js';
import { policyRequest, TOOLS } from '../tools/index.js';
import { isDeed, type DeedStep, type Trace } from './trace.js';
import { parseRef } from '../tree/index.js';

type Answer = Decision['answer'];

/** `open`: the log does not tell all that the policy asks for, and what was decided then may come again or not. */
export type Change = 'same' | 'stricter' | 'looser' | 'open';

/** A call of a log, decided once more. */
export interface Rehearsed {
  step: DeedStep;
  then: Answer;
  now: readonly Answer[];
  rule: string;
  tier: string;
  change: Change;
}

export interface Rehearsal {
  calls: Rehearsed[];
  /** Steps that cannot be decided again, and why, each once. */
  left: { why: string; count: number }[];
}

/** Each call of a log under another policy. Nobody is asked and nothing is done. */
export function rehearseTrace({ steps }: Trace, policy: CompiledPolicy, desktop: PolicyRequest['desktop']): Rehearsal {
  const calls: Rehearsed[] = [];
  const left = new Map<string, number>();
  for (const step of steps.filter(isDeed)) {
    const done = again(step, policy, desktop);
    if (typeof done !== 'string') calls.push(done);
    else left.set(done, (left.get(done) ?? 0) + 1);
  }
  return { calls, left: [...left].map(([why, count]) => ({ why, count })) };
}

function again(step: DeedStep, policy: CompiledPolicy, desktop: PolicyRequest['desktop']): Rehearsed | string {
  const tool = TOOLS.find(({ name }) => name === step.tool);
  if (!tool) return step.tool === 'policy_explain' ? 'only asked what the policy says' : 'a tool that is not there';
  const then = answerThen(step);
  if (!then) return 'not decided by a rule';
  const args = step.args ?? {};
  const target = targetOf(step, args);
  const asked = { tool: tool.name, class: tool.class, caller: step.caller?.surface ?? 'unknown', args };
  try {
    // Whoever acted on a person's screen had been let in there.
    const { keys, ...question } = policyRequest(asked, { desktop, enabled: true, ...(target && { target }) });
    const hidden = typeof args.text === 'string' && NOT_ALL.test(args.text);
    const { rule, tier, ...verdict } = policy.decide({ ...question, ...(keys && !hidden && { keys }) });
    const now = knewMore(step, policy, verdict) ? alsoThen(verdict.answers, then) : verdict.answers;
    return { step, then, now, rule, tier, change: changeOf(then, now) };
  } catch (error) {
    // Long arguments are cut in a log: what is left of them may be no keys any more.
    if (error instanceof DesktopError && error.code === 'bad_arguments') return 'arguments that the log does not hold';
    throw error;
  }
}

/**
 * More was judged then than the log tells of: the other end of a drag, the button around a word. The same policy said
 * something else, or it was more of a risk.
 */
function knewMore({ decision }: DeedStep, { hash }: CompiledPolicy, { risk }: Pick<PolicyVerdict, 'risk'>): boolean {
  return decision?.policy === hash || (decision?.risk?.score ?? 0) > risk.score.most;
}

const alsoThen = (answers: readonly Answer[], then: Answer): Answer[] =>
  STRICTNESS.filter((one) => one === then || answers.includes(one));

/** A secret's mark, or the end of a text that was cut: what else it pressed is not known. */
const NOT_ALL = /‹[^›]*›|…\(\+\d+\)$|…$/;

/** What was decided before a person or a limit had a say. */
function answerThen({ decision, outcome, kind }: DeedStep): Answer | undefined {
  const error = outcome?.error;
  if (kind === 'question' || error?.startsWith('approval_')) return 'ask';
  // Files that changed, and a stop, say no to everything. What a file says has a tier.
  const everything = decision?.tier === undefined && ['policy_denied', 'stop'].includes(decision?.rule ?? '');
  if (error === 'rate_limited' || (error === 'policy_denied' && everything)) return undefined;
  return decision?.answer;
}

function targetOf(step: DeedStep, args: Record<string, unknown>): TargetFacts | undefined {
  const { target, app, confidence, kind } = step;
  // What was refused before it was looked for has none in the log.
  if (!target && !app && kind !== 'act') return undefined;
  const named = args.target ?? args.from;
  return {
    ...(app?.program !== undefined && { app: app.program }),
    ...(app?.name !== undefined && { appName: app.name }),
    ...(target?.window !== undefined && { window: target.window }),
    ...(target?.role !== undefined && { role: target.role, secure: target.role === 'passwordbox' }),
    ...(target?.name !== undefined && { name: target.name }),
    ...(typeof named === 'string' && target?.role !== undefined && { method: methodOf(named) }),
    ...(confidence !== undefined && { confidence }),
  };
}

function methodOf(named: string): 'id' | 'focus' | 'name' {
  if (parseRef(named.trim()) !== undefined) return 'id';
  return named.trim().toLowerCase() === 'focused' ? 'focus' : 'name';
}

const STRICTNESS: readonly Answer[] = ['allow', 'ask', 'deny'];

export function changeOf(then: Answer, now: readonly Answer[]): Change {
  const steps = now.map((answer) => STRICTNESS.indexOf(answer) - STRICTNESS.indexOf(then));
  if (steps.every((step) => step === 0)) return 'same';
  if (steps.every((step) => step > 0)) return 'stricter';
  return steps.every((step) => step < 0) ? 'looser' : 'open';
}
