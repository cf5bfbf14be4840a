import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parsePolicy, policyWarnings } from '../../src/policy/index.js';
import { TOOLS } from '../../src/tools/index.js';

test('the policy on the page is one', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/policy.md', import.meta.url)), 'utf8');
  const yaml = /```yaml\n([^]+?)```/.exec(page)?.[1] ?? '';
  const parsed = parsePolicy(yaml, { tier: 'user', file: 'page', tools: TOOLS.map(({ name }) => name) });
  expect(parsed.policy.rules).toHaveLength(4);
  expect(policyWarnings(parsed)).toEqual([]);
});
