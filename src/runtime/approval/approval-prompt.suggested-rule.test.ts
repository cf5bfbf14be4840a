import { expect, it } from 'vitest';
import { compilePolicy, type TargetFacts } from '../../policy/index.js';
import type { CallRequest } from '../request/policy-request.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { suggestedRule } from './approval-prompt.js';
import { withEffects, withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({ tool: 'ui_click', class: 'act', caller: 'mcp:a', args: {} });
const QUESTION = withEffects({ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' });
const decision = (target?: TargetFacts): PolicyDecision =>
  compilePolicy({}, 'virtual').decide({ ...QUESTION, ...(target && { target }) });
const at = (level: 'medium' | 'high' | 'prohibited', target: TargetFacts): PolicyDecision => {
  const known = decision(target);
  return { ...known, risk: { ...known.risk!, levels: ['low', level] } };
};
const CRM = { app: '/usr/bin/crm', name: 'Go*' };
const WHEN = { app: '/usr/bin/crm', tool: 'ui_click', class: 'act' };

it.each<[string, PolicyDecision, object | undefined]>([
  ['allows the tool in its program', at('medium', CRM), WHEN],
  ['allows the tool in its program, also without an element name', at('medium', { app: '/usr/bin/crm' }), WHEN],
  ['allows only this target when the risk is high', at('high', CRM), { ...WHEN, name: 'Go\\*', risk: ['high'] }],
  [
    'allows only this target when the risk is prohibited',
    at('prohibited', CRM),
    { ...WHEN, name: 'Go\\*', risk: ['prohibited'] },
  ],
  ['suggests none for a risky target without a name', at('high', { app: '/usr/bin/crm' }), undefined],
  ['suggests none for a program that cannot be verified', at('medium', { appName: 'crm' }), undefined],
  ['suggests none before the target is known', decision(), undefined],
  ['suggests none without facts', { answer: 'ask', rule: 'mine', risk: decision(CRM).risk! }, undefined],
  ['suggests none without a risk', { answer: 'ask', rule: 'mine', facts: decision(CRM).facts! }, undefined],
])('%s', (_, known, when) => {
  const rule = suggestedRule(ASKED, known);
  expect(rule === undefined ? undefined : (JSON.parse(rule) as unknown)).toEqual(
    when && { name: 'ui-click-crm', when, decision: 'allow' },
  );
});
