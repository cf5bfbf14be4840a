import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, CliRoom } from './cli-room.js';

interface Message {
  id?: number | null;
  result?: Record<string, unknown>;
  error?: { code: number };
}

let room: CliRoom;
let server: ChildProcessWithoutNullStreams;
let heard: Message[] = [];

beforeAll(() => {
  room = new CliRoom();
  server = spawn(process.execPath, [CLI, 'mcp', '--desktop', 'virtual'], { env: room.env, cwd: room.base });
  // Its other output is not read.
  server.stderr.destroy();
  let rest = '';
  server.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    heard.push(...lines.map((line) => JSON.parse(line) as Message));
  });
});
afterAll(() => room?.close());

async function write(data: string | Buffer): Promise<void> {
  if (!server.stdin.write(data)) await once(server.stdin, 'drain');
}
const say = (message: object): Promise<void> => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answered = async (id: number | null): Promise<Message> => {
  await expect.poll(() => heard.find((one) => one.id === id), { timeout: 60_000 }).toBeDefined();
  return heard.find((one) => one.id === id)!;
};
/** The most that it ever used, in MB. */
const peak = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

describe('an MCP server on standard input', () => {
  test('answers before there is a desktop', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    await say({ id: 1, method: 'initialize', params });
    expect((await answered(1)).result).toMatchObject({ serverInfo: { name: 'deskproof' } });
    await say({ method: 'notifications/initialized' });
  });

  test.each<[string, string | Buffer]>([
    ['bytes that are no text', Buffer.from([0, 255, 254, 200, 10])],
    ['no JSON', '{"jsonrpc":"2.0","id":2,\n'],
    ['brackets without end', `${'['.repeat(100_000)}\n`],
  ])('goes on after %s', async (_, garbage) => {
    heard = [];
    await write(garbage);
    expect((await answered(null)).error?.code).toBe(-32_700);
    await say({ id: 3, method: 'tools/list' });
    expect((await answered(3)).result?.tools).toHaveLength(22);
  });

  test.each<[string, object | undefined]>([
    ['params.arguments', { name: 'ui_click', arguments: '{"target":"e1"}' }],
    ['params.name', { name: 5 }],
    ['params', undefined],
  ])('says what is wrong with a call: %s', async (where, params) => {
    heard = [];
    await say({ id: 8, method: 'tools/call', params });
    const { error } = await answered(8);
    expect(error).toEqual({
      code: -32_602,
      message: expect.stringMatching(
        `^This is not a valid tool call: ${where}: expected \\w+, received \\w+\\.$`,
      ) as string,
    });
  });

  test('does not keep a message of 100 MB', async () => {
    heard = [];
    const before = peak();
    const part = Buffer.alloc(1024 * 1024, 'x');
    await write('{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"x":"');
    for (let times = 0; times < 100; times++) await write(part);
    await write('"}}\n');
    expect((await answered(null)).error?.code).toBe(-32_700);
    expect(heard).toHaveLength(1);
    await say({ id: 5, method: 'ping' });
    expect((await answered(5)).result).toEqual({});
    expect(peak() - before).toBeLessThan(60);
  });

  test('starts a desktop even if no client receives its messages', async () => {
    await say({ id: 6, method: 'tools/call', params: { name: 'ui_capabilities' } });
    expect((await answered(6)).result).toMatchObject({ content: [{ type: 'text' }] });
  });

  test('ends with its client, in the middle of a message and of a call, and leaves nothing running', async () => {
    await say({ id: 7, method: 'tools/call', params: { name: 'ui_wait', arguments: { until: 'button:Never' } } });
    expect(room.files()).not.toEqual([]);
    const ended = once(server, 'exit');
    server.stdin.end('{"jsonrpc":"2.0",');
    await ended;
    await expect.poll(() => room.processes(), { timeout: 60_000 }).toEqual([]);
  });
});
