import { listOf } from '../rules/conditions.js';
import { mayMatchBrowser } from '../rules/page-address.js';
import type { ParsedPolicy } from './parse.js';
import type { Rule } from './schema.js';

/** Valid, but probably not what the author meant. */
interface PolicyWarning {
  file: string;
  line: number;
  message: string;
  /** It can never do what it says: `policy check` fails. */
  error?: true;
}

/** What the checks need to know about tools; the policy itself knows none. */
interface KnownTools {
  launches: (tool: string) => boolean;
}

/** Each check returns a message, or nothing when the rule is fine. */
const CHECKS: readonly ((rule: Rule, tools: KnownTools) => string | undefined)[] = [
  ({ decision, when }) =>
    decision === 'allow' && when?.app === undefined
      ? 'allows without naming app: names and titles are only claims of the app'
      : undefined,
  ({ decision, when }) =>
    decision === 'allow' &&
    when?.risk === undefined &&
    when?.class !== undefined &&
    only(when.class, (kind) => kind === 'raw')
      ? 'never matches: raw calls are of high risk, and an allow without risk covers only low and medium'
      : undefined,
  ({ decision, when }, { launches }) =>
    decision === 'allow' && when?.risk === undefined && when?.tool !== undefined && only(when.tool, launches)
      ? 'matches only programs in launch.allow: launching any other program is of high risk'
      : undefined,
];

export function policyWarnings({ file, policy, lineOfRule }: ParsedPolicy, tools: KnownTools): PolicyWarning[] {
  const rules = policy.rules ?? [];
  const found: PolicyWarning[] = [];
  const warn = (index: number, message: string): void => {
    found.push({ file, line: lineOfRule(index), message: `rule ${rules[index]!.name} ${message}` });
  };
  rules.forEach((rule, index) => {
    for (const check of CHECKS) {
      const message = check(rule, tools);
      if (message !== undefined) warn(index, message);
    }
  });
  const last = rules.findIndex(({ when = {}, decision }) => Object.keys(when).length === 0 && decision !== 'allow');
  if (last >= 0 && last < rules.length - 1) warn(last, 'matches everything: the rules after it are never reached');
  for (const [name, { into }] of Object.entries(policy.secrets ?? {})) {
    if (into.url === undefined && listOf(into.app ?? []).some(mayMatchBrowser)) {
      const message = `secret ${name} is for a browser and has no url in into: a title is the page's own text, so add the page's address, such as https://bank.example/*`;
      found.push({ file, line: 1, message, error: true });
    }
    if (into.app === undefined) {
      const message = `secret ${name} may be typed into any app that shows such a window: add app to into`;
      found.push({ file, line: 1, message });
    }
  }
  return found;
}

function only(given: string | readonly string[], fits: (word: string) => boolean): boolean {
  return listOf<string>(given as string | string[]).every(fits);
}
