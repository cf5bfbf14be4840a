import { readFileSync } from 'node:fs';
import { ChainWalk } from '../verify/chain.js';
import { refusedToOpen } from '../errors.js';
import { readHead, readTrust, strangerAfter, type Trust } from './ledger-state.js';
import { splitLines } from '../line.js';
import { segmentPath, segmentsIn, type LedgerPlaces } from '../locations.js';
import { statPrivateFile } from '../private-files.js';
import { isSignedBy, type SignedStatement } from '../signed-head.js';

/** More unsigned records than this no crash leaves behind: the writer signs before. */
export const MOST_UNSIGNED = 64;

/** Where a ledger ends on the disk, and what a crash left there. */
export interface LedgerEnd {
  trust: Trust;
  head: SignedStatement;
  /** The last segment that has a file, or the first one when none has. */
  segment: number;
  seq: number;
  hash: string;
  /** The last segment's key; undefined when it holds no record yet. */
  key?: string;
  /** When the last segment was opened. */
  openedAt?: string;
  /** The key of the segment that comes next; set when the last one is closed. */
  next?: string;
  /** All up to here is signed in the log itself. */
  signedTo: number;
  /** Where the good lines of the last segment end. */
  size: number;
  /** What stands behind them. */
  torn: Buffer;
  unfinished: number[];
}

/** Reads from the segment that the head names to the end. Throws where it is not what a writer or a crash leaves. */
export function findEnd(places: LedgerPlaces, ledger: string): LedgerEnd {
  const { trust, head } = readState(places, ledger);
  const last = strangerAfter(places.state, ledger);
  if (last !== undefined) throw refusedToOpen(`somebody else wrote into it after record ${last}`);
  const segments = segmentsIn(places.logs).filter((segment) => segment >= head.segment);
  if (head.seq === 0 && !isSignedBy(head, trust.key)) throw refusedToOpen('its head is not signed by its key');
  if (segments.length > 2) throw refusedToOpen('there are segments that its head does not know');
  if (head.seq > 0 && segments[0] !== head.segment)
    throw refusedToOpen(`its head names record ${head.seq}, and its file is gone`);

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
  if (walk.seq < head.seq) throw refusedToOpen(`its head names record ${head.seq}, and it ends at ${walk.seq}`);
  if (walk.seq - head.seq > MOST_UNSIGNED) {
    throw refusedToOpen(`${walk.seq - head.seq} records follow its head, more than a crash leaves`);
  }
  if (isPassed(head, walk, end.torn.length)) {
    throw refusedToOpen(`something follows record ${head.seq}, with which its writer had ended`);
  }
  const { seq, hash, signedTo, next } = walk;
  // What is closed is signed before the next file is made: no crash leaves this.
  if (end.key === undefined && signedTo < seq - 1)
    throw refusedToOpen(`nobody signed the end of the segment before ${end.segment}`);
  return { ...end, seq, hash, signedTo, ...(next !== undefined && { next }), unfinished: [...intents] };
}

/** Whether anything stands behind the line with which a writer has ended: bytes, lines or files. */
export function isPassed(head: SignedStatement, walk: ChainWalk, torn: number): boolean {
  return head.ended === true && (walk.seq > head.seq || walk.segment !== head.segment || torn > 0);
}

function readState({ state }: LedgerPlaces, ledger: string): { trust: Trust; head: SignedStatement } {
  const trust = readTrust(state, ledger);
  const head = readHead(state, ledger);
  if (!trust || !head) throw refusedToOpen(`${trust ? 'its head is' : 'its keys are'} gone`);
  if (trust === 'damaged' || head === 'damaged') throw refusedToOpen('what is kept beside its key is damaged');
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
      // Behind the head nothing was promised: what a crash left in disorder is moved away like half a line.
      good = line.start;
      break;
    }
    if (raw.kind === 'open') {
      end.key = walk.key!;
      end.openedAt = String(raw.at);
      if (end.segment === end.trust.segment && walk.key !== end.trust.key)
        throw refusedToOpen('its first key is another');
    }
    if (raw.kind === 'intent') intents.add(walk.seq);
    if (raw.kind === 'outcome') intents.delete(Number(raw.of));
    if (raw.kind === 'recovered') intents.clear(); // It named them.
    if (walk.seq === head.seq && !fits(walk, head))
      throw refusedToOpen(`record ${head.seq} is not the one its head names`);
  }
  end.size = good;
  end.torn = bytes.subarray(good);
}

function fits(walk: ChainWalk, head: SignedStatement): boolean {
  return walk.hash === head.hash && walk.segment === head.segment && isSignedBy(head, walk.key!);
}
