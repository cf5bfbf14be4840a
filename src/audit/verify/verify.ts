import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { countEvidence } from '../evidence/open-evidence.js';
import { compareWithAnchor } from './anchor.js';
import {
  checkEarlier,
  segmentsBefore,
  type Verdict,
  readCurrent,
  readHead,
  readTrust,
  foreignWriterAfter,
  type Trust,
} from '../write/ledger-state.js';
import { platform } from '../../platform/index.js';
import { fingerprint } from '../keys.js';
import { continuesAfterEnd, faultOfHead } from './compare-with-head.js';
import { refuseEarlierName } from '../earlier-name.js';
import { NO_HASH } from '../line.js';
import { firstLineOf } from '../read/read-log.js';
import { writerOf } from '../write/ledger-lock.js';
import { lockPath, readLogFile, segmentOf, segmentPath, segmentsIn, type LedgerPlaces } from '../locations.js';
import type { SignedStatement } from '../signed-head.js';
import { walkLog, type WalkResult } from './chain.js';

export interface VerifyOptions {
  /** The log directory of a desktop, or one file in it. */
  log: string;
  /** Where heads and keys are. Without it, only what the log itself proves is known. */
  state?: string;
  /** The fingerprint of the first key, from where the user kept it. */
  key?: string;
  /** A file with the statements that the outside anchor received. */
  anchor?: string;
}

export interface Verification {
  ok: boolean;
  /** The last line. The other lines list the segments and notes. */
  verdict: string;
  /** The log is intact, but an earlier ledger in the same directory is not. */
  earlierFault?: string;
  segments: string[];
  notes: string[];
  records: number;
  checkpoints: number;
  /** At the end of a log that is not being written: the first record without a signature, and how many there are. */
  unsigned?: { from: number; count: number };
  fingerprint?: string;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** Verifies the log of a desktop. Also detects that the log is gone. */
export function verifyDesktop(places: LedgerPlaces, options: Pick<VerifyOptions, 'key' | 'anchor'> = {}): Verification {
  const { logs, state } = places;
  const ledger = readCurrent(places);
  refuseEarlierName({ logs, segments: segmentsIn(logs), state, ledger }, places);
  return verifyAt(logs, () => segmentsIn(logs), { ...options, log: logs, state }, ledger);
}

/** Verifies a log in any location, as far as the available files allow. */
export function verifyLog(options: VerifyOptions): Verification {
  const { logs, upTo } = locate(options.log);
  const end = lastSegmentOf(logs, upTo ?? Infinity);
  const files = (): number[] => segmentsIn(logs).filter((segment) => segment <= end);
  const segments = files();
  refuseEarlierName({ logs, segments, state: options.state, ledger: ledgerOf(logs, firstSegmentOf(logs, segments)) });
  return verifyAt(logs, files, options);
}

function verifyAt(logs: string, files: () => number[], options: VerifyOptions, expected?: string): Verification {
  const { state } = options;
  const existing = files();
  const begin = firstSegmentOf(logs, existing);
  const ledger = expected ?? ledgerOf(logs, begin);
  // The head is read before the log, so a log that is being written is never behind its head.
  const head = state && ledger ? readHead(state, ledger) : undefined;
  const trust = state && ledger ? readTrust(state, ledger) : undefined;
  const known = typeof trust === 'object' ? trust : undefined;
  const first = known?.segment ?? begin;
  const walked = walkLog(
    logs,
    existing.filter((segment) => segment >= first),
  );
  if (typeof head === 'object' && continuesAfterEnd(head, walked.walk, walked.torn)) {
    // A desktop that started meanwhile has replaced the head before its first record.
    const now = readHead(state!, head.ledger);
    if (typeof now === 'object' && now.signature !== head.signature) return verifyAt(logs, files, options, expected);
  }
  const { walk, firstKey, segments, notes } = walked;
  if (first > (existing[0] ?? first)) notes.push(`an earlier ledger precedes it, up to segment ${first - 1}`);
  const last = state && ledger ? foreignWriterAfter(state, ledger) : undefined;
  const own = verdictOf(options, walked, {
    ledger,
    head,
    trust,
    writing: writerOf(lockPath(logs)) !== undefined,
    last,
  });
  const verified = own.ok && known?.after ? withEarlier(own, known) : own;
  if (ledger !== undefined) notes.push(...evidenceNotes(logs, ledger));
  // An earlier ledger in the same directory is verified by a call of its own, which does not report its notes.
  notes.push(...[logs, ...existing.map((segment) => segmentPath(logs, segment))].flatMap(accessNotes));
  return {
    ...verified,
    ...{ segments, notes, records: walk.seq, checkpoints: walk.checkpoints },
    ...(firstKey !== undefined && { fingerprint: fingerprint(firstKey) }),
  };

  /** The trust file names the ledger before this one, and the state in which it was found. */
  function withEarlier(self: Verdict, later: Trust): Verdict {
    const before = segmentsBefore(logs, state!, later);
    const now = verifyAt(logs, () => before, { log: logs, state: state! }, later.after!.ledger);
    const earlier = checkEarlier(logs, before, later, now);
    if (!earlier.ok) return earlier;
    notes.push(earlier.verdict);
    const { earlierFault } = earlier;
    return { ...self, ...(earlierFault !== undefined && { earlierFault }) };
  }
}

/** A log that is reached by a link, or that other users can write, may be what its owner wanted: the user decides. */
function accessNotes(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  const linked = stat.isSymbolicLink() ? [`${path} is a symbolic link to ${readlinkSync(path)}`] : [];
  const end = statSync(path, { throwIfNoEntry: false });
  if (!end || !platform().isWritableByOthers(end)) return linked;
  return [...linked, `other users can write ${path} (mode ${(end.mode & 0o7777).toString(8)})`];
}

/** Stored snapshots are not part of the chain: retention may delete them. */
function evidenceNotes(logs: string, ledger: string): string[] {
  const { present, expired, missing } = countEvidence(logs, ledger);
  if (present + expired + missing === 0) return [];
  return [`stored snapshots: ${count(present)} present, ${count(expired)} expired, ${count(missing)} missing`];
}

function locate(log: string): { logs: string; upTo?: number } {
  const stat = statSync(log, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { logs: log };
  const segment = segmentOf(basename(log));
  if (!stat || segment === undefined) {
    throw new DesktopError('bad_arguments', `${log} is ${stat ? 'not a log' : 'not there'}.`, {
      hint: 'Name the directory of a log, or a file in it such as 000001.jsonl. The log in use: deskproof audit path',
    });
  }
  return { logs: dirname(log), upTo: segment };
}

/** A ledger begins with the last file whose first line has no predecessor. */
function firstSegmentOf(logs: string, segments: readonly number[]): number {
  const begins = segments.filter((segment) => firstLineOf(logs, segment)?.prev === NO_HASH);
  return begins.at(-1) ?? segments[0] ?? 1;
}

/** A file was named: its ledger ends where another one begins. */
function lastSegmentOf(logs: string, segment: number): number {
  const later = segmentsIn(logs).filter((other) => other > segment);
  const another = later.find((other) => firstLineOf(logs, other)?.prev === NO_HASH);
  return another === undefined ? Infinity : another - 1;
}

function ledgerOf(logs: string, first: number): string | undefined {
  if (!segmentsIn(logs).includes(first)) return undefined;
  const { ledger } = firstLineOf(logs, first) ?? {};
  return typeof ledger === 'string' && /^L[0-9a-f]{32}$/.test(ledger) ? ledger : undefined;
}

interface Evidence {
  ledger: string | undefined;
  head: SignedStatement | 'damaged' | undefined;
  trust: Trust | 'damaged' | undefined;
  writing: boolean;
  /** The last record of its writer, if the writer saw that another program wrote after it. */
  last: number | undefined;
}

function verdictOf(
  options: VerifyOptions,
  walked: WalkResult,
  known: Evidence,
): Pick<Verification, 'ok' | 'verdict' | 'unsigned'> {
  const { walk, firstKey, notes } = walked;
  const { head, trust } = known;
  const fault =
    walked.fault ??
    faultOfKey(options, walked, known) ??
    (head && faultOfHead(walked, head, typeof trust === 'object' ? trust.key : 'none')) ??
    (known.last === undefined ? undefined : `another program wrote into it after record ${known.last}`);
  if (fault !== undefined) return { ok: false, verdict: fault };
  const anchored = options.anchor && compareWithAnchor(readLogFile(options.anchor).toString('utf8'), walked);
  if (anchored && 'fault' in anchored) return { ok: false, verdict: anchored.fault };
  if (firstKey === undefined) return { ok: false, verdict: 'no records' };
  if (typeof head !== 'object' || typeof trust !== 'object') {
    const after = walk.seq - walk.signedTo;
    return { ok: false, verdict: `no head: signed to ${walk.signedTo}, ${after} records after it could have been cut` };
  }
  const signed = Math.max(head.seq, walk.signedTo);
  const since = walk.seq - signed;
  if (since > 0)
    notes.push(known.writing ? `being written: ${since} since the head` : `unsigned after crash: ${since}`);
  if (!anchored) notes.push('only an outside anchor detects an older log that was restored with its older head');
  else if (anchored.upTo < walk.seq) notes.push(beyondAnchor(anchored.upTo, walk.seq));
  const reach = anchored ? `, anchored to ${anchored.upTo}` : '';
  const numbers = `${count(walk.seq)} records, ${count(walk.checkpoints)} ${walk.checkpoints === 1 ? 'checkpoint' : 'checkpoints'}`;
  return {
    ...{ ok: true, verdict: `ok ${numbers}, head at ${head.seq}, key ${fingerprint(firstKey)}${reach}` },
    ...(since > 0 && !known.writing && { unsigned: { from: signed + 1, count: since } }),
  };
}

function beyondAnchor(upTo: number, end: number): string {
  return `the anchor knows it up to ${upTo}; only its own head proves that it ends at ${end}, which would also be so for an older log that was restored with its head`;
}

function faultOfKey(options: VerifyOptions, { walk, firstKey }: WalkResult, known: Evidence): string | undefined {
  if (walk.ledger !== undefined && walk.ledger !== known.ledger) return `this is not the log of the desktop`;
  if (known.trust === 'damaged') return 'trust.json is damaged';
  if (firstKey === undefined) return undefined;
  const trusted = [options.key, known.trust?.fingerprint].filter((key) => key !== undefined);
  return trusted.every((key) => key === fingerprint(firstKey)) ? undefined : 'key is not the trusted one';
}

/** The printed form: one line per segment, the notes, the verdict. */
export function verificationLines({ segments, notes, verdict }: Verification): string[] {
  return [...segments, ...notes.map((note) => `note: ${note}`), verdict];
}
