import { all, type Effect, type Outcome } from '../decision.js';
import type { Facts } from '../facts.js';
import type { FileTier, Rule, Secret, When } from '../file/schema.js';
import type { Level } from '../risk/risk.js';
import { type Condition, listOf, type Matcher, MATCHERS, type EvaluationContext, levelsWithin } from './conditions.js';
import { compilePage, isBrowser, type PageAddress } from './page-address.js';

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

const NO_RISK = { levels: [], score: { least: 0, most: 0 }, parts: [] };

/** Why a secret may not be typed somewhere. */
export type SecretRefusal =
  | { why: 'another target' }
  /** A web page, and `into` names no address. */
  | { why: 'no url' }
  /** `into` names an address, and the field is in no page. */
  | { why: 'no page' }
  | { why: 'another page'; page: PageAddress };

/**
 * Whether a secret may be typed there: all conditions of `into` must match, as in a rule that allows. A name that the
 * app claims is not enough, and a fact that is not known yet does not match. `pages`: the web pages around the field,
 * innermost first. Each of them must have an address that `url` allows: a page can read what is typed into the frames
 * of its own site, and it chooses what surrounds the frames of others.
 */
export function secretRefusal(
  { into }: Secret,
  facts: Facts,
  pages: readonly PageAddress[],
): SecretRefusal | undefined {
  const { url, ...when } = into;
  const context = { facts: { ...facts, does: [], actions: [] }, risk: NO_RISK };
  if (compileWhen(when)(context, 'allow') !== 'yes') return { why: 'another target' };
  if (url === undefined) {
    const shows = pages.length > 0 || (facts.app && isBrowser(facts.app));
    return shows ? { why: 'no url' } : undefined;
  }
  if (pages.length === 0) return { why: 'no page' };
  const allowed = listOf<string>(url).map(compilePage);
  const other = pages.find((page) => !allowed.some((fits) => fits(page)));
  return other === undefined ? undefined : { why: 'another page', page: other };
}
