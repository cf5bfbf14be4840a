import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessId } from '../processes.js';

/** What the keeper and a later sweep must know to clean up after a seat. Written to `seat.json` in its directory. */
export interface SeatRecord {
  version: 1;
  /** Value of DESKPROOF_SEAT in the environment of every process of the seat. */
  id: string;
  name: string;
  /** Boot and process namespace that the process numbers belong to. */
  space: string;
  owner: ProcessId;
  keeper?: ProcessId;
  /** Chosen display number; written before the number's lock is taken. */
  display?: number;
  /** X server, bus, window manager: ended last, in this order reversed. */
  core: ProcessId[];
  launched: ProcessId[];
  /** Directories that belong to the seat, removed with it. Each holds a file that names the seat. */
  directories: string[];
}

const FILE = 'seat.json';
export const TAG_FILE = '.deskproof-seat';

export function writeRecord(runtimeDir: string, record: SeatRecord): void {
  const file = join(runtimeDir, FILE);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** undefined when there is none, or none that this version can trust. */
export function readRecord(runtimeDir: string): SeatRecord | undefined {
  try {
    return parseRecord(readFileSync(join(runtimeDir, FILE), 'utf8'));
  } catch {
    return undefined; // Not a seat's directory.
  }
}

export function parseRecord(text: string): SeatRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // Cut short, or written by something else: nothing of ours to clean.
  }
}

function isRecord(value: unknown): value is SeatRecord {
  const record = value as Partial<SeatRecord> | null;
  return (
    typeof record === 'object' &&
    record?.version === 1 &&
    typeof record.id === 'string' &&
    /^[0-9a-f]{32}$/.test(record.id) &&
    typeof record.name === 'string' &&
    typeof record.space === 'string' &&
    isProcessId(record.owner) &&
    (record.keeper === undefined || isProcessId(record.keeper)) &&
    (record.display === undefined || Number.isInteger(record.display)) &&
    isListOf(record.core, isProcessId) &&
    isListOf(record.launched, isProcessId) &&
    isListOf(record.directories, (entry): entry is string => typeof entry === 'string' && entry.startsWith('/'))
  );
}

function isProcessId(value: unknown): value is ProcessId {
  const id = value as Partial<ProcessId> | null;
  return typeof id === 'object' && Number.isInteger(id?.pid) && Number.isInteger(id?.startTime) && (id?.pid ?? 0) > 1;
}

function isListOf<T>(value: unknown, check: (entry: unknown) => entry is T): value is T[] {
  return Array.isArray(value) && value.every(check);
}
