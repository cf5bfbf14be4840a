import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, expect, test } from 'vitest';
import { LineTransport } from './stdio-transport.js';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
let [input, output] = [new PassThrough(), new PassThrough()];
let transport: LineTransport;
let received: JSONRPCMessage[];
let closed: number;

beforeEach(async () => {
  [input, output, received, closed] = [new PassThrough(), new PassThrough(), [], 0];
  transport = new LineTransport(input, output);
  transport.onmessage = (message) => void received.push(message);
  transport.onclose = () => void (closed += 1);
  await transport.start();
});

const sent = (): unknown[] =>
  ((output.read() as Buffer | null)?.toString() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

test.each<[string, string, number, unknown]>([
  ['garbage', '\u0000\u0001{', -32_700, null],
  ['no JSON', '{"jsonrpc":"2.0",', -32_700, null],
  ['too deep', `${'['.repeat(65)}${']'.repeat(65)}`, -32_700, null],
  ['too long', `"${'x'.repeat(4 * 1024 * 1024)}"`, -32_700, null],
  ['another JSON', '[1]', -32_600, null],
  ['no method', '{"jsonrpc":"2.0","id":7}', -32_600, 7],
  ['another protocol', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32_600, 'a'],
])('answers input with an error (%s) and reads the next message', (_, line, code, id) => {
  input.write(`${line}\n${PING}\n`);
  expect(sent()).toEqual([
    { jsonrpc: '2.0', id, error: { code, message: expect.not.stringContaining('x'.repeat(50)) as string } },
  ]);
  expect(received).toEqual([JSON.parse(PING)]);
});

test('ignores empty lines and accepts Windows line ends', () => {
  input.write(`\n  \n${PING}\r\n`);
  expect([received.length, sent()]).toEqual([1, []]);
});

test.each<[string, () => unknown]>([
  ['its input ends', () => input.end()],
  ['its output closes', () => output.destroy(new Error('EPIPE'))],
  ['its input breaks', () => input.destroy(new Error('EIO'))],
  ['it is closed', () => transport.close()],
])('ends once when %s', async (_, end) => {
  end();
  await expect.poll(() => closed).toBe(1);
  await transport.close();
  expect(closed).toBe(1);
  await expect(transport.send(JSON.parse(PING) as JSONRPCMessage)).rejects.toThrow('the client has disconnected');
});

test('drops a client that does not read', async () => {
  const message = { jsonrpc: '2.0' as const, method: 'x', params: { text: 'x'.repeat(1024 * 1024) } };
  for (let times = 0; times < 80; times++) transport.send(message).catch(() => undefined);
  expect(closed).toBe(1);
});
