import { canonicalJson } from '../../shared/index.js';
import { DESKTOPS } from '../decision.js';
import { PROFILES, type PolicyFile, type Rule } from './schema.js';
import { ELICITATION, type Files, type Limits, profileOf, settingsOf } from './settings.js';

/** The files that only the user or the administrator writes. Projects are not compared: they can only tighten. */
type OwnFiles = Pick<Files, 'user' | 'managed'>;

type Change = (before: OwnFiles, after: OwnFiles) => boolean;

const TIERS = ['user', 'managed'] as const;

/**
 * Whether no decision under `after` can be looser than under `before`, and nothing new is started or typed. False also
 * if that cannot be proved: then the user has to confirm the change.
 */
export function isTighter(before: OwnFiles, after: OwnFiles): boolean {
  return Object.values(CHANGES).every((tighter) => tighter(before, after));
}

/** One entry per field, so that a new field cannot be forgotten here. */
const CHANGES: Readonly<Record<keyof PolicyFile, Change>> = {
  version: () => true,
  profile: (before, after) =>
    DESKTOPS.every((kind) => atLeast(PROFILES, profileOf(before, kind), profileOf(after, kind))),
  enabled: (before, after) => !settingsOf(after).enabled || settingsOf(before).enabled,
  windows: (before, after) => TIERS.every((tier) => windowsTighter(before[tier]?.windows, after[tier]?.windows)),
  limits: (before, after) => {
    const [old, now] = [settingsOf(before).limits, settingsOf(after).limits];
    return (Object.keys(old) as (keyof Limits)[]).every((limit) => now[limit] <= old[limit]);
  },
  // A raised risk can take an act out of a deny rule for `risk: [medium]`, also in the file of a project.
  risk: (before, after) => TIERS.every((tier) => same(before[tier]?.risk, after[tier]?.risk)),
  launch: launchTighter,
  approvals: (before, after) => {
    const [old, now] = [settingsOf(before).approvals, settingsOf(after).approvals];
    return (
      now.seconds <= old.seconds &&
      within(now.channels, old.channels) &&
      atLeast(ELICITATION, old.elicitation, now.elicitation)
    );
  },
  secrets: (before, after) => {
    const [old, now] = [settingsOf(before).secrets, settingsOf(after).secrets];
    return Object.keys(now).every((name) => Object.hasOwn(old, name) && same(old[name], now[name]));
  },
  masks: (before, after) => within(settingsOf(before).masks, settingsOf(after).masks),
  // Includes the anchor, whose command is run.
  audit: (before, after) => same(settingsOf(before).audit, settingsOf(after).audit),
  rules: (before, after) => TIERS.every((tier) => rulesTighter(before[tier]?.rules, after[tier]?.rules, after)),
};

function windowsTighter(before: PolicyFile['windows'] = {}, after: PolicyFile['windows'] = {}): boolean {
  const allowTighter = before.allow === undefined || (after.allow !== undefined && within(after.allow, before.allow));
  return allowTighter && within(before.block, after.block) && within(after.unblock, before.unblock);
}

/**
 * A program that leaves the list becomes an act of high risk, so a rule about `risk` may match differently. A first list
 * opens something, and a list that is gone no longer narrows the other file's list.
 */
function launchTighter(before: OwnFiles, after: OwnFiles): boolean {
  const lists = TIERS.map((tier) => [before[tier]?.launch?.allow, after[tier]?.launch?.allow] as const);
  if (lists.every(([old, now]) => same(old, now))) return true;
  const narrower = lists.every(([old, now]) => (old === undefined) === (now === undefined) && within(now, old));
  const namesRisk = TIERS.some((tier) => after[tier]?.rules?.some(({ when }) => when?.risk !== undefined));
  return narrower && !namesRisk;
}

/**
 * The first matching rule wins. So a deny may be added anywhere, and an allow may be removed anywhere: what decides
 * instead is at least as strict. An ask may be added where nothing stricter can be behind it. Names are unique in a
 * file, so each rule is found at most once in the other one.
 */
function rulesTighter(before: readonly Rule[] = [], after: readonly Rule[] = [], files: OwnFiles): boolean {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  let [from, to] = [0, 0];
  while (from < old.length || to < now.length) {
    if (old[from] === now[to]) {
      [from, to] = [from + 1, to + 1];
    } else if (from < old.length && !now.includes(old[from]!, to)) {
      if (before[from]!.decision !== 'allow') return false;
      from += 1;
    } else {
      if (!mayBeAdded(after[to]!, after.slice(to + 1), files)) return false;
      to += 1;
    }
  }
  return true;
}

function mayBeAdded({ decision, when }: Rule, behind: readonly Rule[], files: OwnFiles): boolean {
  if (decision !== 'ask') return decision === 'deny';
  const named = (given: string | readonly string[] | undefined): readonly string[] | undefined =>
    given === undefined ? undefined : [given].flat();
  // The profiles deny captures, bare points and prohibited acts, and readonly denies all acts: an ask loosens those.
  const onlyActs = named(when?.class)?.every((one) => one === 'act');
  const belowProhibited = named(when?.risk)?.every((level) => level !== 'prohibited');
  const denies = DESKTOPS.some((kind) => profileOf(files, kind) === 'readonly');
  return (
    onlyActs === true && belowProhibited === true && !denies && behind.every(({ decision: one }) => one === 'allow')
  );
}

const textOf = (value: unknown): string => canonicalJson(value);

const same = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : textOf(one) === textOf(other);

/** Whether each entry of `some` is also in `all`. */
function within(some: readonly unknown[] = [], all: readonly unknown[] = []): boolean {
  const known = new Set(all.map(textOf));
  return some.every((one) => known.has(textOf(one)));
}

/** `order` goes from mild to strict. */
function atLeast<Word>(order: readonly Word[], least: Word, given: Word): boolean {
  return order.indexOf(given) >= order.indexOf(least);
}
