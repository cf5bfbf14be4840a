// @module-tag safety
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findRefusal } from './request-guard.js';
import { HttpServer } from './server.js';
import { Sessions } from './sessions.js';

const TOKEN = 'a'.repeat(64);
const DOOR = { address: '127.0.0.1', port: 4100, token: TOKEN, allowedHosts: ['Desk.example:4100'] };
const GOOD = { host: '127.0.0.1:4100', authorization: `Bearer ${TOKEN}` };

test.each<[string, Record<string, string | undefined>, number | undefined]>([
  ['a valid request', {}, undefined],
  ['by the name localhost', { host: 'localhost:4100' }, undefined],
  ['with different case', { host: 'LOCALHOST:4100' }, undefined],
  ['by its IPv6 address', { host: '[::1]:4100' }, undefined],
  ['by an allowed host name', { host: 'desk.example:4100' }, undefined],
  ['without a host name', { host: undefined }, 403],
  ['by a rebound DNS name', { host: 'evil.example:4100' }, 403],
  ['by a name with our suffix', { host: 'evil-localhost:4100' }, 403],
  ['by a name with our prefix', { host: '127.0.0.1.evil.example:4100' }, 403],
  ['by another port', { host: '127.0.0.1:4101' }, 403],
  ['without a port', { host: '127.0.0.1' }, 403],
  ['by another loopback address', { host: '127.0.0.2:4100' }, 403],
  ['by 0.0.0.0', { host: '0.0.0.0:4100' }, 403],
  ['from a page', { origin: 'https://evil.example' }, 403],
  ['from a page with an opaque origin', { origin: 'null' }, 403],
  ['from its own origin', { origin: 'http://127.0.0.1:4100' }, undefined],
  ['from another host name of ours', { origin: 'http://localhost:4100' }, 403],
  ['from another port of this machine', { origin: 'http://127.0.0.1:4101' }, 403],
  ['from there by another scheme', { origin: 'https://127.0.0.1:4100' }, 403],
  ['with an empty origin', { origin: '' }, 403],
  ['from a page of another site, without its origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ['from a page on another port', { 'sec-fetch-site': 'same-site' }, 403],
  ['with two values of that header', { 'sec-fetch-site': 'none, cross-site' }, 403],
  ['from an address that the user typed', { 'sec-fetch-site': 'none' }, undefined],
  ['without a token', { authorization: undefined }, 401],
  ['with the scheme in lower case', { authorization: `bearer ${TOKEN}` }, undefined],
  ['with an empty token', { authorization: 'Bearer ' }, 401],
  ['with another token', { authorization: `Bearer ${'b'.repeat(64)}` }, 401],
  ['with part of the token', { authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
  ['with more than the token', { authorization: `Bearer ${TOKEN}a` }, 401],
  ['with two tokens', { authorization: `Bearer ${TOKEN} ${TOKEN}` }, 401],
  ['in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
])('%s: %s', (_, headers, status) => {
  expect(findRefusal(DOOR, { ...GOOD, ...headers })?.status).toBe(status);
});

test.each([
  ['127.0.0.2', '127.0.0.2:4100', undefined],
  ['192.0.2.7', '192.0.2.7:4100', undefined],
  ['192.0.2.7', '192.0.2.8:4100', 403],
  ['2001:db8::7', '[2001:db8::7]:4100', undefined],
  ['Desk.Local', 'desk.local:4100', undefined],
  ['0.0.0.0', '0.0.0.0:4100', 403],
  ['::', '[::]:4100', 403],
])('listening on %s, addressed as %s: %s', (address, host, status) => {
  expect(findRefusal({ ...DOOR, address }, { ...GOOD, host })?.status).toBe(status);
});

test('checks the host name before the token', () => {
  expect(findRefusal(DOOR, { host: 'evil.example' })?.status).toBe(403);
});

test('never repeats the token in an answer', () => {
  for (const headers of [{}, GOOD, { ...GOOD, authorization: 'Bearer x' }]) {
    expect(JSON.stringify(findRefusal(DOOR, headers) ?? {})).not.toContain(TOKEN);
  }
});

async function statusOf(headers: (port: number) => string[]): Promise<number> {
  const sessions = new Sessions(() => {
    throw new Error('no session may start');
  });
  const server = await HttpServer.listen({ address: '127.0.0.1', port: 0, token: TOKEN, allowedHosts: [], sessions });
  try {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      [
        `GET /mcp HTTP/1.1`,
        ...headers(server.port),
        `Authorization: Bearer ${TOKEN}`,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    return Number((await text(socket)).split(' ')[1]);
  } finally {
    await server.close();
  }
}

test('refuses a second Host header, in either order', async () => {
  const good = (port: number): string => `Host: 127.0.0.1:${port}`;
  expect(await statusOf((port) => [good(port)])).toBe(400); // No session: the request itself was accepted.
  expect(await statusOf((port) => [good(port), 'Host: evil.example'])).toBe(403);
  expect(await statusOf((port) => ['hOST: evil.example', good(port)])).toBe(403);
  expect(await statusOf((port) => [good(port), good(port)])).toBe(403);
});
