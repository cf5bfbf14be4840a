import { expect, it } from 'vitest';
import { parsePolicy } from './parse.js';
import { policyDifference } from './diff.js';
import type { Files } from './settings.js';

const user = (text: string): Files => ({
  user: parsePolicy(`version: 1\n${text}`, { tier: 'user', file: 'policy.yaml' }).policy,
});
const rule = (name: string, decision = 'deny', app = '*/x'): string =>
  `  - { name: ${name}, when: { app: "${app}" }, decision: ${decision} }\n`;

const ruleText = (decision = 'deny', app = '*/x', name = 'a'): string =>
  JSON.stringify({ decision, name, when: { app } });

it.each<[string, Files, Files, string[]]>([
  ['nothing', user(''), user('# only a word more\n'), []],
  ['no file at all', {}, {}, []],
  ['a file that came', {}, user(''), ['user: the file is new']],
  ['a file that went', user(''), {}, ['user: the file was removed']],
  ['a field that came', user(''), user('enabled: true'), ['user: enabled is new', 'user:   is  true']],
  ['a field that went', user('enabled: true'), user(''), ['user: enabled was removed', 'user:   was true']],
  [
    'a field',
    user('limits: { actsPerMinute: 1 }'),
    user('limits: { actsPerMinute: 2 }'),
    ['user: limits changed', 'user:   was {"actsPerMinute":1}', 'user:   is  {"actsPerMinute":2}'],
  ],
  ['a new rule', user(''), user(`rules:\n${rule('a')}`), ['user: rule a is new (deny)', `user:   is  ${ruleText()}`]],
  [
    'a rule that went',
    user(`rules:\n${rule('a')}`),
    user(''),
    ['user: rule a was removed', `user:   was ${ruleText()}`],
  ],
  [
    'what a rule decides',
    user(`rules:\n${rule('a')}`),
    user(`rules:\n${rule('a', 'allow')}`),
    ['user: rule a changed (allow)', `user:   was ${ruleText()}`, `user:   is  ${ruleText('allow')}`],
  ],
  [
    'what a rule is about',
    user(`rules:\n${rule('a')}`),
    user(`rules:\n${rule('a', 'deny', '*/y')}`),
    ['user: rule a changed', `user:   was ${ruleText()}`, `user:   is  ${ruleText('deny', '*/y')}`],
  ],
  [
    'the order of rules',
    user(`rules:\n${rule('a')}${rule('b')}`),
    user(`rules:\n${rule('b')}${rule('c')}${rule('a')}`),
    [
      'user: rule c is new (deny)',
      `user:   is  ${ruleText('deny', '*/x', 'c')}`,
      'user: the order of the rules changed',
    ],
  ],
])('reports %s', (_, before, after, lines) => {
  expect(policyDifference(before, after)).toEqual(lines);
});
