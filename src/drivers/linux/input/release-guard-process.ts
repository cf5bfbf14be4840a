// A small process that outlives the owner of the input device for a moment. The owner writes what must be undone to
// this process's stdin before it presses anything. When that pipe closes, for any reason, the owner is gone: this
// process then releases everything that the owner held, and restores the keysyms of remapped keys.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { MinimalXClient, type ServerAddress } from './minimal-x-client.js';
import { KEYSYM_READ_DELAY_MS, type Undo } from './undo-list.js';

export interface GuardSetup {
  address: ServerAddress;
  /** Requests to send first, base64. Only the last of them has a reply. */
  setupRequests: string;
  /** A drawable that belongs to the owner's connection. */
  ownerDrawable: number;
}

/** Longer than even a busy server needs to notice that a client is gone. */
const OWNER_GONE_MS = 5000;
const POLL_MS = 5;

let setup: GuardSetup | undefined;
let undo: Undo = { now: '', again: '', later: '' };
let x: Promise<MinimalXClient> | undefined;

// Ctrl-C, a closed terminal and a shutdown also reach this process. Its work starts only when the pipe closes.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.stdin.on('error', () => undefined); // 'close' follows.
process.stdout.on('error', () => undefined); // The owner is gone; 'close' of stdin reports it.
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = parse(line);
  if (!message) return;
  if ('address' in message) begin(message);
  else undo = message;
});
lines.on('close', () => {
  restore().then(
    () => process.exit(0),
    () => process.exit(1), // The server is gone, and with it all pressed keys and buttons.
  );
});

function begin(message: GuardSetup): void {
  setup = message;
  const exit = (): void => process.exit(0);
  x = MinimalXClient.connect(message.address, exit).then(async (link) => {
    await link.request(Buffer.from(message.setupRequests, 'base64'));
    process.stdout.write('ready\n');
    return link;
  });
  x.catch(() => process.exit(1)); // The owner notices that this process ended.
}

async function restore(): Promise<void> {
  const now = Buffer.from(undo.now, 'base64');
  const later = Buffer.from(undo.later, 'base64');
  if (!x || !setup || now.length + later.length === 0) return;
  const link = await x;
  link.send(now);
  // The server may not have read the owner's last requests yet. It would process them after our releases.
  const end = performance.now() + OWNER_GONE_MS;
  while ((await link.exists(setup.ownerDrawable)) && performance.now() < end) await pause(POLL_MS);
  link.send(Buffer.from(undo.again, 'base64'));
  await link.sync();
  if (later.length === 0) return;
  await pause(KEYSYM_READ_DELAY_MS);
  link.send(later);
  await link.sync();
}

/** Ignores a line that was cut off by the owner's death. The owner did nothing after it. */
function parse(line: string): GuardSetup | Undo | undefined {
  try {
    return JSON.parse(line) as GuardSetup | Undo;
  } catch {
    return undefined;
  }
}
