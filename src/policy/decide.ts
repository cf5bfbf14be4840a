import { WHOLE } from '../shared/index.js';
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
import { alsoAsked, factsOf, type Facts } from './facts.js';
import type { EvaluationContext } from './rules/conditions.js';
import type { Profile } from './file/schema.js';
import { riskOf, type Risk, type RiskModel } from './risk/risk.js';
import { firstThatFits, type ReadyRule } from './rules/rules.js';
import type { WindowRules } from './rules/window-rules.js';

/** A policy for one kind of desktop, ready to be asked. */
export interface Ready {
  profile: Profile;
  enabled: boolean;
  builtIn: readonly ReadyRule[];
  user: readonly ReadyRule[];
  projects: readonly (readonly ReadyRule[])[];
  managed: readonly ReadyRule[];
  windows: WindowRules;
  scales: RiskModel;
  /** As they were before the managed file added to them; the same ones if it did not. */
  ownScales: RiskModel;
}

export type Decided = Omit<PolicyVerdict, 'policyHash'>;

/** Pure: the same policy and the same question give the same answer. */
export function decide(policy: Ready, question: PolicyRequest): Decided {
  const facts = factsOf(question);
  const own = judge(policy, question, facts);
  let outcomes = own.outcomes;
  for (const { facts: others, maybe } of alsoAsked(question, facts)) {
    const both = combine(outcomes, judge(policy, question, others).outcomes);
    outcomes = maybe ? distinct([...outcomes, ...both]) : both;
  }
  const found = question.target !== undefined && question.args !== undefined;
  return decidedOf(outcomes, facts, own, found);
}

interface Judged {
  outcomes: Outcomes;
  risk: Risk;
  said: readonly TierResult[];
}

/**
 * The user's word counts, else the managed file's, else the profile's. After that a project's and the managed file's
 * can only make it stricter, and so can a window that may not be seen and a session that nobody has enabled.
 */
export function judge(policy: Ready, question: PolicyRequest, facts: Facts): Judged {
  const moment: EvaluationContext = { facts, risk: riskOf(facts, policy.scales) };
  const user = firstThatFits(policy.user, moment);
  const projects = policy.projects.map((rules) => firstThatFits(rules, moment));
  const managed = firstThatFits(policy.managed, moment);
  const builtIn = firstThatFits(policy.builtIn, moment).map((outcome) => outcome ?? UNFORESEEN);
  // From the surest on: of equal answers, the one that needs no guess is the one that is named.
  const ruled = user
    .toReversed()
    .flatMap((byUser) =>
      managed
        .toReversed()
        .flatMap((byManaged) =>
          builtIn.toReversed().map((byProfile) => strictest([byUser ?? byManaged ?? byProfile, byManaged])),
        ),
    );
  const outcomes = combine(
    windowOutcomes(policy.windows, facts),
    gateOf(policy, question),
    distinct(ruled),
    ...projects,
    ...saidBefore(policy, facts),
  );
  const project = combine([undefined], ...projects);
  const said = [told('user', user), told('project', project), told('managed', managed), told('built-in', builtIn)];
  return { outcomes, risk: moment.risk, said };
}

/**
 * The managed file may make an act riskier, and a rule for `risk: [medium]` would fit no more. So that it never loosens
 * anything this way, what user and project say by their own measure counts as well.
 */
function saidBefore({ scales, ownScales, user, projects }: Ready, facts: Facts): Outcomes[] {
  if (scales === ownScales) return [];
  const moment: EvaluationContext = { facts, risk: riskOf(facts, ownScales) };
  return [user, ...projects].map((rules) => firstThatFits(rules, moment));
}

function windowOutcomes(windows: WindowRules, { window, [WHOLE]: whole, appName, app }: Facts): Outcomes {
  if (window === null) return [undefined];
  const program = app && 'path' in app ? app.path : app === undefined ? undefined : null;
  const hidden = windows.hidden({ title: whole ?? window, appName, program });
  if (!hidden) return [undefined];
  const outcome: Outcome = {
    answer: 'deny',
    rule: `windows/${hidden.pattern === 'windows.allow' ? 'not-allowed' : 'blocked'}`,
    tier: hidden.tier,
    reason: 'it happens in a window that the policy hides',
    hint: 'work in another window, or ask a person to do this.',
  };
  // What is certain comes first: it is what a refusal names.
  return hidden.match === 'yes' ? [outcome] : [undefined, outcome];
}

/** Who runs commands may enable them all; any other session is let in by itself, when it asks. */
const LETS_IN = {
  cli: 'a person enables it: deskproof enable.',
  other: 'a person lets this session in: deskproof approvals; or every one: enabled: true in their policy.',
};

function gateOf({ profile, enabled }: Ready, question: PolicyRequest): Outcomes {
  if (profile === 'private' || enabled || question.enabled) return [undefined];
  return [
    {
      answer: 'ask',
      rule: `${profile}/not-enabled`,
      tier: 'built-in',
      reason: "nobody has enabled work on this person's desktop yet",
      hint: LETS_IN[question.caller === 'cli' ? 'cli' : 'other'],
      scope: 'session',
      enables: true,
    },
  ];
}

const UNFORESEEN: Outcome = { answer: 'deny', rule: 'built-in/else', tier: 'built-in', reason: 'no row fits it' };

function told(tier: Tier, outcomes: Outcomes): TierResult {
  const [only] = outcomes;
  if (outcomes.length !== 1 || !only) return { tier };
  return { tier, answer: only.answer, rule: only.rule };
}

/** Before there is a target what may still come counts at its mildest; with one, what nobody can know at its worst. */
function decidedOf(outcomes: Outcomes, facts: Facts, { risk, said }: Judged, found: boolean): Decided {
  const possible = outcomes.filter((outcome) => outcome !== undefined);
  const answers = [...new Set(possible.map(({ answer }) => answer))].sort((a, b) => strictness(a) - strictness(b));
  const answer: Effect = (found ? answers.at(-1) : undefined) ?? mildest(answers);
  const { scope, enables, ...rest } = possible.find((outcome) => outcome.answer === answer) ?? UNFORESEEN;
  return {
    ...rest,
    answer,
    answers,
    ...(answer === 'ask' && (enables ? { scope, enables } : widest(scope, facts, risk))),
    risk,
    facts,
    said,
  };
}

/** No yes covers high risk a second time. One to start a program, or to look, does not cover what is done in it. */
function widest(
  scope: Outcome['scope'],
  { tool, class: kind }: Facts,
  { levels }: Risk,
): Required<Pick<Decided, 'scope' | 'grant'>> {
  const once = levels.includes('high') || levels.includes('prohibited') || kind === 'raw';
  const grant = once ? 'once' : (scope ?? 'app');
  const narrow = tool === 'ui_launch' || kind === 'read' || kind === 'capture';
  return { scope: narrow && grant === 'app' ? 'session' : grant, grant };
}
