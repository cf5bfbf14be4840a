import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desktops, type HostClient } from '../../src/host/index.js';
import { TOOLS } from '../../src/tools/index.js';
import { CLI, CliRoom } from './cli-room.js';

const GUARDED = 'version: 1\nprofile: { virtual: guarded }\nenabled: true\n';
const PICTURES = `${GUARDED}rules:
  - { name: pictures, when: { class: capture }, decision: allow }
`;
const ALL = TOOLS.map(({ name }) => name);
const WITHOUT_PICTURES = ALL.filter((name) => name !== 'ui_capture' && name !== 'ui_click_xy');

let room: CliRoom;
let host: HostClient;
let client: Client;
let changes = 0;
const logged: unknown[] = [];
const policy = (text: string): void => writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), text);

async function connect(...words: string[]): Promise<Client> {
  const one = new Client({ name: 'test', version: '1' });
  const env = room.env as Record<string, string>;
  await one.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...words], env, cwd: room.base }),
  );
  return one;
}
const names = async (of: Client): Promise<string[]> => (await of.listTools()).tools.map(({ name }) => name);
const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
const call = async (name: string, args: object = {}): Promise<string> =>
  textOf((await client.callTool({ name, arguments: { ...args } }, undefined, { timeout: 60_000 })) as CallToolResult);

beforeAll(async () => {
  room = new CliRoom();
  mkdirSync(join(room.base, '.config/deskproof'), { recursive: true });
  policy(GUARDED);
  await room.ok('desktop', 'start', '--name', 'work');
  await room.ok('desktop', 'launch', '--', 'gnome-calculator');
  host = await new Desktops('test', room.env).connectPrivate('work');
  client = await connect('--desktop', 'work');
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
});
afterAll(async () => {
  await client?.close();
  host?.close();
  await room?.close();
});

describe('what is offered to a client', () => {
  test('lacks what the policy refuses in any case, before there is a desktop', { tags: 'safety' }, async () => {
    expect(await names(client)).toEqual(WITHOUT_PICTURES);
    expect(await call('ui_capture')).toMatch(/^failed: policy_denied\./);
  });

  test('changes when the user reloads another policy, and the client is notified', { tags: 'safety' }, async () => {
    expect(changes).toBe(0);
    policy(PICTURES);
    await host.request('reload');
    await expect.poll(() => changes, { timeout: 60_000 }).toBe(1);
    expect(await names(client)).toEqual(ALL.filter((name) => name !== 'ui_click_xy'));
    // Another reload that does not change the offers sends no notification.
    await host.request('reload');
    expect(await call('ui_list_windows')).toMatch(/Calculator/);
    expect(changes).toBe(1);
  });

  test('is less where less was asked for', async () => {
    const few = await connect('--desktop', 'work', '--tools', 'ui_click,ui_snapshot');
    expect(await names(few)).toEqual(['ui_snapshot', 'ui_click']);
    await expect(few.callTool({ name: 'ui_key', arguments: { keys: 'a' } })).rejects.toThrow(/no tool "ui_key"/);
    await few.close();
    const { code, err } = await room.run(['mcp', '--tools', 'ui_clik']);
    expect([code, err]).toEqual([2, expect.stringMatching(/There is no tool "ui_clik"\.[^]*ui_click/)]);
  });
});

test(
  'snapshots and captures that a client had can be read again as data, until something in them is hidden',
  { tags: 'safety' },
  async () => {
    const snapshot = await call('ui_snapshot', { window: 'Calculator' });
    const id = /^snapshot (s\d+) /.exec(snapshot)![1]!;
    expect(await call('ui_capture', { maxSize: 200 })).toMatch(/\bc\d+\b/);
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual([id, expect.stringMatching(/^c\d+$/)]);
    const [uri, picture] = resources.map((one) => one.uri) as [string, string];
    const [content] = (await client.readResource({ uri })).contents as { text: string }[];
    expect(JSON.parse(content!.text)).toMatchObject({ schema: 1, id, windows: [{ title: 'Calculator' }] });
    const [image] = (await client.readResource({ uri: picture })).contents as { blob: string }[];
    expect(Buffer.from(image!.blob, 'base64').subarray(1, 4).toString()).toBe('PNG');
    const other = await connect('--desktop', 'work');
    await expect(other.readResource({ uri })).rejects.toThrow(/snapshot or screenshot does not exist/);
    await other.close();
    policy(`${PICTURES}windows: { block: ["*Calculator*"] }\n`);
    await host.request('reload');
    await expect(client.readResource({ uri })).rejects.toThrow();
    await expect(client.readResource({ uri: picture })).rejects.toThrow(/snapshot or screenshot does not exist/);
  },
);

test('a client that wants to know hears what goes on, and nothing of what is on the screen', async () => {
  // Tools were called, and others came: it had not asked yet.
  expect(logged).toEqual([]);
  await client.setLoggingLevel('debug');
  await call('ui_list_windows');
  await call('ui_click', { target: 'button:"a very secret word"', timeoutMs: 200 });
  await expect.poll(() => logged.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  expect(logged).toContainEqual({
    ...{ level: 'debug', logger: 'deskproof' },
    data: { tool: 'ui_list_windows', outcome: 'ok', ms: expect.any(Number) as number },
  });
  expect(JSON.stringify(logged)).toContain('element_not_found');
  expect(JSON.stringify(logged)).not.toMatch(/secret|Calculator/);
});
