import { all, type Effect, type CallClass, type Match, not, sure } from '../decision.js';
import type { Facts } from '../facts.js';
import { type EvaluationContext, within } from './conditions.js';
import type { Profile } from '../file/schema.js';
import { inTerminal, type Level, type RiskModel } from '../risk/risk.js';
import type { ReadyRule } from './rules.js';

type Test = (moment: EvaluationContext, scales: RiskModel) => Match;

const kind =
  (wanted: CallClass): Test =>
  ({ facts }) =>
    sure(facts.class === wanted);
const level =
  (...wanted: Level[]): Test =>
  ({ risk }) =>
    within(risk.levels, new Set(wanted));
const raw = ({ facts }: { facts: Facts }): Match => sure(facts.class === 'raw');
const launches = ({ facts }: { facts: Facts }): Match => sure(facts.tool === 'ui_launch' && facts.class === 'act');
const acts = ({ facts }: { facts: Facts }): Match => sure(facts.class === 'act' && facts.tool !== 'ui_launch');

interface Row {
  name: string;
  test: Test;
  /** `undefined`: this row is not for that profile. */
  guarded?: Effect;
  private?: Effect;
  readonly?: Effect;
}

/**
 * The profiles, side by side; the first row that fits counts. After the first four only acts are left. A row for one
 * level takes those above it along: they have found theirs already, and when the level is not known yet, what is left
 * over is certain.
 */
const TABLE: readonly Row[] = [
  { name: 'read', test: kind('read'), guarded: 'allow', private: 'allow', readonly: 'allow' },
  { name: 'capture', test: kind('capture'), guarded: 'deny', private: 'allow', readonly: 'deny' },
  // Before the row for all of them, since a middle click pastes; where bare points are denied they stay so.
  { name: 'terminal', test: (moment, { apps }) => all([raw(moment), inTerminal(moment.facts, apps)]), private: 'ask' },
  { name: 'raw', test: raw, guarded: 'deny', private: 'allow', readonly: 'deny' },
  { name: 'act-prohibited', test: level('prohibited'), guarded: 'deny', readonly: 'deny' },
  {
    name: 'terminal',
    test: (moment, { apps }) => all([acts(moment), inTerminal(moment.facts, apps)]),
    ...{ guarded: 'ask', private: 'ask', readonly: 'deny' },
  },
  {
    name: 'launch-terminal',
    test: (moment, { apps, mayLaunch }) =>
      all([launches(moment), apps.startsAnything(moment.facts), not(mayLaunch(moment.facts))]),
    ...{ guarded: 'ask', private: 'ask', readonly: 'deny' },
  },
  {
    name: 'launch',
    test: (moment, { mayLaunch }) => all([launches(moment), mayLaunch(moment.facts)]),
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

/** For the policy's hash: the table without its tests. */
export const PROFILE_TABLE = TABLE.map(({ test: _, ...row }) => row);

const PRIVATE_DESKTOP = 'work on a private desktop: deskproof desktop start, then --desktop NAME.';
const WORDS: Readonly<Record<string, { reason: string; hint: string }>> = {
  'guarded/capture': {
    reason: "pictures of a person's own screen are not taken, nor what they have copied",
    hint: 'ui_snapshot and ui_read tell what is there without either.',
  },
  'guarded/raw': {
    reason: "bare points on a person's own screen are not clicked",
    hint: 'act on a ref or a selector: ui_snapshot shows them.',
  },
  'guarded/act-prohibited': {
    reason: 'too much speaks against it',
    hint: `a person has to do this, or write a rule that names it with risk: [prohibited]; or ${PRIVATE_DESKTOP}`,
  },
};

/** The rows of one profile, as rules of the built-in tier. */
export function compileProfile(profile: Profile, scales: RiskModel): ReadyRule[] {
  return TABLE.flatMap(({ name, test, ...cells }) => {
    const answer = cells[profile];
    if (!answer) return [];
    const rule = `${profile}/${name}`;
    const words = WORDS[rule] ?? (answer === 'deny' ? onlyLooked(profile) : undefined);
    const outcome = { answer, rule, tier: 'built-in' as const, ...words };
    return [{ fits: (moment) => test(moment, scales), outcome }];
  });
}

const onlyLooked = (profile: Profile) => ({ reason: `the profile ${profile} only looks`, hint: PRIVATE_DESKTOP });
