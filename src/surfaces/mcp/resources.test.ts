import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { beforeEach, expect, test } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { DesktopLink } from './desktop-link.js';
import { ConcurrencyLimit } from './call-tool.js';
import { Resources } from './resources.js';

let client: Client;
let resources: Resources;
let hidden: number | undefined;
let asked: unknown[];
let snapshots: Record<string, object>;
let offers: string[] | undefined;

beforeEach(async () => {
  [hidden, asked, snapshots, offers] = [undefined, [], { s7: { schema: 1, id: 's7' } }, undefined];
  const host = {
    request: async (what: string, params: { id?: string }) => {
      asked.push([what, params]);
      if (what === 'call') return { json: { windows: [], ...(hidden && { hiddenByPolicy: hidden }) } };
      const json = snapshots[params.id!];
      if (!json) throw new DesktopError('bad_arguments', 'There is no snapshot s7.');
      return { json };
    },
  };
  const link = { host: async () => host, offeredTools: () => offers } as unknown as DesktopLink;
  const server = new Server({ name: 'x', version: '1' }, { capabilities: { resources: {} } });
  resources = new Resources(server, link, 'mcp:a', new ConcurrencyLimit());
  client = new Client({ name: 'y', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
});

const listed = async (): Promise<string[]> => (await client.listResources()).resources.map(({ uri }) => uri);
const screenshot = (id: string, bytes = 4) => ({ id, json: { data: 'x'.repeat(bytes), mimeType: 'image/png' } });

test('returns an earlier snapshot as the desktop keeps it', async () => {
  resources.store({ id: 's7', text: 'snapshot s7' });
  expect(await listed()).toEqual(['deskproof://snapshot/s7']);
  const { contents } = await client.readResource({ uri: 'deskproof://snapshot/s7' });
  expect(contents).toEqual([
    { uri: 'deskproof://snapshot/s7', mimeType: 'application/json', text: '{"schema":1,"id":"s7"}' },
  ]);
  expect(asked).toEqual([['kept', { id: 's7', caller: 'mcp:a' }]]);
});

test.each(['deskproof://snapshot/s8', 'deskproof://capture/s7', 'file:///etc/passwd', 's7'])(
  'does not return %s, which this client never received',
  async (uri) => {
    resources.store({ id: 's7' });
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
    expect(asked).toEqual([]);
  },
);

test('reports a snapshot that the desktop dropped as gone', async () => {
  resources.store({ id: 's7' });
  snapshots = {};
  await expect(client.readResource({ uri: 'deskproof://snapshot/s7' })).rejects.toMatchObject({ code: -32_002 });
});

test('returns an earlier screenshot, unless captures are denied or a window is hidden now', async () => {
  resources.store(screenshot('c3'));
  const uri = 'deskproof://capture/c3';
  expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'image/png', blob: 'xxxx' }]);
  hidden = 1;
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
  [hidden, offers] = [undefined, ['ui_snapshot']];
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
});

test('keeps only the latest, within the size limit', async () => {
  for (let at = 1; at <= 40; at++) resources.store({ id: `s${at}` });
  for (let at = 1; at <= 6; at++) resources.store(screenshot(`c${at}`));
  resources.store(screenshot('c7', 9 * 1024 * 1024));
  const uris = await listed();
  expect(uris.filter((uri) => uri.includes('snapshot'))).toHaveLength(32);
  expect(uris.slice(-4)).toEqual([3, 4, 5, 6].map((at) => `deskproof://capture/c${at}`));
  resources.store(screenshot('c8', 8 * 1024 * 1024));
  expect((await listed()).slice(-2)).toEqual(['deskproof://snapshot/s40', 'deskproof://capture/c8']);
  resources.store({ id: 'c9', text: 'written to a file' });
  resources.store({ text: 'no id' });
  expect((await listed()).at(-1)).toBe('deskproof://capture/c8');
});
