// @module-tag safety

import { request } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpServer } from './server.js';
import { Sessions } from './sessions.js';

const TOKEN = 'a'.repeat(64);
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

let http: HttpServer;
let sessions: Sessions;
let [made, ended] = [0, 0];

beforeEach(async () => {
  [made, ended] = [0, 0];
  sessions = new Sessions(() => {
    made += 1;
    const server = new Server({ name: 'x', version: '1' }, { capabilities: {} });
    server.onclose = () => void (ended += 1);
    return server;
  });
  http = await HttpServer.listen({ address: '127.0.0.1', port: 0, token: TOKEN, allowedHosts: [], sessions });
});
afterEach(() => http.close());

/** `from`: the address of the client. Everything in 127.0.0.0/8 is this machine. */
function postFrom(from: string): Promise<{ status: number; text: string }> {
  const usual = { authorization: `Bearer ${TOKEN}`, accept: 'application/json, text/event-stream' };
  return new Promise((resolve, reject) => {
    const place = { host: '127.0.0.1', port: http.port, path: '/mcp', localAddress: from, agent: false };
    const sent = request(
      { ...place, method: 'POST', headers: { 'content-type': 'application/json', ...usual } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, text }));
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(INITIALIZE));
  });
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const usual = { authorization: `Bearer ${TOKEN}`, accept: 'application/json, text/event-stream' };
  const response = await fetch(`http://127.0.0.1:${http.port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...usual, ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  return response;
}

describe('a client that sends initialize', () => {
  it('has a session until it ends it', async () => {
    const { status, headers } = await post(INITIALIZE);
    expect([status, sessions.size, ended]).toEqual([200, 1, 0]);
    await fetch(`http://127.0.0.1:${http.port}/mcp`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}`, 'mcp-session-id': headers.get('mcp-session-id')! },
    });
    expect([sessions.size, ended]).toEqual([0, 1]);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ["without accepting the answer's format", INITIALIZE, { accept: 'text/html' }],
    ['twice in one request', [INITIALIZE, INITIALIZE], {}],
    ['with a wrong content type', INITIALIZE, { 'content-type': 'text/plain' }],
  ])('is refused %s, and no session remains', async (_, body, headers) => {
    expect((await post(body, headers)).status).toBeGreaterThanOrEqual(400);
    await expect.poll(() => [sessions.size, made - ended]).toEqual([0, 0]);
    expect(made).toBe(1);
  });
});

// Time stands still for the limits, so that the requests are all in one second however slow the machine is.
it('a session that sends too many requests is slowed down, and no other session is', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(5_000);
  try {
    const idOf = async (): Promise<string> => (await post(INITIALIZE)).headers.get('mcp-session-id')!;
    const [hostile, calm] = [await idOf(), await idOf()];
    const ping = async (id: string): Promise<number> =>
      (await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id })).status;
    const answers: number[] = [];
    for (let at = 0; at < 103; at++) answers.push(await ping(hostile));
    expect(answers.map((status) => status === 429)).toEqual(Array.from({ length: 103 }, (_, at) => at >= 100));
    expect(await ping(calm)).toBe(200);
    expect((await post(INITIALIZE)).status).toBe(200);
  } finally {
    vi.restoreAllMocks();
  }
});

it('one client cannot take every session, also not with requests at the same time', async () => {
  const hostile = await Promise.all(Array.from({ length: 70 }, () => postFrom('127.0.0.2')));
  const statuses = hostile.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(statuses.filter((status) => status === 429)).toHaveLength(38);
  expect(hostile.find(({ text }) => text.includes('At most 32 sessions'))?.status).toBe(429);
  expect((await postFrom('127.0.0.3')).status).toBe(200);
  expect(sessions.size).toBe(33);
});

it.each([
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1%eth0', 'fe80::2'],
])('%s and %s are one client', async (one, same) => {
  for (let at = 0; at < 32; at++) expect(await sessions.start(one)).toBeTypeOf('object');
  expect(await sessions.start(same)).toBe('too-many');
  expect(await sessions.start('10.9.9.9')).toBeTypeOf('object');
});
