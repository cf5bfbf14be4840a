import { expect, it } from 'vitest';
import { osError } from './messages.js';

it.each([
  ['ENOSPC', /disk is full/, /DESKPROOF_RUNTIME/],
  ['EROFS', /is read-only/, /DESKPROOF_RUNTIME/],
  ['EMFILE', /Too many files/, /ulimit -n/],
])('%s', (code, message, hint) => {
  const fault = osError(Object.assign(new Error(`${code}: native message`), { code }));
  expect(fault?.message).toMatch(message);
  expect(fault?.hint).toMatch(hint);
});

it.each([new Error('x'), Object.assign(new Error('x'), { code: 'toString' }), undefined, null, 'ENOSPC', { code: 5 }])(
  'is undefined for %j',
  (error) => expect(osError(error)).toBeUndefined(),
);
