// A small process that outlives the seat's owner by a moment. Its stdin is a pipe from the owner, which writes its
// record to it, a line for each change: when that pipe closes, for whatever reason, the owner is gone, and everything
// of the seat goes too, also when somebody removed the file with the record.
import { createInterface } from 'node:readline';
import { endSeat } from './cleanup.js';
import { RELEASED } from './watchdog.js';
import { parseRecord, readRecord } from './cleanup-record.js';

const runtimeDir = process.argv[2] ?? '';
let record = readRecord(runtimeDir);

// Ctrl-C, a closed terminal and a shutdown reach the keeper too; its work begins only when the pipe closes.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.stdin.on('error', () => undefined); // 'close' follows.
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  record = line === RELEASED ? undefined : (parseRecord(line) ?? record);
});
lines.on('close', () => {
  if (record) endSeat(runtimeDir, record, true).catch(() => process.exit(1)); // Nobody listens; a sweep tries again.
});
