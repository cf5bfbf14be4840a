import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectTo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

let room: CliRoom;
let server: ReturnType<CliRoom['start']>;
let url: URL;
let token: string;

beforeAll(async () => {
  room = new CliRoom();
  server = room.start('mcp', '--http', '--desktop', 'virtual');
  await until('it to listen', () => /Bearer [0-9a-f]{64}/.test(server.said()));
  url = new URL(/http:\S+/.exec(server.said())![0]);
  token = /Bearer ([0-9a-f]{64})/.exec(server.said())![1]!;
});
afterAll(() => room?.close());

async function connect(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, transport };
}

const textOf = (answer: unknown): string =>
  (answer as CallToolResult).content.map((part) => (part.type === 'text' ? part.text : '')).join('');

interface Said {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** As any program could send it, with headers of its own. */
function send(
  headers: Record<string, string>,
  body: string | undefined,
  path = '/mcp',
  method = 'POST',
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: url.port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});
const good = (): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

describe('MCP by HTTP', () => {
  test('two clients work on one desktop, and each has its session', async () => {
    const [one, two] = [await connect(), await connect()];
    expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
    const launched = await one.client.callTool({
      name: 'ui_launch',
      arguments: { command: 'mousepad', timeoutMs: 30_000 },
    });
    expect(textOf(launched)).toMatch(/^ok: launch/);
    expect(textOf(await two.client.callTool({ name: 'ui_list_windows', arguments: {} }))).toContain('mousepad');
    await two.client.close();
    const typed = await one.client.callTool({ name: 'ui_type', arguments: { text: 'héllo', target: 'role=textbox' } });
    expect(textOf(typed)).toMatch(/^ok: type 5 characters/);
    await one.transport.terminateSession();
    await one.client.close();
  });

  test('what one client sends too much of is refused to it alone, and what others have under way goes on', async () => {
    const [one, two] = [await connect(), await connect()];
    const field = { target: 'role=textbox' };
    const text = 'abcdefghij'.repeat(5);
    await one.client.callTool({ name: 'ui_set_value', arguments: { ...field, value: '' } });
    const typing = one.client.callTool({
      name: 'ui_type',
      arguments: { ...field, text, delayMs: 50, method: 'input', timeoutMs: 30_000 },
    });
    const typed = async (): Promise<string> =>
      textOf(await two.client.callTool({ name: 'ui_read', arguments: { ...field } }));
    await until('it to type', async () => (await typed()).includes('abc'));
    // 3 MB as it comes; more than 4 MB when each number is written out.
    const numbers = Array(600_000).fill('1e20').join(',');
    const call = `{"name":"ui_type","arguments":{"text":[${numbers}]}}`;
    const headers = { ...good(), 'mcp-session-id': two.transport.sessionId! };
    const said = await send(headers, `{"jsonrpc":"2.0","id":900,"method":"tools/call","params":${call}}`);
    expect(said.body).toMatch(/failed: bad_arguments\. The call is too long: [^"]* Delivered: no\./);
    expect(textOf(await typing)).toMatch(/^ok: type 50 characters/);
    expect(await typed()).toContain(text);
    await Promise.all([one.client.close(), two.client.close()]);
  });

  test('one client cannot take the room of the others', async () => {
    const [one, two] = [await connect(), await connect()];
    const wait = { name: 'ui_wait', arguments: { until: 'button:Never', timeoutMs: 60_000 } };
    const ended: string[] = [];
    const waits = Array.from({ length: 66 }, async () => {
      const answer = await one.client.callTool(wait).catch(() => undefined);
      ended.push(answer ? textOf(answer) : 'cut off');
    });
    await until('what is too much to be refused', () => ended.length === 50);
    expect(new Set(ended)).toEqual(
      new Set([
        expect.stringMatching(
          /^failed: rate_limited\. This client already has 16 calls in progress\..* Retry: after one of them has/,
        ),
      ]),
    );
    expect(textOf(await two.client.callTool({ name: 'ui_list_windows', arguments: {} }))).toContain('mousepad');
    await Promise.all([one.client.close(), two.client.close()]);
    await Promise.all(waits);
    expect(ended.filter((how) => how === 'cut off')).toHaveLength(16);
  });

  test.each<[string, Record<string, string | undefined>, string | undefined, number]>([
    ['without a token', { authorization: undefined }, INITIALIZE, 401],
    ['with another token', { authorization: 'Bearer x' }, INITIALIZE, 401],
    ['under a bent name', { host: 'evil.example' }, INITIALIZE, 403],
    ['from a page', { origin: 'https://evil.example' }, INITIALIZE, 403],
    ['in a session that there is not', { 'mcp-session-id': 'f'.repeat(36) }, INITIALIZE, 404],
    ['before it was introduced', {}, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400],
    ['as no JSON', {}, '{', 400],
    ['too deep', {}, '['.repeat(100), 400],
    ['of 5 MB', {}, `"${'x'.repeat(5_000_000)}"`, 413],
    ['as it should be', {}, INITIALIZE, 200],
  ])('a request %s', async (_, headers, body, status) => {
    const all = Object.entries({ ...good(), ...headers }).filter(
      (row): row is [string, string] => row[1] !== undefined,
    );
    const said = await send(Object.fromEntries(all), body).catch((error: NodeJS.ErrnoException) => error);
    // A client that is still sending when it is refused may not receive the reason.
    if (said instanceof Error)
      return expect([status, said.code]).toEqual([413, expect.stringMatching(/EPIPE|ECONNRESET/)]);
    expect(said.status, said.body).toBe(status);
    expect(Object.keys(said.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(said.body).not.toContain(token);
  });

  // Written byte for byte: HTTP clients repair or refuse such headers before they send them.
  test.each<[string, string[], number]>([
    ['as it should be', [], 200],
    ['from a page of another site', ['Sec-Fetch-Site: cross-site'], 403],
    ['from a page on another port', ['sec-fetch-site: same-site'], 403],
    ['with that header twice', ['Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'], 403],
    ['with Host twice, ours first', ['Host: evil.example'], 403],
    ['with Host twice, both ours', ['host: OURS'], 403],
    ['with Host on a continued line', ['X-A: 1', ' Host: evil.example'], 400],
  ])('a request over a raw socket %s', async (_, lines, status) => {
    const body = INITIALIZE;
    const head = [
      'POST /mcp HTTP/1.1',
      `Host: ${url.host}`,
      ...Object.entries(good()).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${body.length}`,
      ...lines.map((line) => line.replace('OURS', url.host)),
    ];
    const socket = connectTo(Number(url.port), '127.0.0.1');
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await until('its answer', () => /^HTTP\/1\.1 \d+ .*\r\n/.test(said));
    socket.destroy();
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test.each([
    ['another path', 'POST', '/', 404],
    ['a token in the query', 'POST', '/mcp?token=1', 404],
    ['another method', 'PUT', '/mcp', 405],
    ['what browsers ask first', 'OPTIONS', '/mcp', 405],
  ])('%s', async (_, method, path, status) => {
    expect((await send(good(), undefined, path, method)).status).toBe(status);
  });

  test('ends on request and leaves nothing running', async () => {
    const ended = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await ended;
    await expect.poll(() => room.processes(), { timeout: 60_000 }).toEqual([]);
  });
});

test.each([
  [['mcp', '--port', '80'], /--port requires --http/],
  [['mcp', '--http', '--address', '0.0.0.0'], /a token file is required/],
  [['mcp', '--http', '--port', 'x'], /0 to 65535/],
  [['mcp', '--http', '--token-file', '/nowhere/token'], /cannot be read/],
])('deskproof %j is refused', async (words, says) => {
  const { code, err } = await room.run(words);
  expect(err).toMatch(says);
  expect(code).toBe(2);
});
