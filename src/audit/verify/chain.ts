import { basename } from 'node:path';
import { fingerprint } from '../keys.js';
import { hashOf, MAX_LINE_BYTES, NO_HASH, parseLine, splitLines } from '../line.js';
import { readLogFile, segmentPath } from '../locations.js';
import { isKind, type Raw, RECORD_VERSION } from '../record.js';
import { isSignedBy, type SignedStatement } from '../signed-head.js';

/** Why a line cannot be the next one of the chain. */
export type ChainFault =
  | 'not a record'
  | 'too long'
  | 'newer version'
  | 'chain'
  | 'seq'
  | 'ledger'
  | 'segment'
  | 'key'
  | 'signature'
  | 'after close';

/**
 * Follows a ledger line by line through its segments and finds the first line that does not belong to it. It uses the
 * bytes and the few fields that form the chain; no line is serialised again for comparison.
 */
export class ChainWalk {
  ledger: string | undefined;
  /** Of the last valid line. */
  seq = 0;
  hash = NO_HASH;
  segment = 0;
  /** The public key of the current segment. */
  key: string | undefined;
  /** A signature in the log covers all lines up to here. */
  signedTo = 0;
  checkpoints = 0;
  /** The key that the last `close` named. */
  next: string | undefined;
  private atSegmentStart = true;

  /** If the walk begins in the middle of a ledger, the first line is trusted about what came before it. */
  constructor(private readonly fromStart = true) {}

  /** The next line must open a segment with this number. */
  beginSegment(segment: number): void {
    this.segment = segment;
    this.atSegmentStart = true;
  }

  step(bytes: Buffer): ChainFault | Raw {
    if (bytes.length >= MAX_LINE_BYTES) return 'too long';
    const raw = parseLine(bytes);
    if (!raw) return 'not a record';
    const fault = this.faultOf(raw);
    if (fault) return fault;
    this.accept(raw, hashOf(bytes));
    return raw;
  }

  private faultOf(raw: Raw): ChainFault | undefined {
    const { v, prev, ledger, kind } = raw;
    const seq = raw.seq as number;
    const first = this.ledger === undefined;
    const believed = first && !this.fromStart;
    if (typeof v !== 'number') return 'not a record';
    if (v > RECORD_VERSION) return 'newer version';
    if (!isKind(kind) || !Number.isSafeInteger(seq)) return 'not a record';
    if (typeof ledger !== 'string' || typeof prev !== 'string') return 'not a record';
    if (!believed && prev !== this.hash) return 'chain';
    if (believed ? seq < 1 : seq !== this.seq + 1) return 'seq';
    if (!first && ledger !== this.ledger) return 'ledger';
    if (this.atSegmentStart !== (kind === 'open')) return 'segment';
    if (kind === 'open') return this.openFault(raw);
    if (this.next !== undefined && kind !== 'checkpoint') return 'after close';
    if (kind === 'close' && raw.segment !== this.segment) return 'segment';
    if (kind === 'checkpoint' && !this.isSigned(raw)) return 'signature';
    return undefined;
  }

  private openFault(raw: Raw): ChainFault | undefined {
    if (raw.segment !== this.segment) return 'segment';
    if (typeof raw.key !== 'string') return 'not a record';
    if (this.ledger === undefined) return undefined;
    if (raw.key !== this.next) return 'key';
    // Without this check, an attacker without any key could close a segment and name a key of their own for the next.
    return this.signedTo === this.seq - 1 ? undefined : 'signature';
  }

  /** A checkpoint signs the line before it. */
  private isSigned(raw: Raw): boolean {
    const signed = raw.signed as Partial<SignedStatement> | undefined;
    if (!signed) return false;
    const { segment, seq, hash, signature } = signed;
    if (segment !== this.segment || seq !== this.seq || hash !== this.hash || typeof signature !== 'string') {
      return false;
    }
    return isSignedBy({ ledger: raw.ledger as string, segment, seq, hash, signature }, this.key!);
  }

  private accept(raw: Raw, hash: string): void {
    this.ledger = raw.ledger as string;
    this.seq = raw.seq as number;
    this.hash = hash;
    this.atSegmentStart = false;
    if (raw.kind === 'open') {
      this.key = raw.key as string;
      this.next = undefined;
    }
    if (raw.kind === 'close') this.next = String(raw.next);
    if (raw.kind === 'checkpoint') {
      this.checkpoints += 1;
      this.signedTo = this.seq - 1;
    }
  }
}

/** The result of a walk through a ledger. */
export interface WalkResult {
  walk: ChainWalk;
  /** Public key of each segment. */
  keys: Map<number, string>;
  /** Hash of each line, by seq. */
  hashes: Map<number, string>;
  firstKey?: string;
  fault?: string;
  segments: string[];
  notes: string[];
  /** Bytes behind the last whole line. */
  torn: number;
}

/** Walks through all segments of one ledger, up to the first line that does not belong to it. */
export function walkLog(logs: string, segments: readonly number[]): WalkResult {
  const walk = new ChainWalk();
  const walked: WalkResult = { walk, keys: new Map(), hashes: new Map(), segments: [], notes: [], torn: 0 };
  let unsigned = 0;
  let unfinished = 0;
  for (const [index, segment] of segments.entries()) {
    const file = basename(segmentPath(logs, segment));
    const where = segments.length > 1 ? ` of ${file}` : '';
    const { lines, torn } = readLines(segmentPath(logs, segment));
    const before = { seq: walk.seq, checkpoints: walk.checkpoints };
    walk.beginSegment(segment);
    for (const [at, line] of lines.entries()) {
      const raw = walk.step(line.bytes);
      if (typeof raw === 'string') {
        walked.fault = brokenAt(at + 1, where, parseLine(line.bytes)?.seq, raw);
        break;
      }
      walked.hashes.set(walk.seq, walk.hash);
      walked.keys.set(segment, walk.key!);
      walked.firstKey ??= walk.key;
      if (raw.kind === 'recovered') {
        unsigned += Number((raw.unsigned as { count?: number } | undefined)?.count ?? 0);
        unfinished += Array.isArray(raw.unfinished) ? raw.unfinished.length : 0;
      }
    }
    const last = index === segments.length - 1;
    if (!walked.fault && torn > 0 && !last) walked.fault = brokenAt(lines.length + 1, where, undefined, 'not a record');
    walked.torn = torn;
    if (!walked.fault && torn > 0) walked.notes.push(`stray bytes at the end: ${torn}`);
    walked.segments.push(
      `${file}  ${walked.fault ? 'broken' : 'ok'}  records ${before.seq + 1} to ${walk.seq}, ` +
        `${walk.checkpoints - before.checkpoints} checkpoints, ${walk.next === undefined ? 'open' : 'closed'}` +
        (walk.key === undefined ? '' : `, key ${fingerprint(walk.key)}`),
    );
    if (walked.fault) break;
  }
  if (unsigned > 0) walked.notes.push(`unsigned after crash: ${unsigned}`);
  if (unfinished > 0) walked.notes.push(`acts whose outcome is not known: ${unfinished}`);
  return walked;
}

function readLines(path: string): { lines: ReturnType<typeof splitLines>['lines']; torn: number } {
  const bytes = readLogFile(path);
  const { lines, rest } = splitLines(bytes);
  return { lines, torn: bytes.length - rest };
}

function brokenAt(line: number, where: string, seq: unknown, fault: ChainFault): string {
  return `broken at line ${line}${where} (seq ${typeof seq === 'number' ? seq : 'unreadable'}): ${fault}`;
}
