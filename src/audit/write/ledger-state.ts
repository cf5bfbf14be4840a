import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { destroyKey, fingerprint } from '../keys.js';
import { keyPath, type LedgerPlaces, segmentOf, statePath, segmentPath, segmentsIn } from '../locations.js';
import { makePrivateDirectory, replaceFile } from '../private-files.js';
import { readLog } from '../read/read-log.js';
import { PUBLIC_KEY, TEXT } from '../record.js';
import { headText, parseHead, type SignedStatement } from '../signed-head.js';

/** What is stored about a ledger outside its log: the first key, which vouches for all later keys. */
const TRUST = z.strictObject({
  v: z.literal(1),
  ledger: z.string(),
  desktop: z.string(),
  /** Number of the first segment's file. */
  segment: z.number().int().positive(),
  key: PUBLIC_KEY,
  fingerprint: z.string(),
  /** Set if this ledger was started because another could not be continued. */
  after: z.strictObject({ ledger: z.string(), head: z.number().optional(), reason: TEXT }).optional(),
  /** The state of that other ledger then: its verdict, and the hash of its files. */
  earlier: z.strictObject({ verdict: z.string(), files: z.string() }).optional(),
});
export type Trust = z.infer<typeof TRUST>;

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `damaged`: the file exists but is not in our format. */
export function readTrust(state: string, ledger: string): Trust | 'damaged' | undefined {
  const text = readIfThere(join(statePath(state, ledger), 'trust.json'));
  if (text === undefined) return undefined;
  try {
    return TRUST.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

export function writeTrust(state: string, trust: Trust): void {
  replaceFile(join(statePath(state, trust.ledger), 'trust.json'), `${JSON.stringify(trust, undefined, 2)}\n`);
}

const { O_NOFOLLOW, O_WRONLY } = constants;
/** How often a head that cannot be parsed is read before it is called damaged. */
const MAX_READS = 5;

const headPath = (state: string, ledger: string): string => join(statePath(state, ledger), 'head');

export const readHeadText = (state: string, ledger: string): string | undefined => readIfThere(headPath(state, ledger));

export function readHead(state: string, ledger: string): SignedStatement | 'damaged' | undefined {
  for (let left = MAX_READS; ; left -= 1) {
    const text = readHeadText(state, ledger);
    if (text === undefined) return undefined;
    const head = parseHead(text);
    if (head?.ledger === ledger) return head;
    // It may have been read while it was being written.
    if (left <= 1) return 'damaged';
  }
}

/** The first head of a ledger is on the disk before its log is. */
export function writeFirstHead(state: string, head: SignedStatement): void {
  makePrivateDirectory(statePath(state, head.ledger));
  writeDurableHead(state, head);
}

/** Durable when this returns: a head that marks a clean end must not reappear after more lines were written. */
export function writeDurableHead(state: string, head: SignedStatement): void {
  replaceFile(headPath(state, head.ledger), headText(head));
}

/**
 * Not synced: after a power loss an older head names fewer lines than there are, as after any crash. It is written
 * after its lines are on the disk, so it never names missing lines.
 *
 * Synchronous, since waiting would take longer than the work. In place: a head is written by one call and is smaller
 * than a disk's atomic write, so readers never find half of one, and replacing the file costs more than the line and
 * its sync together (ext4: 0.7 ms and 0.4 ms).
 */
export function replaceHead(state: string, head: SignedStatement): void {
  const path = headPath(state, head.ledger);
  const text = headText(head);
  const fd = openSync(path, O_WRONLY | (O_NOFOLLOW ?? 0));
  try {
    // A shorter text would leave the end of the old one behind.
    const fits = fstatSync(fd).size <= text.length;
    if (fits && writeSync(fd, text, 0) === text.length) return;
  } finally {
    closeSync(fd);
  }
  replaceFile(path, text);
}

const FOREIGN_WRITER = z.strictObject({ v: z.literal(1), after: z.number().int().nonnegative() });
const foreignWriterPath = (state: string, ledger: string): string => join(statePath(state, ledger), 'stranger.json');

/** The writer noticed that another program wrote into its log: nothing after this record belongs to the desktop. */
export function noteForeignWriter(state: string, ledger: string, after: number): void {
  replaceFile(foreignWriterPath(state, ledger), `${JSON.stringify({ v: 1, after })}\n`);
}

/** The last record of the desktop, if records of another program follow. */
export function foreignWriterAfter(state: string, ledger: string): number | undefined {
  const text = readIfThere(foreignWriterPath(state, ledger));
  if (text === undefined) return undefined;
  try {
    return FOREIGN_WRITER.parse(JSON.parse(text)).after;
  } catch {
    return 0; // Its existence is enough.
  }
}

export const pointerPath = ({ state, desktop }: LedgerPlaces): string => join(state, `${desktop}.current`);

/** The desktop of a pointer file; empty for other files. */
export const desktopOfPointer = (file: string): string[] => /^(.+)\.current$/.exec(file)?.slice(1) ?? [];

/** The current ledger of the desktop. It is known even if its log is gone. */
export function readCurrent(places: LedgerPlaces): string | undefined {
  return readIfThere(pointerPath(places))?.trim();
}

export function writeCurrent(places: LedgerPlaces, ledger: string): void {
  replaceFile(pointerPath(places), `${ledger}\n`);
}

/** Destroys the keys of closed segments, and of segments that were never started. */
export function destroyOtherKeys(state: string, ledger: string, kept?: number): void {
  for (const file of readdirSync(statePath(state, ledger))) {
    const segment = file.endsWith('.key') ? segmentOf(file.replace(/key$/, 'jsonl')) : undefined;
    if (segment !== undefined && segment !== kept) destroyKey(keyPath(state, ledger, segment));
  }
}

/** For a ledger that has a successor: nothing more may be signed in its name. */
export function destroyKeysOf(state: string, ledger: string): void {
  if (existsSync(statePath(state, ledger))) destroyOtherKeys(state, ledger);
}

interface KeyLine {
  segment: number;
  fingerprint: string;
  since: string;
  /** Its private key is destroyed. */
  closed: boolean;
}

export interface LedgerKeys {
  ledger: string;
  /** The user keeps it elsewhere: it reveals a log that was signed again with another key. */
  fingerprint: string;
  keys: KeyLine[];
}

/** The keys of the desktop's current log; undefined if it never had one. */
export function ledgerKeys(places: LedgerPlaces): LedgerKeys | undefined {
  const ledger = readCurrent(places);
  const trust = ledger === undefined ? undefined : readTrust(places.state, ledger);
  if (ledger === undefined || typeof trust !== 'object') return undefined;
  const keys: KeyLine[] = [];
  for (const { record } of readLog(places.logs)) {
    if (record?.ledger !== ledger) continue;
    if (record.kind === 'open') {
      keys.push({ segment: record.segment, fingerprint: fingerprint(record.key), since: record.at, closed: false });
    }
    if (record.kind === 'close' && keys.length > 0) keys.at(-1)!.closed = true;
  }
  return { ledger, fingerprint: trust.fingerprint, keys };
}

/** The state in which the previous ledger was found when its successor was started. */
export type EarlierState = NonNullable<Trust['earlier']>;

/** The result of verifying a ledger. */
export interface Verdict {
  ok: boolean;
  verdict: string;
  /** About the previous ledger: its fault when it was given up, which is still there. */
  earlierFault?: string;
}

/** Covers the number and the bytes of each file, so that none can be changed, moved or removed. */
function hashOfFiles(logs: string, segments: readonly number[]): string {
  const hash = createHash('sha256');
  for (const segment of segments) {
    const bytes = readFileSync(segmentPath(logs, segment));
    hash.update(`${segment} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Stored with the ledger that follows. */
export const currentState = (logs: string, segments: readonly number[], { ok, verdict }: Verdict): EarlierState => ({
  verdict: ok ? 'ok' : verdict,
  files: hashOfFiles(logs, segments),
});

/** The files of the ledger before the one of `trust`. */
export function segmentsBefore(logs: string, state: string, { after, segment }: Trust): number[] {
  const old = after && readTrust(state, after.ledger);
  const first = typeof old === 'object' ? old.segment : 1;
  return segmentsIn(logs).filter((one) => one >= first && one < segment);
}

/**
 * Checks that the previous ledger is unchanged since its successor was started. One that was broken then may stay
 * broken: that is why the successor was started.
 */
export function checkEarlier(logs: string, segments: readonly number[], trust: Trust, now: Verdict): Verdict {
  const then = trust.earlier;
  const which = `the log before it, up to segment ${trust.segment - 1},`;
  const untouched = then !== undefined && then.files === hashOfFiles(logs, segments);
  if (untouched && then.verdict !== 'ok') {
    const verdict = `${which} is unchanged since this one was started: ${then.verdict}`;
    return { ok: true, verdict, earlierFault: verdict };
  }
  const { earlierFault } = now;
  if (now.ok && (untouched || !then)) {
    return { ok: true, verdict: `${which} is intact`, ...(earlierFault !== undefined && { earlierFault }) };
  }
  return { ok: false, verdict: `${which} was changed after this one was started: ${now.verdict}` };
}
