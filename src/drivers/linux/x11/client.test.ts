import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Deadline } from '../../../shared/index.js';
import { X11Client } from './client.js';

test('closes a connection that opens after its caller has given up', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'dp-x-'));
  const socket = join(directory, 'X');
  const server = createServer();
  await new Promise<void>((done) => server.listen(socket, done));
  const met = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const caller = new AbortController();
  const name = { text: ':0', host: '', number: 0, screen: 0, socket };
  const opening = X11Client.connect(name, { entries: [] }, Deadline.in(5_000, caller.signal));
  caller.abort();
  await expect(opening).rejects.toMatchObject({ code: 'cancelled' });
  const other = await met;
  other.resume();
  await new Promise((gone) => other.once('close', gone));
  server.close();
  rmSync(directory, { recursive: true });
});
