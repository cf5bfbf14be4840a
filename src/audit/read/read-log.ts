import { closeSync, readSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError } from '../../shared/index.js';
import { MAX_LINE_BYTES, parseLine, splitLines } from '../line.js';
import { openLogFile, readLogFile, segmentPath, segmentsIn } from '../locations.js';
import { type AuditRecord, type Raw, readRecord } from '../record.js';

/** One line of a log; `problem` if it is not a record. Reading proves nothing; verify does. */
export interface ReadLine {
  segment: number;
  line: number;
  record?: AuditRecord;
  problem?: string;
}

function toLine(bytes: Uint8Array, segment: number, line: number): ReadLine {
  if (bytes.length >= MAX_LINE_BYTES) return { segment, line, problem: 'too long' };
  const raw = parseLine(bytes);
  if (!raw) return { segment, line, problem: 'not a record' };
  try {
    return { segment, line, record: readRecord(raw) };
  } catch (error) {
    if (error instanceof DesktopError) return { segment, line, problem: error.message };
    throw error;
  }
}

/** Every complete line, in order, one segment at a time. */
export function* readLog(logs: string): Generator<ReadLine> {
  for (const segment of segmentsIn(logs)) yield* readSegment(logs, segment);
}

function* readSegment(logs: string, segment: number, after = 0): Generator<ReadLine> {
  const { lines } = splitLines(readLogFile(segmentPath(logs, segment)));
  for (const [at, { bytes }] of lines.slice(after).entries()) yield toLine(bytes, segment, after + at + 1);
}

/** Undefined: the segment has no complete line, or its first line is not JSON. */
export function firstLineOf(logs: string, segment: number): Raw | undefined {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  const fd = openLogFile(segmentPath(logs, segment));
  try {
    const line = splitLines(bytes.subarray(0, readSync(fd, bytes))).lines[0];
    return line && parseLine(line.bytes);
  } finally {
    closeSync(fd);
  }
}

/** The last lines, in order. Reads only the segments that are needed. */
export function readLast(logs: string, most: number): ReadLine[] {
  let found: ReadLine[] = [];
  for (const segment of segmentsIn(logs).reverse()) {
    if (found.length >= most) break;
    const { lines } = splitLines(readLogFile(segmentPath(logs, segment)));
    const from = Math.max(0, lines.length - (most - found.length));
    found = [...lines.slice(from).map(({ bytes }, at) => toLine(bytes, segment, from + at + 1)), ...found];
  }
  return found;
}

interface FollowOptions {
  /** How many existing lines come first. */
  last?: number;
  signal?: AbortSignal;
  pollMs?: number;
}

/** The last lines and then each new one, across segments, until the signal aborts. */
export async function* followLog(logs: string, options: FollowOptions = {}): AsyncGenerator<ReadLine> {
  const { last = 10, signal, pollMs = 200 } = options;
  const shown = readLast(logs, Math.max(1, last));
  yield* last > 0 ? shown : [];
  let { segment, line } = shown.at(-1) ?? { segment: segmentsIn(logs)[0] ?? 1, line: 0 };
  let size = 0;
  while (!signal?.aborted) {
    let quiet = true;
    for (const now of segmentsIn(logs).filter((one) => one >= segment)) {
      if (now > segment) [segment, line, size] = [now, 0, 0];
      // A long log is not read again while it does not grow.
      const { size: before } = statSync(segmentPath(logs, now));
      if (before === size) continue;
      size = before;
      for (const read of readSegment(logs, now, line)) {
        quiet = false;
        line = read.line;
        yield read;
        if (signal?.aborted) return;
      }
    }
    if (quiet) await pause(pollMs, undefined, { signal }).catch(() => undefined); // The signal ended the wait, as intended.
  }
}
