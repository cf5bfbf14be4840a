// @module-tag safety

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ElicitRequestSchema,
  type CallToolResult,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desktops, type PendingQuestion, type HostClient } from '../../src/host/index.js';
import { CLI, CliRoom } from './cli-room.js';
import { UserTerminal } from './support/user-terminal.js';
import { until } from './support/seat-room.js';

const SECONDS = 5;
const POLICY = `version: 1
profile: { virtual: guarded }
enabled: true
approvals: { seconds: ${SECONDS} }
risk: { words: [undo] }
`;

let room: CliRoom;
/** As `deskproof approvals` would answer. */
let host: HostClient;
let request: { message: string; requestedSchema: unknown }[] = [];
let user: () => Promise<ElicitResult>;

beforeAll(async () => {
  room = new CliRoom();
  mkdirSync(join(room.base, '.config/deskproof'), { recursive: true });
  writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), POLICY);
  await room.ok('desktop', 'start', '--name', 'work');
  await room.ok('desktop', 'launch', '--', 'gnome-calculator');
  host = await new Desktops('test', room.env).connectPrivate('work');
});
afterAll(async () => {
  host?.close();
  await room?.close();
});

/** A client whose user answers as `user` does. */
async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    request.push(params as (typeof request)[number]);
    return user();
  });
  await client.connect(transport);
  return client;
}

function stdio(): StdioClientTransport {
  const env = room.env as Record<string, string>;
  return new StdioClientTransport({
    ...{ command: process.execPath, args: [CLI, 'mcp', '--desktop', 'work'], env, stderr: 'pipe' },
  });
}

async function click(client: Client, name: string): Promise<string> {
  request = [];
  const call = { name: 'ui_click', arguments: { target: `button:"${name}"` } };
  const { content } = (await client.callTool(call, undefined, { timeout: 60_000 })) as CallToolResult;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Read from the calculator's own tree, with a call that needs no approval. */
const display = async (): Promise<string> =>
  /textbox focused: "(\S*)"/.exec(await room.ok('snapshot', 'Calculator', '--desktop', 'work'))?.[1] ?? 'nothing';
const after = (ms: number, said: ElicitResult) => async (): Promise<ElicitResult> => (await pause(ms), said);
const yes = (answer: string): ElicitResult => ({ action: 'accept', content: { answer } });
const DECLINE: ElicitResult = { action: 'decline' };
const CANCEL: ElicitResult = { action: 'cancel' };
const READING_MS = 900;

describe('a question to the user of an MCP client', () => {
  let client: Client;
  let transport: StdioClientTransport;
  let said = '';
  beforeAll(async () => {
    transport = stdio();
    client = await connect(transport);
    transport.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  });
  afterAll(() => client.close());

  test('says what it is about, and a yes lets it be done', async () => {
    user = after(READING_MS, yes('once'));
    expect(await click(client, '7')).toMatch(/^ok: click e\d+ button "7"/);
    expect(request).toHaveLength(1);
    expect(request[0]!.message).toMatch(
      /^May the agent do this\? click e\d+ button "7" in w\d+\nprogram \/usr\/bin\/gn/,
    );
    expect(request[0]!.requestedSchema).toMatchObject({
      properties: { answer: { enum: ['deny', 'once', 'session', 'app'] } },
    });
    expect(await display()).toBe('7');
    expect(said).toMatch(/approval needed: click e\d+ button "7" .*; to answer: deskproof approvals --desktop work\n/);
  });

  test('whose answer comes twice is answered once, and not called off afterwards', async () => {
    user = after(READING_MS, yes('once'));
    const send = transport.send.bind(transport);
    transport.send = async (message) => {
      await send(message);
      if ('result' in message && 'action' in message.result) await send(message);
    };
    let calledOff = 0;
    client.setNotificationHandler(CancelledNotificationSchema, () => void calledOff++);
    expect(await click(client, '8')).toMatch(/^ok: click e\d+ button "8"/);
    transport.send = send;
    await client.ping();
    expect(calledOff).toBe(0);
    expect(await display()).toBe('78');
    expect(await room.ok('audit', 'show', '--desktop', 'work')).not.toMatch(/already closed/);
  });

  test.each([
    ['a no', after(READING_MS, yes('deny'))],
    ['a form that is declined', after(READING_MS, DECLINE)],
  ])('%s is a no', async (_, says) => {
    user = says;
    expect(await click(client, '1')).toMatch(/^failed: approval_denied\./);
  });

  test('silence is a no, and a yes that is late changes nothing', async () => {
    let answer: (said: ElicitResult) => void = () => undefined;
    user = () => new Promise((resolve) => (answer = resolve));
    expect(await click(client, '1')).toMatch(/^failed: approval_timeout\./);
    answer(yes('once'));
    await client.ping();
    expect(await display()).toBe('78');
  });

  test.each([
    ['a yes without a word', after(READING_MS, { action: 'accept' })],
    ['a yes with an empty form', after(READING_MS, { action: 'accept', content: {} })],
    ['a word that was not offered', after(READING_MS, yes('yes'))],
    ['a form that is called off', after(READING_MS, CANCEL)],
    ['a yes in 5 ms', after(5, yes('once'))],
    ['a no in 5 ms', after(5, DECLINE)],
  ])('%s is no answer: the terminal can still give one', async (_, says) => {
    const { answered, done } = await whenAnswered(client, '2', says);
    await answered;
    expect(await sayNo()).toBe('counted');
    expect(await done).toMatch(/^failed: approval_denied\.[^]*\nperson: from elsewhere/);
  });

  test('disables the form for this session after the third answer that was too fast to be read', async () => {
    const tooFast = async (): Promise<number> =>
      (await room.ok('audit', 'show', '--desktop', 'work')).match(/too fast/g)?.length ?? 0;
    // On a busy machine even a program's answer may take as long as a user's: it is none of the three then.
    while ((await tooFast()) < 3) {
      const { answered, done } = await whenAnswered(client, '2', after(5, CANCEL));
      await answered;
      await sayNo();
      await done;
    }
    expect(await click(client, '2')).toMatch(/^failed: approval_required\..*\n?.*deskproof approvals/);
    expect(request).toEqual([]);
    expect(await display()).toBe('78');
    expect(await tooFast()).toBe(3);
  });

  /** The call goes on; `answered` when the server has heard the answer of the client's user. */
  async function whenAnswered(by: Client, name: string, says: () => Promise<ElicitResult>) {
    let heard: () => void;
    const spoken = new Promise<void>((resolve) => (heard = resolve));
    user = async () => says().finally(() => heard());
    const done = click(by, name);
    await spoken;
    return { answered: by.ping(), done };
  }

  async function sayNo(): Promise<string> {
    const { open } = await host.request<{ open: PendingQuestion[] }>('questions');
    expect(open).toHaveLength(1);
    const answer = { id: open[0]!.id, reason: 'from elsewhere' };
    return (await host.request<{ taken: string }>('answer', answer)).taken;
  }
});

describe('with another client', () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(stdio());
  });
  afterAll(() => client.close());

  test('a question about a high risk is put to no form, and a form cannot answer it', async () => {
    user = after(READING_MS, yes('once'));
    expect(await click(client, 'Undo')).toMatch(/^failed: approval_required\./);
    expect(request).toEqual([]);
    const leave = new AbortController();
    const attended = new Promise<void>((resolve) => {
      host.request('approvals', {}, { signal: leave.signal, onItem: () => resolve() }).catch(() => undefined);
    });
    await attended;
    const done = click(client, 'Undo');
    let open: PendingQuestion[] = [];
    await until('it to be asked', async () => {
      ({ open } = await host.request<{ open: PendingQuestion[] }>('questions'));
      return open.length > 0;
    });
    const form = { id: open[0]!.id, channel: 'mcp', scope: 'once', tookMs: READING_MS };
    expect(await host.request('answer', form)).toEqual({ taken: 'not here' });
    await host.request('answer', { id: open[0]!.id });
    expect(await done).toMatch(/^failed: approval_denied\./);
    leave.abort();
    expect(request).toEqual([]);
  });

  test('what a program declined at once is still open in a terminal, and its yes counts', async () => {
    const terminal = UserTerminal.open(room);
    try {
      terminal.press('deskproof approvals --desktop work', 'Enter');
      await terminal.shows(/Approval requests of desktop work appear here/);
      user = after(5, DECLINE);
      const done = click(client, '9');
      await terminal.shows(/what +click e\d+ button "9"[^]*> *\n/);
      await pause(READING_MS);
      terminal.press('o', 'Enter');
      expect(await done).toMatch(/^ok: click e\d+ button "9"/);
      expect(await display()).toBe('789');
    } finally {
      terminal.end();
    }
  });
});

test('a client that came by HTTP is asked where it waits for its answer', async () => {
  const server = room.start('mcp', '--http', '--desktop', 'work');
  await until('it to listen', () => /Bearer [0-9a-f]{64}/.test(server.said()));
  const authorization = /Bearer [0-9a-f]{64}/.exec(server.said())![0];
  const url = new URL(/http:\S+/.exec(server.said())![0]);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } });
  const client = await connect(transport);
  user = after(READING_MS, yes('session'));
  expect(await click(client, '0')).toMatch(/^ok: click e\d+ button "0"/);
  expect(await display()).toBe('7890');
  // It holds for this session.
  expect(await click(client, '4')).toMatch(/^ok: click e\d+ button "4"/);
  expect(request).toEqual([]);
  const grants = async () => (await host.request<{ grants: { session: string }[] }>('grants')).grants;
  expect(await grants()).toMatchObject([{ session: `mcp:${transport.sessionId}` }]);
  // It ends with this session, while the server goes on.
  await transport.terminateSession();
  await client.close();
  await until('the grant to end', async () => (await grants()).length === 0);
  expect(server.child.exitCode).toBeNull();
  server.child.kill('SIGTERM');
});

test('a question of a client that dies is withdrawn, and nothing is done', async () => {
  const transport = stdio();
  const client = await connect(transport);
  const before = await display();
  let asking: () => void;
  const isAsked = new Promise<void>((resolve) => (asking = resolve));
  user = () => (asking(), new Promise(() => undefined));
  const lost = click(client, '2').catch(() => 'lost');
  await isAsked;
  process.kill(transport.pid!, 'SIGKILL');
  expect(await lost).toBe('lost');
  const open = async () => (await host.request<{ open: unknown[] }>('questions')).open;
  await until('it to be withdrawn', async () => (await open()).length === 0);
  expect(await display()).toBe(before);
  const log = await room.ok('audit', 'show', '--desktop', 'work');
  expect(log).toMatch(/answer .*withdrawn/);
  expect(log).toMatch(/session .*end/);
});
