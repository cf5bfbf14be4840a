import { expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { compilePolicy, type PolicyFile, type PolicyRequest } from '../../policy/index.js';
import { Authorizer, type Rules } from './authorizer.js';
import { policySummary } from './policy-preview.js';
import { uiClick } from '../../tools/act/ui-click.js';
import { uiClickXy } from '../../tools/act/ui-click-xy.js';
import { uiCapture } from '../../tools/read/ui-capture.js';
import { uiSnapshot } from '../../tools/read/ui-snapshot.js';

const EXAMPLES = { read: uiSnapshot, capture: uiCapture, act: uiClick, raw: uiClickXy };
const governed = (rules: Rules, changed: string[] = []): Authorizer =>
  new Authorizer('seat', { rules, ledger: new MemoryLedger(), changed: () => changed });
const rulesOf = (user: Partial<PolicyFile>, kind: PolicyRequest['desktop']) =>
  compilePolicy({ user: { version: 1, ...user } }, kind);

it.each<[string, Rules, string | undefined, boolean]>([
  ['a user desktop', rulesOf({}, 'seat'), undefined, false],
  ['enabled by a file', rulesOf({ enabled: true }, 'seat'), undefined, true],
  ['enabled by the user', rulesOf({}, 'seat'), 'mcp:a', true],
  ['enabled for another session', rulesOf({}, 'seat'), 'mcp:b', false],
  ['a private desktop', rulesOf({}, 'virtual'), undefined, true],
])('says whether work is enabled: %s', (_, rules, session, enabled) => {
  const authorizer = governed(rules);
  if (session) authorizer.enable(session);
  expect(policySummary(authorizer, 'mcp:a', EXAMPLES)?.enabled).toBe(enabled);
});

it('says what may come of each kind of call, and which files count', () => {
  const rules = { ...rulesOf({ enabled: true }, 'seat'), sources: [{ tier: 'user', file: 'policy.yaml' }] };
  expect(policySummary(governed(rules, ['policy.yaml']), 'mcp:a', EXAMPLES)).toMatchObject({
    ...{ profile: 'guarded', changed: ['policy.yaml'], files: [{ tier: 'user', file: 'policy.yaml' }] },
    answers: { read: ['allow', 'deny'], capture: ['deny'], raw: ['deny'] },
  });
});

it.each<[string, Partial<Rules>]>([
  ['no profile', { profile: undefined }],
  ['no settings', { settings: undefined }],
])('says nothing where rules are no whole policy: %s', (_, missing) => {
  expect(policySummary(governed({ ...rulesOf({}, 'seat'), ...missing }), 'mcp:a', EXAMPLES)).toBeUndefined();
});

it('takes the one answer where rules do not say which may come', () => {
  const whole = rulesOf({}, 'seat');
  const rules: Rules = { ...whole, decide: () => ({ answer: 'ask', rule: 'all' }) };
  expect(policySummary(governed(rules), 'mcp:a', EXAMPLES)?.answers.read).toEqual(['ask']);
});
