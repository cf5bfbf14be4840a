import { expect, test } from 'vitest';
import { toHostAnswer } from './approval.js';

test.each<[string, unknown, object]>([
  ['a yes', { allow: 'once' }, { scope: 'once' }],
  ['a no', { deny: true }, {}],
  ['a denial with a reason', { deny: true, reason: 'x'.repeat(300) }, { reason: 'x'.repeat(200) }],
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['an object without an answer', {}, {}],
  ['true', true, {}],
  ['a word', 'once', {}],
  ['a number', 1, {}],
  ['a list', ['once'], {}],
  ['a function', () => ({ allow: 'once' }), {}],
  ['an allow that is not a string', { allow: true }, {}],
  ['an allow in a list', { allow: ['once'] }, {}],
  ['an unknown scope', { allow: 'always' }, {}],
  ['allow and deny together', { allow: 'once', deny: true }, {}],
  ['a denial with a reason that is not a string', { deny: true, reason: 7 }, {}],
  ['a denial with an object as its reason', { deny: true, reason: { slice: 'no function' } }, {}],
  [
    'a wider scope than permitted',
    { allow: 'app' },
    { reason: 'approve() returned scope "app", but the widest permitted scope is "session"' },
  ],
])('treats everything but a clear approval as a denial: %s', (_, answer, expression) => {
  expect(toHostAnswer(answer, 'session')).toEqual(expression);
});
