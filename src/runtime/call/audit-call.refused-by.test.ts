import { expect, it } from 'vitest';
import { govern, type Question } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { decisionBehind, refusedBy, refusedTarget } from './audit-call.js';

const CLICK: Question = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' };
const decide = (target?: Question['target']) => govern({}, 'virtual').decide({ ...CLICK, ...(target && { target }) });

it('what was decided is kept with the refusal and nowhere else', () => {
  const decided = decide();
  const error = refusedBy(new DesktopError('policy_denied', 'No.'), decided);
  expect(decisionBehind(error)).toBe(decided);
  expect(decisionBehind(new DesktopError('policy_denied', 'No.'))).toBeUndefined();
  expect(JSON.stringify(error)).not.toContain('facts');
});

it.each<[string, Parameters<typeof refusedTarget>[0], unknown]>([
  ['nothing where nothing is known', { answer: 'deny', rule: 'all' }, undefined],
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
  ['nothing of a window that nobody may see', decide({ appName: 'crm', window: 'My Banking' }), undefined],
])('of a refusal the log says %s', (_, decided, words) => {
  expect(refusedTarget(decided)).toEqual(words);
});
