import { createHash } from 'node:crypto';
import { canonicalJson } from '../shared/index.js';
import { unavailable } from './errors.js';
import { type AuditRecord, type Draft, parseRecord, type Raw, RECORD_VERSION } from './record.js';

export const LONGEST_LINE = 64 * 1024;
/** Before the first line there is none. */
export const NO_HASH = '0'.repeat(64);
const NEWLINE = 0x0a;

export interface Line {
  /** Without the newline. */
  bytes: Buffer;
  /** Where it begins in its file. */
  start: number;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Link {
  ledger: string;
  seq: number;
  prev: string;
  at: string;
}

/** The chain's next record as bytes, newline included, and the hash that the one after it will name. */
export function makeLine(draft: Draft, link: Link): { bytes: Buffer; hash: string } {
  const record = { ...draft, v: RECORD_VERSION, ...link } as AuditRecord;
  const text = bounded(record) ?? bounded(withoutArgs(record));
  if (text === undefined) throw unavailable(`A ${draft.kind} record is too long to be written.`, 'Report this.');
  const bytes = Buffer.from(`${text}\n`);
  return { bytes, hash: hashOf(bytes.subarray(0, -1)) };
}

/** Throws where it would not be a record, before anything depends on it. */
export function checkDraft(draft: Draft, at: string): void {
  parseRecord({ ...draft, v: RECORD_VERSION, ledger: `L${'0'.repeat(32)}`, seq: 1, prev: NO_HASH, at });
}

function bounded(record: AuditRecord): string | undefined {
  const text = canonicalJson(record);
  return Buffer.byteLength(text) < LONGEST_LINE ? text : undefined;
}

/** Arguments are the only part that a caller can make long; no hash of them, since they may hold what is secret. */
function withoutArgs(record: AuditRecord): AuditRecord {
  if (!('args' in record) || !record.args) return record;
  return { ...record, args: { '…': `${Buffer.byteLength(canonicalJson(record.args))} bytes left out` } };
}

/** Every complete line. `rest`: where the last newline was passed; what follows is no record. */
export function splitLines(bytes: Buffer): { lines: Line[]; rest: number } {
  const lines: Line[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push({ bytes: bytes.subarray(start, end), start });
    start = end + 1;
  }
  return { lines, rest: start };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined: no JSON object in UTF-8. */
export function parseLine(bytes: Uint8Array): Raw | undefined {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : undefined;
  } catch {
    return undefined; // Whoever asked says where it stands; what is wrong with it says nothing more.
  }
}
