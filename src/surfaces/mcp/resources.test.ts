import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { beforeEach, expect, test } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { DesktopLink } from './desktop-link.js';
import { AtOnce } from './call-tool.js';
import { Resources } from './resources.js';

let client: Client;
let resources: Resources;
let hidden: number | undefined;
let asked: unknown[];
let looks: Record<string, object>;
let offers: string[] | undefined;

beforeEach(async () => {
  [hidden, asked, looks, offers] = [undefined, [], { s7: { schema: 1, id: 's7' } }, undefined];
  const host = {
    request: async (what: string, params: { id?: string }) => {
      asked.push([what, params]);
      if (what === 'call') return { json: { windows: [], ...(hidden && { hiddenByPolicy: hidden }) } };
      const json = looks[params.id!];
      if (!json) throw new DesktopError('bad_arguments', 'There is no snapshot s7.');
      return { json };
    },
  };
  const link = { host: async () => host, offers: () => offers } as unknown as DesktopLink;
  const server = new Server({ name: 'x', version: '1' }, { capabilities: { resources: {} } });
  resources = new Resources(server, link, 'mcp:a', new AtOnce());
  client = new Client({ name: 'y', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
});

const listed = async (): Promise<string[]> => (await client.listResources()).resources.map(({ uri }) => uri);
const picture = (id: string, bytes = 4) => ({ id, json: { data: 'x'.repeat(bytes), mimeType: 'image/png' } });

test('a look that was had can be read again, as the desktop has it', async () => {
  resources.keep({ id: 's7', text: 'snapshot s7' });
  expect(await listed()).toEqual(['deskproof://snapshot/s7']);
  const { contents } = await client.readResource({ uri: 'deskproof://snapshot/s7' });
  expect(contents).toEqual([
    { uri: 'deskproof://snapshot/s7', mimeType: 'application/json', text: '{"schema":1,"id":"s7"}' },
  ]);
  expect(asked).toEqual([['kept', { id: 's7', caller: 'mcp:a' }]]);
});

test.each(['deskproof://snapshot/s8', 'deskproof://capture/s7', 'file:///etc/passwd', 's7'])(
  '%s is nothing that this client has had',
  async (uri) => {
    resources.keep({ id: 's7' });
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
    expect(asked).toEqual([]);
  },
);

test('a look that the desktop has forgotten is gone', async () => {
  resources.keep({ id: 's7' });
  looks = {};
  await expect(client.readResource({ uri: 'deskproof://snapshot/s7' })).rejects.toMatchObject({ code: -32_002 });
});

test('a picture can be read again, unless pictures are denied or something is hidden now', async () => {
  resources.keep(picture('c3'));
  const uri = 'deskproof://capture/c3';
  expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'image/png', blob: 'xxxx' }]);
  hidden = 1;
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
  [hidden, offers] = [undefined, ['ui_snapshot']];
  await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
});

test('only the last are kept, and no more than fits', async () => {
  for (let at = 1; at <= 40; at++) resources.keep({ id: `s${at}` });
  for (let at = 1; at <= 6; at++) resources.keep(picture(`c${at}`));
  resources.keep(picture('c7', 9 * 1024 * 1024));
  const uris = await listed();
  expect(uris.filter((uri) => uri.includes('snapshot'))).toHaveLength(32);
  expect(uris.slice(-4)).toEqual([3, 4, 5, 6].map((at) => `deskproof://capture/c${at}`));
  resources.keep(picture('c8', 8 * 1024 * 1024));
  expect((await listed()).slice(-2)).toEqual(['deskproof://snapshot/s40', 'deskproof://capture/c8']);
  resources.keep({ id: 'c9', text: 'written to a file' });
  resources.keep({ text: 'no id' });
  expect((await listed()).at(-1)).toBe('deskproof://capture/c8');
});
