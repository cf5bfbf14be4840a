import { listOf } from '../rules/conditions.js';
import type { ParsedPolicy } from './parse.js';
import type { Rule } from './schema.js';

/** Not wrong, but hardly what was meant. */
export interface PolicyWarning {
  file: string;
  line: number;
  message: string;
}

/** Each with what it says of a rule; nothing when all is well. */
const CHECKS: readonly ((rule: Rule) => string | undefined)[] = [
  ({ decision, when }) =>
    decision === 'allow' && when?.app === undefined
      ? 'allows without naming app: names and titles are what an app says of itself'
      : undefined,
  ({ decision, when }) =>
    decision === 'allow' && when?.risk === undefined && when?.class !== undefined && only(when.class, 'raw')
      ? 'never fits: raw calls are of high risk, and an allow without risk covers low and medium'
      : undefined,
  ({ decision, when }) =>
    decision === 'allow' && when?.risk === undefined && when?.tool !== undefined && only(when.tool, 'ui_launch')
      ? 'fits only programs that launch.allow names: starting others is of high risk'
      : undefined,
];

export function policyWarnings({ file, policy, lineOfRule }: ParsedPolicy): PolicyWarning[] {
  const rules = policy.rules ?? [];
  const found: PolicyWarning[] = [];
  const warn = (index: number, message: string): void => {
    found.push({ file, line: lineOfRule(index), message: `rule ${rules[index]!.name} ${message}` });
  };
  rules.forEach((rule, index) => {
    for (const check of CHECKS) {
      const message = check(rule);
      if (message !== undefined) warn(index, message);
    }
  });
  const last = rules.findIndex(({ when = {}, decision }) => Object.keys(when).length === 0 && decision !== 'allow');
  if (last >= 0 && last < rules.length - 1) warn(last, 'fits everything: those after it are never reached');
  for (const [name, { into }] of Object.entries(policy.secrets ?? {})) {
    if (into.app === undefined) {
      const message = `secret ${name} may go to any app that shows such a window: name app in into`;
      found.push({ file, line: 1, message });
    }
  }
  return found;
}

function only(given: string | readonly string[], word: string): boolean {
  return listOf<string>(given as string | string[]).every((one) => one === word);
}
