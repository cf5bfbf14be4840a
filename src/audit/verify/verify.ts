import { readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { heldAgainstAnchor } from './anchor.js';
import { judgeEarlier, segmentsBefore, type Said } from '../write/earlier-ledger.js';
import { fingerprint } from '../keys.js';
import { isPassed, MOST_UNSIGNED } from '../write/ledger-end.js';
import { readCurrent, readHead, readTrust, strangerAfter, type Trust } from '../write/ledger-state.js';
import { refuseEarlierName } from '../earlier-name.js';
import { NO_HASH } from '../line.js';
import { firstLineOf } from '../read/read-log.js';
import { writerOf } from '../write/ledger-lock.js';
import { lockPath, segmentOf, segmentsIn, type LedgerPlaces } from '../locations.js';
import { isSignedBy, type SignedStatement } from '../signed-head.js';
import { walkLog, type Walked } from './chain.js';

export interface VerifyOptions {
  /** A desktop's folder of logs, or one file in it. */
  log: string;
  /** Where heads and keys are; without it one knows only what the log itself proves. */
  state?: string;
  /** The first key's fingerprint, from where a person kept it. */
  key?: string;
  /** A file with what the outside anchor got. */
  anchor?: string;
}

export interface Verification {
  ok: boolean;
  /** The last line; the others say what was looked at and what is worth knowing. */
  verdict: string;
  /** The log is what was written, and one before it in the same folder is not. */
  earlierFault?: string;
  segments: string[];
  notes: string[];
  records: number;
  checkpoints: number;
  /** At its end, where nobody writes it: the first record that no signature covers, and how many there are. */
  unsigned?: { from: number; count: number };
  fingerprint?: string;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** Whether the log of a desktop is what was written. That it is gone is found too. */
export function verifyDesktop(places: LedgerPlaces, options: Pick<VerifyOptions, 'key' | 'anchor'> = {}): Verification {
  const { logs, state } = places;
  const ledger = readCurrent(places);
  refuseEarlierName({ logs, segments: segmentsIn(logs), state, ledger }, places);
  return verifyAt(logs, () => segmentsIn(logs), { ...options, log: logs, state }, ledger);
}

/** Whether a log, wherever it lies, is what was written, as far as one can know from where one stands. */
export function verifyLog(options: VerifyOptions): Verification {
  const { logs, upTo } = placeOf(options.log);
  const end = ownLedgersEnd(logs, upTo ?? Infinity);
  const files = (): number[] => segmentsIn(logs).filter((segment) => segment <= end);
  const segments = files();
  refuseEarlierName({ logs, segments, state: options.state, ledger: ledgerOf(logs, firstOf(logs, segments)) });
  return verifyAt(logs, files, options);
}

function verifyAt(logs: string, files: () => number[], options: VerifyOptions, expected?: string): Verification {
  const { state } = options;
  const there = files();
  const begin = firstOf(logs, there);
  const ledger = expected ?? ledgerOf(logs, begin);
  // The head before the log: one that is being written is then never behind its head.
  const head = state && ledger ? readHead(state, ledger) : undefined;
  const trust = state && ledger ? readTrust(state, ledger) : undefined;
  const known = typeof trust === 'object' ? trust : undefined;
  const first = known?.segment ?? begin;
  const walked = walkLog(
    logs,
    there.filter((segment) => segment >= first),
  );
  if (typeof head === 'object' && isPassed(head, walked.walk, walked.torn)) {
    // A desktop that has started meanwhile replaced the head before it wrote anything.
    const now = readHead(state!, head.ledger);
    if (typeof now === 'object' && now.signature !== head.signature) return verifyAt(logs, files, options, expected);
  }
  const { walk, firstKey, segments, notes } = walked;
  if (first > (there[0] ?? first)) notes.push(`another ledger stands before it, up to segment ${first - 1}`);
  const last = state && ledger ? strangerAfter(state, ledger) : undefined;
  const own = judge(options, walked, { ledger, head, trust, writing: writerOf(lockPath(logs)) !== undefined, last });
  const judged = own.ok && known?.after ? withEarlier(own, known) : own;
  return {
    ...judged,
    ...{ segments, notes, records: walk.seq, checkpoints: walk.checkpoints },
    ...(firstKey !== undefined && { fingerprint: fingerprint(firstKey) }),
  };

  /** It names the one that it was begun after, and how that was found then. */
  function withEarlier(self: Said, later: Trust): Said {
    const before = segmentsBefore(logs, state!, later);
    const now = verifyAt(logs, () => before, { log: logs, state: state! }, later.after!.ledger);
    const earlier = judgeEarlier(logs, before, later, now);
    if (!earlier.ok) return earlier;
    notes.push(earlier.verdict);
    const { earlierFault } = earlier;
    return { ...self, ...(earlierFault !== undefined && { earlierFault }) };
  }
}

function placeOf(log: string): { logs: string; upTo?: number } {
  const stat = statSync(log, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { logs: log };
  const segment = segmentOf(basename(log));
  if (!stat || segment === undefined) {
    throw new DesktopError('bad_arguments', `${log} is ${stat ? 'not a log' : 'not there'}.`, {
      hint: 'Give the folder of a log or a file in it such as 000001.jsonl; the one in use: deskproof audit path',
    });
  }
  return { logs: dirname(log), upTo: segment };
}

/** A ledger begins with the last file whose first line has nothing before it. */
function firstOf(logs: string, segments: readonly number[]): number {
  const begins = segments.filter((segment) => firstLineOf(logs, segment)?.prev === NO_HASH);
  return begins.at(-1) ?? segments[0] ?? 1;
}

/** A file was named: its ledger goes on until another begins. */
function ownLedgersEnd(logs: string, segment: number): number {
  const later = segmentsIn(logs).filter((other) => other > segment);
  const another = later.find((other) => firstLineOf(logs, other)?.prev === NO_HASH);
  return another === undefined ? Infinity : another - 1;
}

function ledgerOf(logs: string, first: number): string | undefined {
  if (!segmentsIn(logs).includes(first)) return undefined;
  const { ledger } = firstLineOf(logs, first) ?? {};
  return typeof ledger === 'string' && /^L[0-9a-f]{32}$/.test(ledger) ? ledger : undefined;
}

interface Known {
  ledger: string | undefined;
  head: SignedStatement | 'damaged' | undefined;
  trust: Trust | 'damaged' | undefined;
  writing: boolean;
  /** The last record of its writer, where that saw others after it. */
  last: number | undefined;
}

function judge(
  options: VerifyOptions,
  walked: Walked,
  known: Known,
): Pick<Verification, 'ok' | 'verdict' | 'unsigned'> {
  const { walk, firstKey, notes } = walked;
  const { head, trust } = known;
  const fault =
    walked.fault ??
    faultOfKey(options, walked, known) ??
    (head && faultOfHead(walked, head, typeof trust === 'object' ? trust.key : 'none')) ??
    (known.last === undefined ? undefined : `somebody else wrote into it after record ${known.last}`);
  if (fault !== undefined) return { ok: false, verdict: fault };
  const anchored = options.anchor && heldAgainstAnchor(readFileSync(options.anchor, 'utf8'), walked);
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
  if (!anchored) notes.push('only an outside anchor finds an older log put back with its older head');
  else if (anchored.upTo < walk.seq) notes.push(beyondAnchor(anchored.upTo, walk.seq));
  const reach = anchored ? `, anchored to ${anchored.upTo}` : '';
  const numbers = `${count(walk.seq)} records, ${count(walk.checkpoints)} ${walk.checkpoints === 1 ? 'checkpoint' : 'checkpoints'}`;
  return {
    ...{ ok: true, verdict: `ok ${numbers}, head at ${head.seq}, key ${fingerprint(firstKey)}${reach}` },
    ...(since > 0 && !known.writing && { unsigned: { from: signed + 1, count: since } }),
  };
}

function beyondAnchor(upTo: number, end: number): string {
  return `the anchor knows it up to ${upTo}; that it ends at ${end} its own head says alone, and an older log put back with its head would say so too`;
}

function faultOfKey(options: VerifyOptions, { walk, firstKey }: Walked, known: Known): string | undefined {
  if (walk.ledger !== undefined && walk.ledger !== known.ledger) return `this is another log than the desktop's`;
  if (known.trust === 'damaged') return 'trust.json is damaged';
  if (firstKey === undefined) return undefined;
  const trusted = [options.key, known.trust?.fingerprint].filter((key) => key !== undefined);
  return trusted.every((key) => key === fingerprint(firstKey)) ? undefined : 'key is not the trusted one';
}

function faultOfHead(
  { walk, keys, hashes, torn }: Walked,
  head: SignedStatement | 'damaged',
  first: string,
): string | undefined {
  if (head === 'damaged') return 'head is damaged';
  if (head.seq > walk.seq) return `cut: head names ${head.seq}, log ends at ${walk.seq}`;
  // Also one that names no line yet, else anybody could write one to which every short log fits.
  if (!isSignedBy(head, keys.get(head.segment) ?? first)) return 'head is not signed by the key of the log';
  if (head.seq > 0 && hashes.get(head.seq) !== head.hash) return `broken at seq ${head.seq}: head`;
  if (isPassed(head, walk, torn)) return `broken after seq ${head.seq}: its writer had ended there`;
  if (walk.seq - head.seq > MOST_UNSIGNED) return `head is old: it names ${head.seq}, log ends at ${walk.seq}`;
  return undefined;
}

/** As it is printed: a line a segment, what is worth knowing, the verdict. */
export function verificationLines({ segments, notes, verdict }: Verification): string[] {
  return [...segments, ...notes.map((note) => `note: ${note}`), verdict];
}
