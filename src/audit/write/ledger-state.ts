import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { destroyKey, fingerprint } from '../keys.js';
import { keyPath, type LedgerPlaces, segmentOf, statePath } from '../locations.js';
import { makePrivateDirectory, replaceFile } from '../private-files.js';
import { readLog } from '../read/read-log.js';
import { PUBLIC_KEY, TEXT } from '../record.js';
import { headText, parseHead, type SignedStatement } from '../signed-head.js';

/** What is known of a ledger beside its log: the first key, by which its later ones are known. */
const TRUST = z.strictObject({
  v: z.literal(1),
  ledger: z.string(),
  desktop: z.string(),
  /** Number of the first segment's file. */
  segment: z.number().int().positive(),
  key: PUBLIC_KEY,
  fingerprint: z.string(),
  /** Set when this one was begun because another could not be continued. */
  after: z.strictObject({ ledger: z.string(), head: z.number().optional(), reason: TEXT }).optional(),
  /** How that other one was found then: what verifying said, and the hash of its files. */
  earlier: z.strictObject({ verdict: z.string(), files: z.string() }).optional(),
});
export type Trust = z.infer<typeof TRUST>;

function readOrNot(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `damaged`: there is something, but it is not what we write. */
export function readTrust(state: string, ledger: string): Trust | 'damaged' | undefined {
  const text = readOrNot(join(statePath(state, ledger), 'trust.json'));
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
/** So often a head that makes no sense is read before it is called damaged. */
const READS = 5;

const headPath = (state: string, ledger: string): string => join(statePath(state, ledger), 'head');

export const readHeadText = (state: string, ledger: string): string | undefined => readOrNot(headPath(state, ledger));

export function readHead(state: string, ledger: string): SignedStatement | 'damaged' | undefined {
  for (let left = READS; ; left -= 1) {
    const text = readHeadText(state, ledger);
    if (text === undefined) return undefined;
    const head = parseHead(text);
    if (head?.ledger === ledger) return head;
    // It may have been read while it was written.
    if (left <= 1) return 'damaged';
  }
}

/** The first head of a ledger is on the disk before its log is. */
export function writeFirstHead(state: string, head: SignedStatement): void {
  makePrivateDirectory(statePath(state, head.ledger));
  writeLastingHead(state, head);
}

/** On the disk when this returns: one that says that its writer ended must not come back when lines follow it. */
export function writeLastingHead(state: string, head: SignedStatement): void {
  replaceFile(headPath(state, head.ledger), headText(head));
}

/**
 * Not synced by itself: an older head after a loss of power names fewer lines than there are, which is what one finds
 * after any crash. It comes after the lines that it names are on the disk, so it never names lines that are not.
 * At once and not in turns with other work: waits would take longer than the work. And in its place: a head is written
 * by one call and is smaller than what a disk writes as a whole, so nobody finds half of one, and a new file under the
 * old name costs more than the line and its sync together (ext4: 0.7 ms and 0.4 ms).
 */
export function replaceHead(state: string, head: SignedStatement): void {
  const path = headPath(state, head.ledger);
  const text = headText(head);
  const fd = openSync(path, O_WRONLY | (O_NOFOLLOW ?? 0));
  try {
    // What is shorter would leave the end of the last one behind.
    const fits = fstatSync(fd).size <= text.length;
    if (fits && writeSync(fd, text, 0) === text.length) return;
  } finally {
    closeSync(fd);
  }
  replaceFile(path, text);
}

const STRANGER = z.strictObject({ v: z.literal(1), after: z.number().int().nonnegative() });
const strangerPath = (state: string, ledger: string): string => join(statePath(state, ledger), 'stranger.json');

/** The writer has seen that somebody else wrote into its log: nothing after this record is the desktop's. */
export function noteStranger(state: string, ledger: string, after: number): void {
  replaceFile(strangerPath(state, ledger), `${JSON.stringify({ v: 1, after })}\n`);
}

/** The last record that is the desktop's, where somebody else's follow. */
export function strangerAfter(state: string, ledger: string): number | undefined {
  const text = readOrNot(strangerPath(state, ledger));
  if (text === undefined) return undefined;
  try {
    return STRANGER.parse(JSON.parse(text)).after;
  } catch {
    return 0; // That it is there says enough.
  }
}

export const pointerPath = ({ state, desktop }: LedgerPlaces): string => join(state, `${desktop}.current`);

/** Whose pointer a file is; none when it is something else. */
export const desktopOfPointer = (file: string): string[] => /^(.+)\.current$/.exec(file)?.slice(1) ?? [];

/** Which ledger the desktop has. It is known also when its log is gone. */
export function readCurrent(places: LedgerPlaces): string | undefined {
  return readOrNot(pointerPath(places))?.trim();
}

export function writeCurrent(places: LedgerPlaces, ledger: string): void {
  replaceFile(pointerPath(places), `${ledger}\n`);
}

/** Keys of closed segments, and of ones that were never begun. */
export function destroyOtherKeys(state: string, ledger: string, kept?: number): void {
  for (const file of readdirSync(statePath(state, ledger))) {
    const segment = file.endsWith('.key') ? segmentOf(file.replace(/key$/, 'jsonl')) : undefined;
    if (segment !== undefined && segment !== kept) destroyKey(keyPath(state, ledger, segment));
  }
}

/** Of a ledger that another was begun after: nothing is to be signed in its name any more. */
export function destroyKeysOf(state: string, ledger: string): void {
  if (existsSync(statePath(state, ledger))) destroyOtherKeys(state, ledger);
}

export interface KeyLine {
  segment: number;
  fingerprint: string;
  since: string;
  /** Its private half is destroyed. */
  closed: boolean;
}

export interface LedgerKeys {
  ledger: string;
  /** To be kept elsewhere: with it a log that was signed anew is found. */
  fingerprint: string;
  keys: KeyLine[];
}

/** The keys of the desktop's log as it stands; undefined when it never had one. */
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
