import { expect, test } from 'vitest';
import { refusedAt } from './request-guard.js';

const TOKEN = 'a'.repeat(64);
const DOOR = { address: '127.0.0.1', port: 4100, token: TOKEN, allowedHosts: ['Desk.example:4100'] };
const GOOD = { host: '127.0.0.1:4100', authorization: `Bearer ${TOKEN}` };

test.each<[string, Record<string, string | undefined>, number | undefined]>([
  ['as it should be', {}, undefined],
  ['by the name localhost', { host: 'localhost:4100' }, undefined],
  ['in other letters', { host: 'LOCALHOST:4100' }, undefined],
  ['by its IPv6 address', { host: '[::1]:4100' }, undefined],
  ['by a name that was allowed', { host: 'desk.example:4100' }, undefined],
  ['without a name', { host: undefined }, 403],
  ['by a bent name', { host: 'evil.example:4100' }, 403],
  ['by a name that ends like ours', { host: 'evil-localhost:4100' }, 403],
  ['by a name that begins like ours', { host: '127.0.0.1.evil.example:4100' }, 403],
  ['by another port', { host: '127.0.0.1:4101' }, 403],
  ['without a port', { host: '127.0.0.1' }, 403],
  ['by another loopback address', { host: '127.0.0.2:4100' }, 403],
  ['by 0.0.0.0', { host: '0.0.0.0:4100' }, 403],
  ['from a page', { origin: 'https://evil.example' }, 403],
  ['from a page without an origin of its own', { origin: 'null' }, 403],
  ['from where it is sent to', { origin: 'http://127.0.0.1:4100' }, undefined],
  ['from another name of ours', { origin: 'http://localhost:4100' }, 403],
  ['from another port of this machine', { origin: 'http://127.0.0.1:4101' }, 403],
  ['from there by another scheme', { origin: 'https://127.0.0.1:4100' }, 403],
  ['with an empty origin', { origin: '' }, 403],
  ['without a token', { authorization: undefined }, 401],
  ['with the scheme in small letters', { authorization: `bearer ${TOKEN}` }, undefined],
  ['with an empty token', { authorization: 'Bearer ' }, 401],
  ['with another token', { authorization: `Bearer ${'b'.repeat(64)}` }, 401],
  ['with the beginning of it', { authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
  ['with more than it', { authorization: `Bearer ${TOKEN}a` }, 401],
  ['with two', { authorization: `Bearer ${TOKEN} ${TOKEN}` }, 401],
  ['in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
])('%s: %s', (_, headers, status) => {
  expect(refusedAt(DOOR, { ...GOOD, ...headers })?.status).toBe(status);
});

test.each([
  ['127.0.0.2', '127.0.0.2:4100', undefined],
  ['192.0.2.7', '192.0.2.7:4100', undefined],
  ['192.0.2.7', '192.0.2.8:4100', 403],
  ['2001:db8::7', '[2001:db8::7]:4100', undefined],
  ['Desk.Local', 'desk.local:4100', undefined],
  ['0.0.0.0', '0.0.0.0:4100', 403],
  ['::', '[::]:4100', 403],
])('where it listens at %s, by %s: %s', (address, host, status) => {
  expect(refusedAt({ ...DOOR, address }, { ...GOOD, host })?.status).toBe(status);
});

test('a name counts before the token is looked at', () => {
  expect(refusedAt(DOOR, { host: 'evil.example' })?.status).toBe(403);
});

test('no answer names the token', () => {
  for (const headers of [{}, GOOD, { ...GOOD, authorization: 'Bearer x' }]) {
    expect(JSON.stringify(refusedAt(DOOR, headers) ?? {})).not.toContain(TOKEN);
  }
});
