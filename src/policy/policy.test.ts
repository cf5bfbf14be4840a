import { expect, it } from 'vitest';
import { compilePolicy } from './policy.js';
import type { When } from './file/schema.js';

it.each<[string, When | undefined, boolean]>([
  ['all there is', undefined, true],
  ['an app', { app: '*/nautilus' }, true],
  ['acts', { class: 'act' }, false],
  ['reads and acts', { class: ['act', 'read'] }, true],
  ['pictures', { class: 'capture' }, true],
  ['one tool that acts', { tool: 'ui_click' }, false],
  ['tools that act', { tool: ['ui_click', 'ui_act', 'ui_launch'] }, false],
  ['tools of both kinds', { tool: ['ui_click', 'ui_read'] }, true],
  ['another tool that reads', { tool: 'ui_query' }, false],
])('a rule about %s: whether it affects reads by ui_read', (_, when, affects) => {
  const rules = [{ name: 'one', ...(when && { when }), decision: 'deny' as const }];
  for (const tier of ['user', 'project', 'managed'] as const) {
    expect([tier, compilePolicy({ [tier]: { version: 1, rules } }, 'virtual').hasReadRules('ui_read')]).toEqual([
      tier,
      affects,
    ]);
  }
});
