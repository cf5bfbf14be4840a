import { expect, it } from 'vitest';
import { govern, type Question, type TargetFacts } from '../../policy/index.js';
import type { Asked } from '../authorization/policy-request.js';
import type { Decided } from '../authorization/authorizer.js';
import { ruleFor } from './approval-prompt.js';

const ASKED: Asked = { tool: 'ui_click', class: 'act', caller: 'mcp:a', args: {} };
const QUESTION: Question = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' };
const decided = (target?: TargetFacts): Decided =>
  govern({}, 'virtual').decide({ ...QUESTION, ...(target && { target }) });
const at = (level: 'medium' | 'high' | 'prohibited', target: TargetFacts): Decided => {
  const known = decided(target);
  return { ...known, risk: { ...known.risk!, levels: ['low', level] } };
};
const CRM = { app: '/usr/bin/crm', name: 'Go*' };
const WHEN = { app: '/usr/bin/crm', tool: 'ui_click', class: 'act' };

it.each<[string, Decided, object | undefined]>([
  ['the tool in its program', at('medium', CRM), WHEN],
  ['the tool in its program, also without a name', at('medium', { app: '/usr/bin/crm' }), WHEN],
  ['this target alone where it is risky', at('high', CRM), { ...WHEN, name: 'Go\\*', risk: ['high'] }],
  ['and where it is prohibited', at('prohibited', CRM), { ...WHEN, name: 'Go\\*', risk: ['prohibited'] }],
  ['none for a risky one without a name', at('high', { app: '/usr/bin/crm' }), undefined],
  ['none for what only claims to be a program', at('medium', { appName: 'crm' }), undefined],
  ['none before the target is known', decided(), undefined],
  ['none without facts', { answer: 'ask', rule: 'mine', risk: decided(CRM).risk! }, undefined],
  ['none without a risk', { answer: 'ask', rule: 'mine', facts: decided(CRM).facts! }, undefined],
])('%s', (_, known, when) => {
  const rule = ruleFor(ASKED, known);
  expect(rule === undefined ? undefined : (JSON.parse(rule) as unknown)).toEqual(
    when && { name: 'ui-click-crm', when, decision: 'allow' },
  );
});
