// A small process that outlives the seat's owner by a moment. Its stdin is a pipe from the owner: when that closes,
// for whatever reason, the owner is gone, and everything of the seat goes too.
import { endSeat } from './end-seat.js';
import { readRecord } from './record.js';

const runtimeDir = process.argv[2] ?? '';
let released = false;

// Ctrl-C, a closed terminal and a shutdown reach the keeper too; its work begins only when the pipe closes.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.stdin.on('data', (chunk: Buffer) => {
  if (chunk.includes('released')) released = true;
});
process.stdin.on('error', () => undefined); // 'close' follows.
process.stdin.on('close', () => {
  const record = released ? undefined : readRecord(runtimeDir);
  if (record) endSeat(runtimeDir, record, true).catch(() => process.exit(1)); // Nobody listens; a sweep tries again.
});
