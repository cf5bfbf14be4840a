import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { ClientLog } from './server.js';

test('sends messages from the level that the client has set', async () => {
  const server = new Server({ name: 'x', version: '1' }, { capabilities: { logging: {} } });
  const log = new ClientLog(server);
  const client = new Client({ name: 'y', version: '1' });
  const heard: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
  log.write('error', { before: 'anybody is there' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  log.write('debug', { at: 1 });
  log.write('emergency', { at: 2 });
  await client.setLoggingLevel('debug');
  log.write('debug', { at: 3 });
  await client.setLoggingLevel('error');
  log.write('warning', { at: 4 });
  log.write('error', { at: 5 });
  await client.ping();
  expect(heard).toEqual([
    { level: 'debug', logger: 'deskproof', data: { at: 3 } },
    { level: 'error', logger: 'deskproof', data: { at: 5 } },
  ]);
});
