import { canonicalJson, cleanName } from '../../shared/index.js';
import type { FileTier, PolicyFile } from './schema.js';
import type { Files } from './settings.js';

const TIERS: readonly FileTier[] = ['managed', 'user', 'project'];

/** The differences between two versions of the files, one line each, for the user who accepts the new version. */
export function policyDifference(before: Files, after: Files): string[] {
  return TIERS.flatMap((tier) => fileDifference(before[tier], after[tier]).map((line) => `${tier}: ${line}`));
}

function fileDifference(before: PolicyFile | undefined, after: PolicyFile | undefined): string[] {
  if (!before || !after) return before === after ? [] : [before ? 'the file was removed' : 'the file is new'];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PolicyFile)[];
  const others = fields.filter((field) => field !== 'rules' && !same(before[field], after[field]));
  return [
    ...others.flatMap((field) => [
      `${field} ${verb(before[field], after[field])}`,
      ...beforeAndAfter(before[field], after[field]),
    ]),
    ...rulesDifference(before.rules ?? [], after.rules ?? []),
  ];
}

type Rules = NonNullable<PolicyFile['rules']>;

function rulesDifference(before: Rules, after: Rules): string[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  const lines = names.flatMap((name) => {
    const [old, now] = [before, after].map((rules) => rules.find((rule) => rule.name === name));
    if (same(old, now)) return [];
    const decision = now && old?.decision !== now.decision ? ` (${now.decision})` : '';
    return [`rule ${name} ${verb(old, now)}${decision}`, ...beforeAndAfter(old, now)];
  });
  const order = (rules: Rules, others: Rules): string[] =>
    rules.map(({ name }) => name).filter((name) => others.some((other) => other.name === name));
  // The first matching rule wins, so the order of rules is part of the policy.
  return same(order(before, after), order(after, before)) ? lines : [...lines, 'the order of the rules changed'];
}

function verb(before: unknown, after: unknown): string {
  if (before === undefined) return 'is new';
  return after === undefined ? 'was removed' : 'changed';
}

const MAX_VALUE_LENGTH = 500;

/** Old and new value, one line each, where present. */
function beforeAndAfter(before: unknown, after: unknown): string[] {
  const line = (word: string, value: unknown): string[] =>
    value === undefined ? [] : [`  ${word} ${cleanName(canonicalJson(value), MAX_VALUE_LENGTH).text}`];
  return [...line('was', before), ...line('is ', after)];
}

const same = (one: unknown, other: unknown): boolean => {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
};
