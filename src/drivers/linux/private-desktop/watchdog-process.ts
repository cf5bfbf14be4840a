// A small process that outlives the owner of a private desktop and then cleans up. Its stdin is a pipe on which the
// owner writes the cleanup record, one line per change. When the pipe closes, for any reason, the owner is gone, and
// everything of the desktop is removed, even if the record file was deleted.
import { createInterface } from 'node:readline';
import { tearDownDesktop } from './tear-down.js';
import { RELEASED } from './watchdog.js';
import { parseRecord, readRecord } from './cleanup-record.js';

const runtimeDir = process.argv[2] ?? '';
let record = readRecord(runtimeDir);

// Ctrl-C, a closed terminal and a shutdown also reach the watchdog. It must still run when the pipe closes.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.stdin.on('error', () => undefined); // 'close' follows.
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  record = line === RELEASED ? undefined : (parseRecord(line) ?? record);
});
lines.on('close', () => {
  if (record) tearDownDesktop(runtimeDir, record, true).catch(() => process.exit(1)); // There is no one to report to; a later sweep tries again.
});
