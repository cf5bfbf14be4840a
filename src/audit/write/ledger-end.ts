import { readFileSync } from 'node:fs';
import { ChainWalk } from '../verify/chain.js';
import { continuesAfterEnd, MAX_UNSIGNED } from '../verify/compare-with-head.js';
import { refusedToOpen } from '../errors.js';
import { readHead, readTrust, foreignWriterAfter, type Trust } from './ledger-state.js';
import { splitLines } from '../line.js';
import { segmentPath, segmentsIn, type LedgerPlaces } from '../locations.js';
import { statPrivateFile } from '../private-files.js';
import { isSignedBy, type SignedStatement } from '../signed-head.js';

/** Where a ledger ends on the disk, and what a crash left there. */
export interface LedgerEnd {
  trust: Trust;
  head: SignedStatement;
  /** The last segment that has a file, or the first one if none has. */
  segment: number;
  seq: number;
  hash: string;
  /** The key of the last segment; undefined if it holds no record yet. */
  key?: string;
  /** When the last segment was opened. */
  openedAt?: string;
  /** The key of the next segment; set if the last one is closed. */
  next?: string;
  /** A signature in the log covers all records up to here. */
  signedTo: number;
  /** Where the valid lines of the last segment end. */
  size: number;
  /** The bytes behind them. */
  torn: Buffer;
  unfinished: number[];
}

/** Reads from the segment of the head to the end. Throws if neither a writer nor a crash could have left this. */
export function findEnd(places: LedgerPlaces, ledger: string): LedgerEnd {
  const { trust, head } = readState(places, ledger);
  const last = foreignWriterAfter(places.state, ledger);
  if (last !== undefined) throw refusedToOpen(`another program wrote into it after record ${last}`);
  const segments = segmentsIn(places.logs).filter((segment) => segment >= head.segment);
  if (head.seq === 0 && !isSignedBy(head, trust.key)) throw refusedToOpen('its head is not signed by its key');
  if (segments.length > 2) throw refusedToOpen('there are segments that its head does not name');
  if (head.seq > 0 && segments[0] !== head.segment)
    throw refusedToOpen(`its head names record ${head.seq}, but the file of that record is gone`);

  const walk = new ChainWalk(head.segment === trust.segment);
  const end: LedgerEnd = {
    ...{ trust, head, segment: head.segment, seq: 0, hash: walk.hash, signedTo: 0, size: 0 },
    ...{ torn: Buffer.alloc(0), unfinished: [] },
  };
  const intents = new Set<number>();
  for (const segment of segments) {
    if (end.torn.length > 0) throw refusedToOpen(`segment ${end.segment} does not end where the next one begins`);
    end.segment = segment;
    walk.beginSegment(segment);
    end.key = undefined;
    walkSegment(places, walk, end, intents);
  }
  if (walk.seq < head.seq) throw refusedToOpen(`its head names record ${head.seq}, but it ends at ${walk.seq}`);
  if (walk.seq - head.seq > MAX_UNSIGNED) {
    throw refusedToOpen(`${walk.seq - head.seq} records follow its head, more than a crash leaves`);
  }
  if (continuesAfterEnd(head, walk, end.torn.length)) {
    throw refusedToOpen(`something follows record ${head.seq}, with which its writer ended`);
  }
  const { seq, hash, signedTo, next } = walk;
  // A closed segment is signed before the next file is created, so no crash leaves this.
  if (end.key === undefined && signedTo < seq - 1)
    throw refusedToOpen(`the end of the segment before ${end.segment} is not signed`);
  return { ...end, seq, hash, signedTo, ...(next !== undefined && { next }), unfinished: [...intents] };
}

function readState({ state }: LedgerPlaces, ledger: string): { trust: Trust; head: SignedStatement } {
  const trust = readTrust(state, ledger);
  const head = readHead(state, ledger);
  if (!trust || !head) throw refusedToOpen(`${trust ? 'its head is' : 'its keys are'} gone`);
  if (trust === 'damaged' || head === 'damaged') throw refusedToOpen('the files beside its key are damaged');
  return { trust, head };
}

function walkSegment(places: LedgerPlaces, walk: ChainWalk, end: LedgerEnd, intents: Set<number>): void {
  const path = segmentPath(places.logs, end.segment);
  statPrivateFile(path);
  const bytes = readFileSync(path);
  const { lines, rest } = splitLines(bytes);
  const { head } = end;
  let good = rest;
  for (const [at, line] of lines.entries()) {
    const raw = walk.step(line.bytes);
    if (typeof raw === 'string') {
      if (walk.seq < head.seq) throw refusedToOpen(`line ${at + 1} of ${path} is broken (${raw})`);
      // Nothing behind the head is guaranteed: damaged lines that a crash left there are moved away like an incomplete
      // line.
      good = line.start;
      break;
    }
    if (raw.kind === 'open') {
      end.key = walk.key!;
      end.openedAt = String(raw.at);
      if (end.segment === end.trust.segment && walk.key !== end.trust.key)
        throw refusedToOpen('its first key is not the trusted one');
    }
    if (raw.kind === 'intent') intents.add(walk.seq);
    if (raw.kind === 'outcome') intents.delete(Number(raw.of));
    if (raw.kind === 'recovered') intents.clear(); // It lists them.
    if (walk.seq === head.seq && !matchesHead(walk, head))
      throw refusedToOpen(`record ${head.seq} is not the one its head names`);
  }
  end.size = good;
  end.torn = bytes.subarray(good);
}

function matchesHead(walk: ChainWalk, head: SignedStatement): boolean {
  return walk.hash === head.hash && walk.segment === head.segment && isSignedBy(head, walk.key!);
}
