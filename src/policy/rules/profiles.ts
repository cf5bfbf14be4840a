import { all, type Effect, type CallClass, type Ternary, not, ternary } from '../decision.js';
import { type CallFacts, launches as isLaunch } from '../facts.js';
import { type EvaluationContext, levelsWithin } from './conditions.js';
import type { Profile } from '../file/schema.js';
import { inTerminal, type Level, type RiskModel } from '../risk/risk.js';
import type { CompiledRule } from './rules.js';

type Test = (context: EvaluationContext, model: RiskModel) => Ternary;

const kind =
  (wanted: CallClass): Test =>
  ({ facts }) =>
    ternary(facts.class === wanted);
const level =
  (...wanted: Level[]): Test =>
  ({ risk }) =>
    levelsWithin(risk.levels, new Set(wanted));
const raw = ({ facts }: { facts: CallFacts }): Ternary => ternary(facts.class === 'raw');
const launches = ({ facts }: { facts: CallFacts }): Ternary => ternary(isLaunch(facts) && facts.class === 'act');
const acts = ({ facts }: { facts: CallFacts }): Ternary => ternary(facts.class === 'act' && !isLaunch(facts));

interface Row {
  name: string;
  test: Test;
  /** `undefined`: the row does not apply to that profile. */
  guarded?: Effect;
  private?: Effect;
  readonly?: Effect;
}

/**
 * The profiles side by side; the first matching row counts. Only acts get past the first four rows. A row for one risk
 * level also includes the levels above it: an act of a higher level has matched an earlier row, and while the level is
 * not known, this row then matches for certain.
 */
const TABLE: readonly Row[] = [
  { name: 'read', test: kind('read'), guarded: 'allow', private: 'allow', readonly: 'allow' },
  { name: 'capture', test: kind('capture'), guarded: 'deny', private: 'allow', readonly: 'deny' },
  // Before the general row for raw calls, since a middle click pastes. Where raw calls are denied, this row does not
  // apply.
  {
    name: 'terminal',
    test: (context, { apps }) => all([raw(context), inTerminal(context.facts, apps)]),
    private: 'ask',
  },
  { name: 'raw', test: raw, guarded: 'deny', private: 'allow', readonly: 'deny' },
  { name: 'act-prohibited', test: level('prohibited'), guarded: 'deny', readonly: 'deny' },
  {
    name: 'terminal',
    test: (context, { apps }) => all([acts(context), inTerminal(context.facts, apps)]),
    ...{ guarded: 'ask', private: 'ask', readonly: 'deny' },
  },
  {
    name: 'launch-terminal',
    test: (context, { apps, mayLaunch }) =>
      all([launches(context), apps.startsAnything(context.facts), not(mayLaunch(context.facts))]),
    ...{ guarded: 'ask', private: 'ask', readonly: 'deny' },
  },
  {
    name: 'launch',
    test: (context, { mayLaunch }) => all([launches(context), mayLaunch(context.facts)]),
    ...{ guarded: 'ask', private: 'allow', readonly: 'deny' },
  },
  { name: 'launch-other', test: launches, guarded: 'ask', private: 'allow', readonly: 'deny' },
  { name: 'act-prohibited', test: level('prohibited'), private: 'allow' },
  { name: 'act-high', test: level('high', 'prohibited'), guarded: 'ask', private: 'allow', readonly: 'deny' },
  {
    name: 'act-medium',
    test: level('medium', 'high', 'prohibited'),
    guarded: 'ask',
    private: 'allow',
    readonly: 'deny',
  },
  { name: 'act-low', test: kind('act'), guarded: 'allow', private: 'allow', readonly: 'deny' },
];

/** For the policy hash: the table without its test functions. */
export const PROFILE_TABLE = TABLE.map(({ test: _, ...row }) => row);

const PRIVATE_DESKTOP = 'Work on a private desktop: deskproof desktop start, then --desktop NAME.';
const REASONS: Readonly<Record<string, { reason: string; hint: string }>> = {
  'guarded/capture': {
    reason: "screenshots and clipboard contents of the user's own desktop are not available",
    hint: 'Use ui_snapshot or ui_read instead; they need neither.',
  },
  'guarded/raw': {
    reason: "bare points on the user's own screen are not clicked",
    hint: 'act on a ref or a selector: ui_snapshot shows them.',
  },
  'guarded/act-prohibited': {
    reason: 'its risk level is prohibited',
    hint: `Ask the user to do this, or to write a rule that names it with risk: [prohibited]. ${PRIVATE_DESKTOP}`,
  },
};

/** The rows of one profile, as rules of the built-in tier. */
export function compileProfile(profile: Profile, model: RiskModel): CompiledRule[] {
  return TABLE.flatMap(({ name, test, ...cells }) => {
    const answer = cells[profile];
    if (!answer) return [];
    const rule = `${profile}/${name}`;
    const words = REASONS[rule] ?? (answer === 'deny' ? readOnlyReason(profile) : undefined);
    const outcome = { answer, rule, tier: 'built-in' as const, ...words };
    return [{ matches: (context) => test(context, model), outcome }];
  });
}

const readOnlyReason = (profile: Profile) => ({
  reason: `the profile ${profile} only allows reading`,
  hint: PRIVATE_DESKTOP,
});
