import {
  type Effect,
  combine,
  distinct,
  mildest,
  type Outcome,
  type Outcomes,
  type PolicyRequest,
  type TierResult,
  strictest,
  strictness,
  type Tier,
  type PolicyVerdict,
} from './decision.js';
import { type CallFacts, type Facts, factsOf, impliedRequests, launches } from './facts.js';
import type { EvaluationContext } from './rules/conditions.js';
import type { Profile } from './file/schema.js';
import { riskOf, type Risk, type RiskModel } from './risk/risk.js';
import type { CompiledRule } from './rules/rules.js';
import type { WindowRules } from './rules/window-rules.js';

/** A policy compiled for one kind of desktop. */
export interface PreparedPolicy {
  profile: Profile;
  enabled: boolean;
  builtIn: readonly CompiledRule[];
  user: readonly CompiledRule[];
  projects: readonly (readonly CompiledRule[])[];
  managed: readonly CompiledRule[];
  windows: WindowRules;
  riskModel: RiskModel;
  /** The risk model without the managed file's additions; the same object as `riskModel` if it adds none. */
  riskModelWithoutManaged: RiskModel;
}

type VerdictWithoutHash = Omit<PolicyVerdict, 'policyHash'>;

/** Pure: the same policy and the same request give the same decision. */
export function decide(policy: PreparedPolicy, request: PolicyRequest): VerdictWithoutHash {
  const facts = factsOf(request);
  const own = evaluate(policy, request, facts);
  let outcomes = own.outcomes;
  for (const { facts: others, maybe } of impliedRequests(request, facts)) {
    const both = combine(outcomes, evaluate(policy, request, others).outcomes);
    outcomes = maybe ? distinct([...outcomes, ...both]) : both;
  }
  const found = request.target !== undefined && request.args !== undefined;
  return verdictOf(outcomes, facts, own, found);
}

interface Evaluation {
  outcomes: Outcomes;
  risk: Risk;
  said: readonly TierResult[];
}

/**
 * The user's rules decide, else the managed file's, else the profile's. After that, the rules of projects and of the
 * managed file can only make the decision stricter, and so can a hidden window and a session that is not enabled.
 */
export function evaluate(policy: PreparedPolicy, request: PolicyRequest, facts: CallFacts): Evaluation {
  const context: EvaluationContext = { facts, risk: riskOf(facts, policy.riskModel) };
  const user = firstMatch(policy.user, context);
  const projects = policy.projects.map((rules) => firstMatch(rules, context));
  const managed = firstMatch(policy.managed, context);
  const builtIn = firstMatch(policy.builtIn, context).map((outcome) => outcome ?? NO_ROW_MATCHES);
  const ruled = user.flatMap((byUser) =>
    managed.flatMap((byManaged) =>
      builtIn.map((byProfile) => strictest([byUser ?? byManaged ?? byProfile, byManaged])),
    ),
  );
  const outcomes = combine(
    windowOutcomes(policy.windows, facts),
    sessionGate(policy, request),
    distinct(ruled),
    ...projects,
    ...outcomesWithoutManagedRisk(policy, facts),
  );
  const project = combine([undefined], ...projects);
  const said = [
    tierResult('user', user),
    tierResult('project', project),
    tierResult('managed', managed),
    tierResult('built-in', builtIn),
  ];
  return { outcomes, risk: context.risk, said };
}

/**
 * The outcomes of the first matching rule. Every rule that may match is a candidate, up to the first one that certainly
 * matches. The certain outcome comes first (`undefined`: no rule matches): of equal answers, `distinct` keeps the
 * first, so a refusal names a rule that needs no guess.
 */
function firstMatch(rules: readonly CompiledRule[], context: EvaluationContext): Outcomes {
  const possible: (Outcome | undefined)[] = [];
  for (const { matches: fits, outcome } of rules) {
    const match = fits(context);
    if (match === 'no') continue;
    if (match === 'yes') return distinct([outcome, ...possible]);
    possible.push(outcome);
  }
  return distinct([undefined, ...possible]);
}

/**
 * The managed file may raise the risk of an act, and then a rule with `risk: [medium]` no longer matches. So that a
 * raised risk never loosens anything, the outcomes of the user's and the projects' rules under their own risk model
 * count as well.
 */
function outcomesWithoutManagedRisk(
  { riskModel: model, riskModelWithoutManaged: modelWithoutManaged, user, projects }: PreparedPolicy,
  facts: CallFacts,
): Outcomes[] {
  if (model === modelWithoutManaged) return [];
  const context: EvaluationContext = { facts, risk: riskOf(facts, modelWithoutManaged) };
  return [user, ...projects].map((rules) => firstMatch(rules, context));
}

function windowOutcomes(windows: WindowRules, { window, fullTitle: whole, appName, app }: Facts): Outcomes {
  if (window === null) return [undefined];
  const program = app && 'path' in app ? app.path : app === undefined ? undefined : null;
  const hidden = windows.hidden({ title: whole ?? window, appName, program });
  if (!hidden) return [undefined];
  const outcome: Outcome = {
    answer: 'deny',
    rule: `windows/${hidden.pattern === 'windows.allow' ? 'not-allowed' : 'blocked'}`,
    tier: hidden.tier,
    reason: 'the target is in a window that the policy hides',
    hint: 'Work in another window, or ask the user to do this.',
  };
  // The certain outcome comes first: a refusal names it.
  return hidden.match === 'yes' ? [outcome] : [undefined, outcome];
}

/**
 * For CLI calls, the user can enable all commands at once. Any other session is approved individually, when it asks.
 */
const ENABLE_HINTS = {
  cli: 'The user has to enable it: deskproof enable.',
  other:
    'The user has to approve this session (deskproof approvals) or every session (enabled: true in the user policy).',
};

function sessionGate({ profile, enabled }: PreparedPolicy, request: PolicyRequest): Outcomes {
  if (profile === 'private' || enabled || request.enabled) return [undefined];
  return [
    {
      answer: 'ask',
      rule: `${profile}/not-enabled`,
      tier: 'built-in',
      reason: "work on the user's own desktop is not enabled yet",
      hint: ENABLE_HINTS[request.caller === 'cli' ? 'cli' : 'other'],
      scope: 'session',
      enables: true,
    },
  ];
}

const NO_ROW_MATCHES: Outcome = {
  answer: 'deny',
  rule: 'built-in/else',
  tier: 'built-in',
  reason: 'no row of the profile matches',
};

function tierResult(tier: Tier, outcomes: Outcomes): TierResult {
  const [only] = outcomes;
  if (outcomes.length !== 1 || !only) return { tier };
  return { tier, answer: only.answer, rule: only.rule };
}

/**
 * Without a target and arguments, the mildest possible answer counts: missing facts are still to come. With both, the
 * strictest counts: facts that are still missing cannot be known.
 */
function verdictOf(
  outcomes: Outcomes,
  facts: CallFacts,
  { risk, said }: Evaluation,
  found: boolean,
): VerdictWithoutHash {
  const possible = outcomes.filter((outcome) => outcome !== undefined);
  const answers = [...new Set(possible.map(({ answer }) => answer))].sort((a, b) => strictness(a) - strictness(b));
  const answer: Effect = (found ? answers.at(-1) : undefined) ?? mildest(answers);
  const { scope, enables, ...rest } = possible.find((outcome) => outcome.answer === answer) ?? NO_ROW_MATCHES;
  const { does: _, actions: __, ...reported } = facts;
  return {
    ...rest,
    answer,
    answers,
    ...(answer === 'ask' && (enables ? { scope, enables } : widestScopes(scope, facts, risk))),
    risk,
    facts: reported,
    said,
  };
}

/**
 * Each act of high risk needs its own approval. An approval to launch a program, or to read, does not cover acts in
 * that program.
 */
function widestScopes(
  scope: Outcome['scope'],
  facts: CallFacts,
  { levels }: Risk,
): Required<Pick<VerdictWithoutHash, 'scope' | 'grant'>> {
  const { class: kind } = facts;
  const once = levels.includes('high') || levels.includes('prohibited') || kind === 'raw';
  const grant = once ? 'once' : (scope ?? 'app');
  const narrow = launches(facts) || kind === 'read' || kind === 'capture';
  return { scope: narrow && grant === 'app' ? 'session' : grant, grant };
}
