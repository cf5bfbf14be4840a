import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parsePolicy, policyWarnings } from '../../src/policy/index.js';
import { TOOLS } from '../../src/tools/index.js';

test.each([
  ['docs/policy.md', 4],
  ['README.md', 3],
])('the policy in %s is one', (name, rules) => {
  const page = readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
  const yaml = /```yaml\n([^]+?)```/.exec(page)?.[1] ?? '';
  const parsed = parsePolicy(yaml, { tier: 'user', file: 'page', tools: TOOLS.map((tool) => tool.name) });
  expect(parsed.policy.rules).toHaveLength(rules);
  expect(policyWarnings(parsed, { launches: () => false })).toEqual([]);
});
