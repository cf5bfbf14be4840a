import { all, type Effect, distinct, type Outcome, type Outcomes } from '../decision.js';
import type { Facts } from '../facts.js';
import type { FileTier, Rule, Secret, When } from '../file/schema.js';
import type { Level } from '../risk/risk.js';
import { type Fits, type Matcher, MATCHERS, type EvaluationContext, within } from './conditions.js';

/** A rule that is ready to be held against facts. */
export interface ReadyRule {
  fits: (moment: EvaluationContext) => ReturnType<Fits>;
  outcome: Outcome;
}

const ALLOWED_UNNAMED: ReadonlySet<Level> = new Set(['low', 'medium']);

export function compileRules(rules: readonly Rule[], tier: FileTier): ReadyRule[] {
  return rules.map(({ name, when = {}, decision, reason, grant }) => {
    const fits = compileWhen(when);
    // Who allows something in general has not thought of what is dangerous: that has to be named.
    const capped = decision === 'allow' && when.risk === undefined;
    return {
      fits: (moment) => all([fits(moment, decision), capped ? within(moment.risk.levels, ALLOWED_UNNAMED) : 'yes']),
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

export function compileWhen(when: When): Fits {
  const tests = Object.entries(when)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => (MATCHERS[key as keyof typeof MATCHERS] as Matcher).compile(value));
  return (moment: EvaluationContext, decision: Effect) => all(tests.map((fits) => fits(moment, decision)));
}

/** What the first rule that fits says. Those that may fit may be it; the first that surely does ends the list. */
export function firstThatFits(rules: readonly ReadyRule[], moment: EvaluationContext): Outcomes {
  const possible: (Outcome | undefined)[] = [];
  for (const { fits, outcome } of rules) {
    const match = fits(moment);
    if (match === 'no') continue;
    possible.push(outcome);
    if (match === 'yes') return distinct(possible);
  }
  return distinct([...possible, undefined]);
}

const NO_RISK = { levels: [], score: { least: 0, most: 0 }, parts: [] };

/**
 * Whether a secret may be typed there: all that `into` names fits, as in a rule that allows. What an app claims to be
 * is not enough, and what is not known yet is no yes.
 */
export function secretFits({ into }: Secret, facts: Facts): boolean {
  return compileWhen(into)({ facts, risk: NO_RISK }, 'allow') === 'yes';
}
