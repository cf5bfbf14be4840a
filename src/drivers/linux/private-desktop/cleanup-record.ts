import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessId } from '../processes.js';

/**
 * Everything that the watchdog and a later sweep need to clean up after a private desktop. Stored as `seat.json` in its
 * runtime directory.
 */
export interface CleanupRecord {
  version: 1;
  /** Value of DESKPROOF_SEAT in the environment of every process of the desktop. */
  id: string;
  name: string;
  /** Boot id and process namespace in which the pids are valid. */
  space: string;
  owner: ProcessId;
  /** The watchdog process. */
  keeper?: ProcessId;
  /** The chosen display number. It is written before the lock of that number is taken. */
  display?: number;
  /** X server, bus and window manager. They are ended last, in reverse order. */
  core: ProcessId[];
  launched: ProcessId[];
  /** Directories that belong to the desktop and are removed with it. Each holds a tag file with the desktop's id. */
  directories: string[];
}

const RECORD_FILE = 'seat.json';
export const TAG_FILE = '.deskproof-seat';

export function writeRecord(runtimeDir: string, record: CleanupRecord): void {
  const file = join(runtimeDir, RECORD_FILE);
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Returns undefined if there is no record, or none that this version can trust. */
export function readRecord(runtimeDir: string): CleanupRecord | undefined {
  try {
    return parseRecord(readFileSync(join(runtimeDir, RECORD_FILE), 'utf8'));
  } catch {
    return undefined; // Not the directory of a private desktop.
  }
}

export function parseRecord(text: string): CleanupRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isCleanupRecord(value) ? value : undefined;
  } catch {
    return undefined; // Truncated, or written by another program: there is nothing of ours to clean up.
  }
}

function isCleanupRecord(value: unknown): value is CleanupRecord {
  const record = value as Partial<CleanupRecord> | null;
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
