import { createHash } from 'node:crypto';
import { canonicalJson } from '../shared/index.js';
import { unavailable } from './errors.js';
import { type AuditRecord, type Draft, parseRecord, type Raw, RECORD_VERSION } from './record.js';

export const MAX_LINE_BYTES = 64 * 1024;
/** `prev` of the first line. */
export const NO_HASH = '0'.repeat(64);
const NEWLINE = 0x0a;

interface Line {
  /** Without the newline. */
  bytes: Buffer;
  /** Offset in its file. */
  start: number;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface Link {
  ledger: string;
  seq: number;
  prev: string;
  at: string;
}

/** The next record of the chain as bytes, newline included, and its hash, which the record after it will contain. */
export function makeLine(draft: Draft, link: Link): { bytes: Buffer; hash: string } {
  const record = { ...draft, v: RECORD_VERSION, ...link } as AuditRecord;
  const text = bounded(record) ?? bounded(withoutArgs(record));
  if (text === undefined)
    throw unavailable(`A record of kind ${draft.kind} is too long for the log.`, 'Please report this.');
  const bytes = Buffer.from(`${text}\n`);
  return { bytes, hash: hashOf(bytes.subarray(0, -1)) };
}

/** Throws if the draft is not a valid record, before anything depends on it. */
export function checkDraft(draft: Draft, at: string): void {
  parseRecord({ ...draft, v: RECORD_VERSION, ledger: `L${'0'.repeat(32)}`, seq: 1, prev: NO_HASH, at });
}

function bounded(record: AuditRecord): string | undefined {
  const text = canonicalJson(record);
  return Buffer.byteLength(text) < MAX_LINE_BYTES ? text : undefined;
}

/** Only arguments can be made long by a caller. They are not hashed either, since they may contain secrets. */
function withoutArgs(record: AuditRecord): AuditRecord {
  if (!('args' in record) || !record.args) return record;
  return { ...record, args: { '…': `${Buffer.byteLength(canonicalJson(record.args))} bytes left out` } };
}

/** Every complete line. `rest`: offset behind the last newline; the bytes after it are not a record. */
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

/** Undefined: not a JSON object in UTF-8. */
export function parseLine(bytes: Uint8Array): Raw | undefined {
  try {
    const value: unknown = JSON.parse(UTF8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : undefined;
  } catch {
    return undefined; // The caller reports the position; the parser's error would not help.
  }
}
