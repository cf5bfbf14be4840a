import { all, type Effect, distinct, type Outcome, type Outcomes } from '../decision.js';
import type { Facts } from '../facts.js';
import type { FileTier, Rule, Secret, When } from '../file/schema.js';
import type { Level } from '../risk/risk.js';
import { type Condition, type Matcher, MATCHERS, type EvaluationContext, levelsWithin } from './conditions.js';

/** A rule, compiled to match against facts. */
export interface CompiledRule {
  matches: (context: EvaluationContext) => ReturnType<Condition>;
  outcome: Outcome;
}

const DEFAULT_ALLOW_LEVELS: ReadonlySet<Level> = new Set(['low', 'medium']);

export function compileRules(rules: readonly Rule[], tier: FileTier): CompiledRule[] {
  return rules.map(({ name, when = {}, decision, reason, grant }) => {
    const fits = compileWhen(when);
    // A general allow does not cover dangerous acts: high and prohibited risk must be named in `risk`.
    const capped = decision === 'allow' && when.risk === undefined;
    return {
      matches: (context) =>
        all([fits(context, decision), capped ? levelsWithin(context.risk.levels, DEFAULT_ALLOW_LEVELS) : 'yes']),
      outcome: {
        answer: decision,
        rule: name,
        tier,
        ...(reason !== undefined && { reason }),
        ...(grant && { scope: grant }),
      },
    };
  });
}

export function compileWhen(when: When): Condition {
  const tests = Object.entries(when)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => (MATCHERS[key as keyof typeof MATCHERS] as Matcher).compile(value));
  return (context: EvaluationContext, decision: Effect) => all(tests.map((fits) => fits(context, decision)));
}

/**
 * The outcomes of the first matching rule. Every rule that may match is a candidate, up to the first one that certainly
 * matches. The certain outcome comes first (`undefined`: no rule matches): of equal answers, `distinct` keeps the
 * first, so a refusal names a rule that needs no guess.
 */
export function firstMatch(rules: readonly CompiledRule[], context: EvaluationContext): Outcomes {
  const possible: (Outcome | undefined)[] = [];
  for (const { matches: fits, outcome } of rules) {
    const match = fits(context);
    if (match === 'no') continue;
    if (match === 'yes') return distinct([outcome, ...possible]);
    possible.push(outcome);
  }
  return distinct([undefined, ...possible]);
}

const NO_RISK = { levels: [], score: { least: 0, most: 0 }, parts: [] };

/**
 * Whether a secret may be typed there: all conditions of `into` must match, as in a rule that allows. A name that the
 * app claims is not enough, and a fact that is not known yet does not match.
 */
export function secretAllowedAt({ into }: Secret, facts: Facts): boolean {
  return compileWhen(into)({ facts: { ...facts, does: [], actions: [] }, risk: NO_RISK }, 'allow') === 'yes';
}
