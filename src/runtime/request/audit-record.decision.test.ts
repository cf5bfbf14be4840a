import { expect, it } from 'vitest';
import { compilePolicy, type PolicyRequest } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { decisionOf, withDecision, refusedTarget } from './audit-record.js';
import { withEffects } from '../../../tests/scenes/calls.js';

const CLICK = withEffects({ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' });
const decide = (target?: PolicyRequest['target']) =>
  compilePolicy({}, 'virtual').decide({ ...CLICK, ...(target && { target }) });

it('what was decided is kept with the refusal and nowhere else', () => {
  const decision = decide();
  const error = withDecision(new DesktopError('policy_denied', 'No.'), decision);
  expect(decisionOf(error)).toBe(decision);
  expect(decisionOf(new DesktopError('policy_denied', 'No.'))).toBeUndefined();
  expect(JSON.stringify(error)).not.toContain('facts');
});

it.each<[string, Parameters<typeof refusedTarget>[0], unknown]>([
  ['nothing if the target is unknown', { answer: 'deny', rule: 'all' }, undefined],
  ['nothing before the target is found', decide(), undefined],
  [
    'what was found',
    decide({
      app: '/usr/bin/crm',
      appName: 'crm',
      window: 'Accounts',
      role: 'button',
      name: 'Delete',
      confidence: 0.9,
    }),
    { app: '/usr/bin/crm', appName: 'crm', window: 'Accounts', role: 'button', name: 'Delete', confidence: 0.9 },
  ],
  ['nothing of a hidden window', decide({ appName: 'crm', window: 'My Banking' }), undefined],
])('of a refusal the log says %s', (_, decision, words) => {
  expect(refusedTarget(decision)).toEqual(words);
});
