import type { ReadLine } from '../audit/index.js';
import {
  type CompiledPolicy,
  compilePolicy,
  type Effect,
  type Files,
  type PolicyRequest,
  type PolicyVerdict,
  type TargetFacts,
} from '../policy/index.js';
import { DesktopError } from '../shared/index.js';
import { callRequest, policyRequest, TOOLS } from '../tools/index.js';
import { parseRef } from '../tree/index.js';
import { traceOf } from './build-trace.js';
import { type CallStep, isCallStep, type Trace } from './trace.js';

/** `open`: the log lacks facts that the policy needs, so the recorded decision may or may not come again. */
export type DecisionChange = 'same' | 'stricter' | 'looser' | 'open';

/** A call of a log, decided again. */
export interface RehearsedCall {
  step: CallStep;
  then: Effect;
  now: readonly Effect[];
  rule: string;
  tier: string;
  change: DecisionChange;
}

export interface Rehearsal {
  calls: RehearsedCall[];
  /** Steps that cannot be decided again, counted by reason. */
  left: { why: string; count: number }[];
}

interface RehearsalTotals extends Record<DecisionChange, number> {
  calls: number;
}

/** A rehearsal of a whole log. */
interface PolicyRehearsal extends Rehearsal {
  desktop: PolicyRequest['desktop'];
  policyHash: string;
  totals: RehearsalTotals;
}

/** Decides the calls of a log again under other policy files. `desktop` defaults to the kind of desktop of the log. */
export function rehearsePolicy(
  lines: Iterable<ReadLine>,
  files: Files,
  desktop?: PolicyRequest['desktop'],
): PolicyRehearsal {
  const trace = traceOf(lines);
  const kind = desktop ?? (trace.desktop?.startsWith('user.') ? 'seat' : 'virtual');
  const policy = compilePolicy(files, kind);
  const rehearsal = rehearseTrace(trace, policy, kind);
  if (rehearsal.calls.length === 0) {
    throw new DesktopError('bad_arguments', 'The log contains no call that a policy decides.', {
      hint: 'Give another log.',
    });
  }
  return { ...rehearsal, desktop: kind, policyHash: policy.hash, totals: rehearsalTotals(rehearsal) };
}

export function rehearsalTotals({ calls }: Rehearsal): RehearsalTotals {
  const count = (change: DecisionChange): number => calls.filter((call) => call.change === change).length;
  return {
    calls: calls.length,
    ...{ same: count('same'), stricter: count('stricter'), looser: count('looser'), open: count('open') },
  };
}

/** Decides each call of a trace under another policy. No approval is requested and nothing is performed. */
export function rehearseTrace({ steps }: Trace, policy: CompiledPolicy, desktop: PolicyRequest['desktop']): Rehearsal {
  const calls: RehearsedCall[] = [];
  const left = new Map<string, number>();
  for (const step of steps.filter(isCallStep)) {
    const result = decideAgain(step, policy, desktop);
    if (typeof result !== 'string') calls.push(result);
    else left.set(result, (left.get(result) ?? 0) + 1);
  }
  return { calls, left: [...left].map(([why, count]) => ({ why, count })) };
}

function decideAgain(
  step: CallStep,
  policy: CompiledPolicy,
  desktop: PolicyRequest['desktop'],
): RehearsedCall | string {
  const tool = TOOLS.find(({ name }) => name === step.tool);
  if (!tool)
    return step.tool === 'policy_explain'
      ? 'only asked for an explanation of the policy'
      : 'a tool that does not exist';
  const then = recordedAnswer(step);
  if (!then) return 'not decided by a rule';
  const args = step.args ?? {};
  const target = targetOf(step, args);
  const call = callRequest(tool, step.caller?.surface ?? 'unknown', args);
  try {
    // A session that acted on the user's desktop had been enabled there.
    const { keys, ...request } = policyRequest(call, { desktop, enabled: true, ...(target && { target }) });
    const hidden = typeof args.text === 'string' && INCOMPLETE_TEXT.test(args.text);
    const { rule, tier, ...verdict } = policy.decide({ ...request, ...(keys && !hidden && { keys }) });
    const now = hadMoreFacts(step, policy, verdict) ? withRecordedAnswer(verdict.answers, then) : verdict.answers;
    return { step, then, now, rule, tier, change: changeOf(then, now) };
  } catch (error) {
    // The log truncates long arguments: the rest may no longer be valid keys.
    if (error instanceof DesktopError && error.code === 'bad_arguments')
      return 'arguments that the log does not contain';
    throw error;
  }
}

/**
 * The recorded decision used facts that the log does not contain, such as the other end of a drag or the button around
 * a label: it was made by the same policy, or its risk score was higher.
 */
function hadMoreFacts(
  { decision }: CallStep,
  { hash }: CompiledPolicy,
  { risk }: Pick<PolicyVerdict, 'risk'>,
): boolean {
  return decision?.policy === hash || (decision?.risk?.score ?? 0) > risk.score.most;
}

const withRecordedAnswer = (answers: readonly Effect[], then: Effect): Effect[] =>
  STRICTNESS.filter((one) => one === then || answers.includes(one));

/** A secret's mark, or the end of a truncated text: the keys that it pressed are not known. */
const INCOMPLETE_TEXT = /‹[^›]*›|…\(\+\d+\)$|…$/;

/** The decision before an approval or a rate limit changed the result. */
function recordedAnswer({ decision, outcome, kind }: CallStep): Effect | undefined {
  const error = outcome?.error;
  if (kind === 'question' || error?.startsWith('approval_')) return 'ask';
  // Changed policy files and an emergency stop deny everything. A rule of a file has a tier.
  const everything = decision?.tier === undefined && ['policy_denied', 'stop'].includes(decision?.rule ?? '');
  if (error === 'rate_limited' || (error === 'policy_denied' && everything)) return undefined;
  return decision?.answer;
}

function targetOf(step: CallStep, args: Record<string, unknown>): TargetFacts | undefined {
  const { target, app, confidence, kind } = step;
  // A call that was refused before its target was resolved has none in the log.
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

const STRICTNESS: readonly Effect[] = ['allow', 'ask', 'deny'];

export function changeOf(then: Effect, now: readonly Effect[]): DecisionChange {
  const steps = now.map((answer) => STRICTNESS.indexOf(answer) - STRICTNESS.indexOf(then));
  if (steps.every((step) => step === 0)) return 'same';
  if (steps.every((step) => step > 0)) return 'stricter';
  return steps.every((step) => step < 0) ? 'looser' : 'open';
}
