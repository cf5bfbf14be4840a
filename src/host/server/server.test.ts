import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { HostClient } from '../client/host-client.js';
import { MAX_REQUEST_BYTES, PROTOCOL } from './protocol.js';
import { HostServer, type Requests } from './server.js';

let base: string;
let socket: string;
let server: HostServer;
let clients: number[];
let cancelled: string[];

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const requests: Requests = {
  echo: async (params) => params,
  answer: async () => 'taken',
  fail: async () => {
    throw new DesktopError('stale_ref', 'Gone.', { hint: 'Run ui_snapshot.' });
  },
  fault: async () => {
    throw new TypeError('a fault of ours');
  },
  count: async (_, context) => {
    for (const n of [1, 2, 3]) context.item(n);
    context.progress(40);
    return 'done';
  },
  wait: async (params, { signal }) => {
    await untilAborted(signal);
    cancelled.push(String(params));
    throw new DesktopError('cancelled', 'The call was cancelled.');
  },
};

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'dp-srv-'));
  mkdirSync(join(base, 'd'), { mode: 0o700 });
  socket = join(base, 'd', 'host.sock');
  clients = [];
  cancelled = [];
  server = await HostServer.listen({
    socket,
    hello: { protocol: PROTOCOL, version: '9.9.9', desktop: 'd', pid: 1 },
    requests,
    onClients: (n) => clients.push(n),
  });
});
afterEach(async () => {
  await server.close(new DesktopError('cancelled', 'Test over.'));
  rmSync(base, { recursive: true, force: true });
});

it.each([
  ['user', /^End it; the next command starts a new one: kill 4711$/],
  ['work', /deskproof desktop stop work$/],
])(
  'a client that meets another protocol at the desktop %s gets an error that names the command to run',
  async (desktop, hint) => {
    const place = join(base, 'd', 'other.sock');
    const hello = { protocol: PROTOCOL + 1, version: '9.9.9', desktop, pid: 4711 };
    const other = await HostServer.listen({ socket: place, hello, requests });
    try {
      await expect(HostClient.connect(place, peer, 'test')).rejects.toMatchObject({
        ...{ code: 'driver_unavailable', message: expect.stringMatching(/started by Deskproof 9\.9\.9/) as string },
        hint: expect.stringMatching(hint) as string,
      });
    } finally {
      await other.close(new DesktopError('cancelled', 'Test over.'));
    }
  },
);

const peer = { what: 'desktop d', cure: 'deskproof desktop stop d' };
const connect = async () => (await HostClient.connect(socket, peer, 'test')) as HostClient;
/** Sends raw bytes and returns what the host sends until it closes the connection. */
function raw(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const connection = createConnection(socket, () => lines.forEach((line) => connection.write(line)));
    connection.on('data', (chunk) => (said += chunk.toString()));
    connection.on('error', reject);
    connection.on('close', () => resolve(said));
  });
}
const HELLO = `${JSON.stringify({ hello: { protocol: PROTOCOL, version: '1', client: 'raw' } })}\n`;

describe('a host and its clients', () => {
  it('keeps its socket closed to other users', () => {
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
  });

  it('answers, streams, reports progress, and passes errors on whole', async () => {
    const client = await connect();
    expect(client.hello).toMatchObject({ version: '9.9.9', desktop: 'd' });
    expect(await client.request('echo', { a: '日本' })).toEqual({ a: '日本' });
    const items: unknown[] = [];
    let progress = 0;
    const done = await client.request('count', {}, { onItem: (i) => items.push(i), onProgress: (n) => (progress = n) });
    expect([done, items, progress]).toEqual(['done', [1, 2, 3], 40]);
    await expect(client.request('fail')).rejects.toMatchObject({ code: 'stale_ref', hint: 'Run ui_snapshot.' });
    await expect(client.request('fault')).rejects.toMatchObject({ code: 'command_failed' });
    await expect(client.request('toString')).rejects.toMatchObject({ code: 'bad_arguments' });
    client.close();
  });

  it('cancels one call and leaves the others', async () => {
    const client = await connect();
    const stop = new AbortController();
    const call = client.request('wait', 'one', { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(cancelled).toEqual(['one']);
    expect(await client.request('echo', 1)).toBe(1);
    client.close();
  });

  it('cancels the calls of a client that disconnected', async () => {
    const client = await connect();
    void client.request('wait', 'two').catch(() => undefined);
    await client.request('echo', 0);
    client.close();
    await expect.poll(() => cancelled).toEqual(['two']);
    await expect.poll(() => clients.at(-1)).toBe(0);
  });

  it.each([
    ['no JSON', [HELLO, 'nonsense\n'], /not a request/],
    ['no hello', ['{"id":1,"do":"echo","with":1}\n'], /must be a hello/],
    ['an unknown field', [HELLO, '{"id":1,"do":"echo","with":1,"extra":1}\n'], /not a request/],
    ['another protocol', [HELLO.replace(/"protocol":\d+/, '"protocol":99')], /protocol 99/],
    ['an endless line', [HELLO, 'x'.repeat(MAX_REQUEST_BYTES + 1)], /longer than 4 MB/],
    ['one id twice', [HELLO, '{"id":1,"do":"wait","with":1}\n{"id":1,"do":"wait","with":1}\n'], /used twice/],
  ])('disconnects a client that sends %s, and no other', async (_, lines, message) => {
    const good = await connect();
    expect(await raw(...lines)).toMatch(message);
    expect(await good.request('echo', 'still here')).toBe('still here');
    good.close();
  });

  it('gives its clients the reason for its end', async () => {
    const client = await connect();
    const call = expect(client.request('wait', 'x')).rejects.toThrow('The display went away.');
    await server.close(new DesktopError('driver_unavailable', 'The display went away.'));
    await call;
    await expect(client.request('echo')).rejects.toThrow('The display went away.');
    expect(lstatSync(socket, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('accepts what an MCP client may send, and refuses more before it is sent; other calls continue', async () => {
    const client = await connect();
    const going = client.request('wait', 'long').catch((error: DesktopError) => error.code);
    const most = 'x'.repeat(4 * 1024 * 1024);
    expect(await client.request<string>('echo', most)).toHaveLength(most.length);
    await expect(client.request('echo', 'é'.repeat(3_000_000))).rejects.toMatchObject({
      ...{ code: 'bad_arguments', delivered: 'no', hint: 'Send it in parts.' },
      message: 'The call is too long: it has 5.7 MB, and the limit is 4 MB.',
    });
    expect(await client.request('echo', 1)).toBe(1);
    expect(cancelled).toEqual([]);
    expect(client.isGone).toBe(false);
    client.close();
    expect(await going).toBe('cancelled');
  });

  it.each<[string, DesktopError, boolean]>([
    ['ends', new DesktopError('driver_unavailable', 'The display went away.', { hint: 'Run doctor.' }), false],
    ['disconnects', new DesktopError('bad_arguments', 'A request is longer than 4 MB.'), true],
  ])('if it %s, pending calls may have been performed; later ones were not', async (_, reason, vanished) => {
    const client = await connect();
    const going = client.request('wait', 'x').catch((error: DesktopError) => error.toJSON());
    await client.request('echo');
    await server.close(reason);
    const { message, hint } = reason;
    expect(await going).toMatchObject({
      ...{ code: 'driver_unavailable', message, hint, delivered: 'unknown', retry: 'no' },
    });
    await expect(client.request('echo')).rejects.toMatchObject({ message, delivered: 'no' });
    expect(client.vanished).toBe(vanished);
  });

  it('refuses more than 2048 concurrent calls of one client, but accepts its answers to questions', async () => {
    const client = await connect();
    const calls = Array.from({ length: 2049 }, () => client.request('wait', 'many').catch((e: DesktopError) => e.code));
    expect(await Promise.race(calls)).toBe('rate_limited');
    expect(await client.request('answer')).toBe('taken');
    client.close();
    await Promise.all(calls);
  });
});

describe('connect', () => {
  it('finds no host where none listens', async () => {
    expect(await HostClient.connect(join(base, 'd', 'other.sock'), peer, 'test')).toBeUndefined();
  });
  it('refuses a directory that other users may write to', async () => {
    mkdirSync(join(base, 'open'), { mode: 0o777 });
    await expect(HostClient.connect(join(base, 'open', 'host.sock'), peer, 'test')).rejects.toThrow(/open to other/);
  });
});
