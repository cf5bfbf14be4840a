// A small process that outlives the hands' owner by a moment. Its stdin is a pipe from the owner, which writes to it
// what has to be undone, before it does it. When that pipe closes, for whatever reason, the owner is gone: what it held
// is released, and keys that it gave other symbols get their own back.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { BareX, type Door } from './minimal-x-client.js';
import { APPS_READ_LATE_MS, type Undo } from './undo-list.js';

export interface Greeting {
  door: Door;
  /** Requests to begin with, the last of them with an answer; base64. */
  hello: string;
  /** A drawable of the owner's own connection. */
  owner: number;
}

/** Longer than a server needs to notice that a client is gone, even a busy one. */
const OWNER_GONE_MS = 5000;
const LOOK_AGAIN_MS = 5;

let greeting: Greeting | undefined;
let undo: Undo = { now: '', again: '', later: '' };
let x: Promise<BareX> | undefined;

// Ctrl-C, a closed terminal and a shutdown reach this process too; its work begins only when the pipe closes.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.stdin.on('error', () => undefined); // 'close' follows.
process.stdout.on('error', () => undefined); // The owner is gone; 'close' of stdin tells.
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const said = parse(line);
  if (!said) return;
  if ('door' in said) begin(said);
  else undo = said;
});
lines.on('close', () => {
  restore().then(
    () => process.exit(0),
    () => process.exit(1), // The server is gone, and with it everything that could be pressed.
  );
});

function begin(said: Greeting): void {
  greeting = said;
  const leave = (): void => process.exit(0);
  x = BareX.connect(said.door, leave).then(async (link) => {
    await link.ask(Buffer.from(said.hello, 'base64'));
    process.stdout.write('ready\n');
    return link;
  });
  x.catch(() => process.exit(1)); // The owner hears of it by our end.
}

async function restore(): Promise<void> {
  const now = Buffer.from(undo.now, 'base64');
  const later = Buffer.from(undo.later, 'base64');
  if (!x || !greeting || now.length + later.length === 0) return;
  const link = await x;
  link.send(now);
  // What the owner sent last may still wait in the server's ear, and would be heard after our releases.
  const end = performance.now() + OWNER_GONE_MS;
  while ((await link.exists(greeting.owner)) && performance.now() < end) await pause(LOOK_AGAIN_MS);
  link.send(Buffer.from(undo.again, 'base64'));
  await link.sync();
  if (later.length === 0) return;
  await pause(APPS_READ_LATE_MS);
  link.send(later);
  await link.sync();
}

/** A line that was cut off by the owner's death is as if it had not been said: nothing was done after it. */
function parse(line: string): Greeting | Undo | undefined {
  try {
    return JSON.parse(line) as Greeting | Undo;
  } catch {
    return undefined;
  }
}
