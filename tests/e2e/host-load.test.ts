import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desktops, type CallAnswer, type DesktopDetails, type HostClient } from '../../src/host/index.js';
import { PROTOCOL } from '../../src/host/server/protocol.js';
import { desktopPaths } from '../../src/platform/runtime-directory.js';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const SOAK = Boolean(process.env.SOAK);
const CLIENTS = SOAK ? 50 : 10;
const CALLS = SOAK ? 10_000 : 300;
const WARM = CALLS / 10;
/** As the host may grow between a tenth of the calls and all of them. */
const MOST_GROWTH_MB = 20;

let room: CliRoom;
let desktops: Desktops;
let path: string;
let pid: number;
let clients: HostClient[] = [];
const called = { tool: 'ui_list_windows', args: {}, want: 'text' } as const;

beforeAll(async () => {
  room = new CliRoom();
  await room.ok('desktop', 'start', '--name', 'work');
  desktops = new Desktops('load', room.env);
  path = desktopPaths(desktops.base, 'work').socket;
  const host = await desktops.connectPrivate('work');
  pid = (await host.request<DesktopDetails>('info')).pid;
  host.close();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await room?.close();
});

const rss = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
const files = (): number => readdirSync(`/proc/${pid}/fd`).length;

async function raw(): Promise<Socket> {
  const socket = createConnection(path);
  // This test checks how the host treats us.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The records that are in the log, by kind. */
function records(): { kind: string; tool?: string; caller?: { session?: string } }[] {
  const logs = join(room.base, '.local/share/deskproof/audit/work');
  return readdirSync(logs)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(logs, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as ReturnType<typeof records>[number]);
}

async function answers(): Promise<void> {
  const host = await desktops.connectPrivate('work');
  expect((await host.request<CallAnswer>('call', { ...called, caller: 'mcp:check' })).text).toBeDefined();
  host.close();
}

describe('a host', () => {
  test(`answers ${CALLS} calls of ${CLIENTS} clients, grows no more and writes each of them down`, async () => {
    const before = files();
    clients = await Promise.all(Array.from({ length: CLIENTS }, () => desktops.connectPrivate('work')));
    let [made, answered] = [0, 0];
    let warm: { rss: number; files: number } | undefined;
    const work = async (client: HostClient, at: number): Promise<void> => {
      while (made < CALLS) {
        made += 1;
        await client.request<CallAnswer>('call', { ...called, caller: `mcp:load-${at}` });
        answered += 1;
        if (answered === WARM) warm = { rss: rss(), files: files() };
      }
    };
    // One goes in the middle of a call; the others do not notice.
    const connected = files();
    const killed = room.start('wait', 'button:Never', '--timeout-ms', '60000', '--desktop', 'work');
    await until('one more client', () => files() > connected);
    const working = Promise.all(clients.map(work));
    await until('half of the calls', () => answered > CALLS / 2);
    killed.child.kill('SIGKILL');
    await working;
    expect(answered).toBe(CALLS);
    await until('the one that was killed to be gone', () => files() < warm!.files);
    const after = { rss: rss(), files: files() };
    if (SOAK) console.log(`${CALLS} calls: ${JSON.stringify({ before, warm, after })}`);
    // A heap that has just begun to work still grows to its size; after so many calls it has it.
    if (SOAK) expect(after.rss - warm!.rss).toBeLessThanOrEqual(MOST_GROWTH_MB);
    for (const client of clients) client.close();
    clients = [];
    await until('the clients to be gone', () => files() <= before);
    const written = (): number =>
      records().filter(({ kind, caller }) => kind === 'call' && caller?.session?.startsWith('mcp:load-')).length;
    await until('the log to be written', () => written() >= CALLS);
    expect(written()).toBe(CALLS);
    expect((await room.run(['audit', 'verify', '--desktop', 'work'])).code).toBe(0);
  }, 1_200_000);

  test('lets one go that sends 100 MB, and keeps nothing of it', async () => {
    const before = rss();
    const socket = await raw();
    const part = Buffer.alloc(1024 * 1024, 'x');
    let closed = false;
    socket.once('close', () => (closed = true));
    socket.resume();
    for (let times = 0; times < 100 && !closed; times++) {
      if (!socket.write(part)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
    await until('it to hang up', () => closed);
    await answers();
    expect(rss() - before).toBeLessThan(60);
  });

  test('stays up whatever byte a client stops at', async () => {
    const before = files();
    const hello = { hello: { protocol: PROTOCOL, version: '0', client: 'x' } };
    const request = { id: 1, do: 'call', with: { ...called, caller: 'mcp:cut' } };
    const bytes = Buffer.from(`${JSON.stringify(hello)}\n${JSON.stringify(request)}\n`);
    const step = SOAK ? 1 : 7;
    for (let end = 0; end <= bytes.length; end += step) {
      const socket = await raw();
      await new Promise<void>((resolve) => void socket.write(bytes.subarray(0, end), () => resolve()));
      socket.destroy();
    }
    await answers();
    await until('its files to be closed', () => files() <= before);
  });

  test('lets one go that speaks another language, and answers the others', async () => {
    for (const garbage of ['GET / HTTP/1.1\r\n\r\n', '\0\xff\n', '{"hello":1}\n', '[]\n', '{"id":1,"do":"call"}\n']) {
      const socket = await raw();
      const closed = once(socket, 'close');
      socket.resume();
      socket.write(garbage);
      await closed;
    }
    await answers();
  });
});
