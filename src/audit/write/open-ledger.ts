import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import {
  currentState,
  type EarlierState,
  destroyKeysOf,
  readCurrent,
  readHead,
  readTrust,
  writeCurrent,
  writeFirstHead,
  writeTrust,
  type Trust,
} from './ledger-state.js';
import { refuseEarlierName } from '../earlier-name.js';
import { diskFault, refusedToOpen } from '../errors.js';
import { FileLedger, type LedgerOptions } from './file-ledger.js';
import { fingerprint, loadKey, makeKey, saveKey, type SegmentKey } from '../keys.js';
import { findEnd, type LedgerEnd } from './ledger-end.js';
import { LedgerWriter, type WriterParts, type WriterStart } from './ledger-writer.js';
import { hashOf, NO_HASH } from '../line.js';
import { type LedgerLock, takeLedgerLock } from './ledger-lock.js';
import { LogFile, REAL_DISK } from './log-file.js';
import { keyPath, lockPath, segmentPath, segmentsIn, type LedgerPlaces } from '../locations.js';
import { makePrivateDirectory, statPrivateFile, syncDirectory } from '../private-files.js';
import { sign } from '../signed-head.js';
import type { Draft } from '../record.js';
import { verifyDesktop } from '../verify/verify.js';

const MAX_UNFINISHED = 64;

/** Continues the log of the desktop, or starts one if there never was any. */
export async function openLedger(options: LedgerOptions): Promise<FileLedger> {
  return withLock(options, async (lock, ledger) => {
    const { places } = options;
    if (ledger !== undefined) return resume(options, lock, ledger);
    if (segmentsIn(places.logs).length > 0) throw refusedToOpen('its keys are gone');
    return resume(options, lock, startLedger(places));
  });
}

/**
 * For a log that cannot be continued: starts a new one that names it. The old files stay as they are; the old key is
 * destroyed.
 */
export async function newLedger(options: LedgerOptions, reason: string): Promise<FileLedger> {
  if (reason.trim() === '') {
    throw new DesktopError('bad_arguments', 'A new log needs a reason, which is written to it.', {
      hint: 'For example: deskproof audit new --reason "restored from a backup"',
    });
  }
  return withLock(options, async (lock, ledger) => {
    const { places } = options;
    const head = ledger === undefined ? undefined : readHead(places.state, ledger);
    const after = {
      ledger: ledger ?? 'unknown',
      ...(typeof head === 'object' && { head: head.seq }),
      reason: reason.trim().slice(0, 150),
    };
    const old = ledger === undefined ? undefined : readTrust(places.state, ledger);
    const first = typeof old === 'object' ? old.segment : 1;
    const files = segmentsIn(places.logs).filter((segment) => segment >= first);
    return resume(options, lock, startLedger(places, after, currentState(places.logs, files, verifyDesktop(places))));
  });
}

/** `work` gets the desktop's current ledger, if it has one. */
async function withLock(
  { places }: LedgerOptions,
  work: (lock: LedgerLock, ledger: string | undefined) => Promise<FileLedger>,
): Promise<FileLedger> {
  let lock: LedgerLock;
  try {
    makePrivateDirectory(places.logs);
    makePrivateDirectory(places.state);
    lock = takeLedgerLock(lockPath(places.logs));
  } catch (error) {
    throw diskFault('The log could not be opened', error);
  }
  try {
    const ledger = readCurrent(places);
    const segments = segmentsIn(places.logs).slice(-1);
    // Before it is opened: opening a pipe in its place would never return.
    for (const segment of segments) statPrivateFile(segmentPath(places.logs, segment));
    refuseEarlierName({ ...places, segments, ledger }, places);
    return await work(lock, ledger);
  } catch (error) {
    lock.release();
    throw diskFault('The log could not be opened', error);
  }
}

/** Everything that the first line depends on is on the disk before it. So a missing log is never an accident. */
function startLedger(places: LedgerPlaces, after?: Trust['after'], earlier?: EarlierState): string {
  const ledger = `L${randomBytes(16).toString('hex')}`;
  const segment = (segmentsIn(places.logs).at(-1) ?? 0) + 1;
  const key = makeKey();
  const { publicKey } = key;
  makePrivateDirectory(join(places.state, ledger));
  saveKey(keyPath(places.state, ledger, segment), key);
  writeTrust(places.state, {
    ...{ v: 1, ledger, desktop: places.desktop, segment, key: publicKey, fingerprint: fingerprint(publicKey) },
    ...(after && { after }),
    ...(earlier && { earlier }),
  });
  writeFirstHead(places.state, sign({ ledger, segment, seq: 0, hash: NO_HASH }, key));
  writeCurrent(places, ledger);
  return ledger;
}

async function resume(options: LedgerOptions, lock: LedgerLock, ledger: string): Promise<FileLedger> {
  const { places, software, disk = REAL_DISK, now = Date.now } = options;
  const end = findEnd(places, ledger);
  const torn = end.torn.length > 0 ? saveTornBytes(places, end) : undefined;
  const parts: WriterParts = { places, trust: end.trust, software, lock, disk, now };
  const writer = new LedgerWriter(parts, await writerStart(parts, end));
  const isNew = end.seq === 0 && !torn;
  const crashed = lock.wasAbandoned || torn !== undefined || end.seq > end.head.seq;
  try {
    writer.begin();
    // A `close` record that was written but not signed is signed now, by the key that is still there.
    if (end.next !== undefined && end.signedTo < end.seq - 1) {
      writer.append([], true);
      await writer.sync();
    }
    await writer.openPending();
    // Every time, and not only at the start of the ledger: that may have been interrupted.
    if (end.trust.after) destroyKeysOf(places.state, end.trust.after.ledger);
    if (crashed && !isNew) {
      writer.append([{ draft: recoveredDraft(end, torn), at: new Date(now()).toISOString() }], false);
      await writer.sync();
    }
  } catch (error) {
    await writer.close();
    throw error;
  }
  return new FileLedger(options, ledger, writer, lock);
}

function recoveredDraft({ seq, head, unfinished }: LedgerEnd, torn: Torn | undefined): Draft {
  return {
    kind: 'recovered',
    ...(torn && { torn }),
    ...(seq > head.seq && { unsigned: { from: head.seq + 1, count: seq - head.seq } }),
    unfinished: unfinished.slice(-MAX_UNFINISHED),
  };
}

type Torn = NonNullable<Extract<Draft, { kind: 'recovered' }>['torn']>;

/** Copied and synced before it is cut off: we never lose bytes of a log. */
function saveTornBytes({ logs }: LedgerPlaces, { segment, size, torn }: LedgerEnd): Torn {
  const hash = hashOf(torn);
  const path = `${segmentPath(logs, segment).replace(/jsonl$/, '')}${size}-${hash.slice(0, 8)}.torn`;
  writeFileSync(path, torn, { mode: 0o600, flush: true });
  syncDirectory(path);
  return { bytes: torn.length, hash, file: basename(path) };
}

async function writerStart({ places, disk, trust }: WriterParts, end: LedgerEnd): Promise<WriterStart> {
  const { seq, hash, signedTo, head } = end;
  const keyOf = (segment: number, publicKey: string): SegmentKey => {
    const key = loadKey(keyPath(places.state, trust.ledger, segment));
    if (key?.publicKey !== publicKey) throw refusedToOpen(`the key of segment ${segment} is gone`);
    return key;
  };
  const chain = { seq, hash, signedTo, head };
  if (end.key === undefined) {
    return { ...chain, pending: { segment: end.segment, key: keyOf(end.segment, end.next ?? trust.key) } };
  }
  const next = end.next === undefined ? undefined : { segment: end.segment + 1, key: keyOf(end.segment + 1, end.next) };
  const key = keyOf(end.segment, end.key);
  const file = await LogFile.continue(segmentPath(places.logs, end.segment), disk, end.size);
  const openedAt = Date.parse(end.openedAt!);
  return { ...chain, current: { segment: end.segment, file, key, openedAt }, ...(next && { pending: next }) };
}
