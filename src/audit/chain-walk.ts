import { hashOf, LONGEST_LINE, NO_HASH, parseLine } from './line.js';
import { isKind, RECORD_VERSION } from './record.js';
import { isSignedBy, type SignedStatement } from './signed-head.js';
import type { Raw } from './upgrade.js';

/** Why a line cannot be the next one. */
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
 * Follows a ledger line by line over its segments and says which line is the first that does not belong. It looks at
 * bytes and at the few fields that hold the chain together; nothing is written anew to be compared.
 */
export class ChainWalk {
  ledger: string | undefined;
  /** Of the last good line. */
  seq = 0;
  hash = NO_HASH;
  segment = 0;
  /** The public key of the segment that is being walked. */
  key: string | undefined;
  /** All up to here is covered by a signature in the log. */
  signedTo = 0;
  checkpoints = 0;
  /** The key that the last `close` named. */
  next: string | undefined;
  private fresh = true;

  /** In the middle of a ledger, one believes its first line in what came before. */
  constructor(private readonly fromBegin = true) {}

  /** The next line begins a segment with this number. */
  beginSegment(segment: number): void {
    this.segment = segment;
    this.fresh = true;
  }

  step(bytes: Buffer): ChainFault | Raw {
    if (bytes.length >= LONGEST_LINE) return 'too long';
    const raw = parseLine(bytes);
    if (!raw) return 'not a record';
    const fault = this.faultOf(raw);
    if (fault) return fault;
    this.take(raw, hashOf(bytes));
    return raw;
  }

  private faultOf(raw: Raw): ChainFault | undefined {
    const { v, prev, ledger, kind } = raw;
    const seq = raw.seq as number;
    const first = this.ledger === undefined;
    const believed = first && !this.fromBegin;
    if (typeof v !== 'number') return 'not a record';
    if (v > RECORD_VERSION) return 'newer version';
    if (!isKind(kind) || !Number.isSafeInteger(seq)) return 'not a record';
    if (typeof ledger !== 'string' || typeof prev !== 'string') return 'not a record';
    if (!believed && prev !== this.hash) return 'chain';
    if (believed ? seq < 1 : seq !== this.seq + 1) return 'seq';
    if (!first && ledger !== this.ledger) return 'ledger';
    if (this.fresh !== (kind === 'open')) return 'segment';
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
    // Else whoever has no key at all could end a segment and name a key of their own for the next.
    return this.signedTo === this.seq - 1 ? undefined : 'signature';
  }

  /** A checkpoint speaks of the line before it. */
  private isSigned(raw: Raw): boolean {
    const signed = raw.signed as Partial<SignedStatement> | undefined;
    if (!signed) return false;
    const { segment, seq, hash, signature } = signed;
    if (segment !== this.segment || seq !== this.seq || hash !== this.hash || typeof signature !== 'string') {
      return false;
    }
    return isSignedBy({ ledger: raw.ledger as string, segment, seq, hash, signature }, this.key!);
  }

  private take(raw: Raw, hash: string): void {
    this.ledger = raw.ledger as string;
    this.seq = raw.seq as number;
    this.hash = hash;
    this.fresh = false;
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
