import { expect, test } from 'vitest';
import { spoken } from './approval.js';

test.each<[string, unknown, object]>([
  ['a yes', { allow: 'once' }, { scope: 'once' }],
  ['a no', { deny: true }, {}],
  ['a no with a reason', { deny: true, reason: 'x'.repeat(300) }, { reason: 'x'.repeat(200) }],
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['something else', {}, {}],
  ['true', true, {}],
  ['a word', 'once', {}],
  ['a number', 1, {}],
  ['a list', ['once'], {}],
  ['a function', () => ({ allow: 'once' }), {}],
  ['a yes that is no word', { allow: true }, {}],
  ['a yes in a list', { allow: ['once'] }, {}],
  ['a word that there is not', { allow: 'always' }, {}],
  ['yes and no', { allow: 'once', deny: true }, {}],
  ['a no with a reason that is no text', { deny: true, reason: 7 }, {}],
  ['a no with a reason in an object', { deny: true, reason: { slice: 'no function' } }, {}],
  ['more than may be', { allow: 'app' }, { reason: 'approve() allows "app", and the widest here is "session"' }],
])('what is not clearly a yes is a no: %s', (_, answer, said) => {
  expect(spoken(answer, 'session')).toEqual(said);
});
