import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { existsSync } from 'node:fs';
import { unavailable } from '../errors.js';
import { destroyKey, makeKey, saveKey, type SegmentKey } from '../keys.js';
import { destroyOtherKeys, noteForeignWriter, replaceHead, writeDurableHead, type Trust } from './ledger-state.js';
import { makeLine } from '../line.js';
import type { LedgerLock } from './ledger-lock.js';
import { LogFile, type Disk } from './log-file.js';
import { keyPath, segmentPath, type LedgerPlaces } from '../locations.js';
import type { Content, Draft } from '../record.js';
import { sign, type SignedStatement } from '../signed-head.js';

/** A draft with its time, already redacted and validated. */
export interface Entry {
  draft: Draft;
  at: string;
}

export interface WriterParts {
  places: LedgerPlaces;
  trust: Trust;
  software: string;
  lock: LedgerLock;
  disk: Disk;
  now: () => number;
}

/** Where the chain continues. */
export interface WriterStart {
  seq: number;
  hash: string;
  signedTo: number;
  /** The open segment, with its file and key. */
  current?: { segment: number; file: LogFile; key: SegmentKey; openedAt: number };
  /** The segment that must be opened before anything is written. */
  pending?: { segment: number; key: SegmentKey };
  head: SignedStatement;
}

/**
 * Writes lines, segments, keys and heads. One operation at a time; the caller keeps the order. After a failure it is in
 * the state before, or it refuses all further work.
 */
export class LedgerWriter {
  private seq: number;
  private hash: string;
  private current: WriterStart['current'];
  private pending: WriterStart['pending'];
  private lastHead: SignedStatement;
  private failure: Error | undefined;
  /** Records since the last checkpoint. */
  sinceCheckpoint: number;

  constructor(
    private readonly parts: WriterParts,
    start: WriterStart,
  ) {
    this.seq = start.seq;
    this.hash = start.hash;
    this.current = start.current;
    this.pending = start.pending;
    this.lastHead = start.head;
    this.sinceCheckpoint = Math.max(0, start.seq - start.signedTo - 1);
  }

  get head(): SignedStatement {
    return this.lastHead;
  }

  /** Records in the log that no head names yet. */
  get notInHead(): number {
    return this.seq - this.lastHead.seq;
  }

  get path(): string {
    const { logs } = this.parts.places;
    return segmentPath(logs, this.pending?.segment ?? this.current!.segment);
  }

  get size(): number {
    return this.current?.file.size ?? 0;
  }

  get ageMs(): number {
    return this.parts.now() - this.current!.openedAt;
  }

  /** Opens the pending segment, if there is one. */
  async openPending(): Promise<void> {
    if (!this.pending) return;
    const { segment, key } = this.pending;
    const path = segmentPath(this.parts.places.logs, segment);
    const { disk } = this.parts;
    this.checkMayWrite();
    const file = existsSync(path) ? await LogFile.continue(path, disk, 0) : await LogFile.create(path, disk);
    const before = this.current;
    const now = this.parts.now();
    this.current = { segment, file, key, openedAt: now };
    try {
      this.append([{ draft: this.openDraft(segment, key), at: new Date(now).toISOString() }], false);
      await this.sync();
    } catch (error) {
      // Its line is in the file but perhaps not on the disk. Where the chain ends is known only after the log is opened
      // again.
      if (file.size > 0) this.failure = error as Error;
      this.current = before;
      await file.close();
      throw error;
    }
    this.pending = undefined;
    await before?.file.close();
    destroyOtherKeys(this.parts.places.state, this.parts.trust.ledger, segment);
  }

  /** In one write, all or nothing. Returns the number of the first record. */
  append(entries: readonly Entry[], checkpoint: boolean): number {
    this.checkMayWrite();
    const { segment, file, key } = this.current!;
    const { ledger } = this.parts.trust;
    const lines: Buffer[] = [];
    let { seq, hash: prev } = this;
    const add = (draft: Draft, at: string): void => {
      const line = makeLine(draft, { ledger, seq: seq + 1, prev, at });
      lines.push(line.bytes);
      seq += 1;
      prev = line.hash;
    };
    for (const { draft, at } of entries) add(draft, at);
    if (checkpoint) {
      const { signature } = sign({ ledger, segment, seq, hash: prev }, key);
      const draft: Draft = { kind: 'checkpoint', signed: { segment, seq, hash: prev, signature } };
      add(draft, new Date(this.parts.now()).toISOString());
    }
    this.noticingForeignWriter(() => file.append(Buffer.concat(lines)));
    const first = this.seq + 1;
    this.seq = seq;
    this.hash = prev;
    this.sinceCheckpoint = checkpoint ? 0 : this.sinceCheckpoint + entries.length;
    return first;
  }

  /** First the lines, then the head: it never names lines that are not on the disk. */
  async sync(): Promise<void> {
    const { segment, file, key } = this.current!;
    const { seq, hash } = this;
    const synced = file.sync();
    const head = sign({ ledger: this.parts.trust.ledger, segment, seq, hash }, key);
    await synced;
    replaceHead(this.parts.places.state, head);
    this.lastHead = head;
  }

  /** Ends the segment with a signature of its own key, destroys that key, and starts the next segment. */
  async rotate(reason: Content<'close'>['reason']): Promise<void> {
    const { segment, file } = this.current!;
    const { places, trust } = this.parts;
    const key = makeKey();
    const path = keyPath(places.state, trust.ledger, segment + 1);
    if (existsSync(path)) destroyKey(path); // Left by an interrupted rotation.
    saveKey(path, key);
    const close: Draft = { kind: 'close', segment, next: key.publicKey, reason };
    this.append([{ draft: close, at: new Date(this.parts.now()).toISOString() }], true);
    this.pending = { segment: segment + 1, key };
    await this.sync().catch((error: Error) => {
      // Another file would continue from an end that may not be on the disk.
      if (file.hasFailed) this.failure = error;
      throw error;
    });
    await this.openPending();
  }

  /** Before the first line: from here on a crash may leave lines that no head names. */
  begin(): void {
    if (this.lastHead.ended) this.markEnd(false);
  }

  /** The last thing that is written: anything after it is not ours. */
  async end(): Promise<void> {
    // A writer that lost its lock may not sign any more, and an interrupted rotation is not a clean end.
    if (this.pending || !this.parts.lock.isOurs()) return;
    await this.sync();
    this.noticingForeignWriter(() => this.current!.file.check());
    this.markEnd(true);
  }

  async close(): Promise<void> {
    await this.current?.file.close();
  }

  private markEnd(ended: boolean): void {
    const { ledger, segment, seq, hash } = this.lastHead;
    const head = sign({ ledger, segment, seq, hash, ...(ended && { ended }) }, this.current!.key);
    writeDurableHead(this.parts.places.state, head);
    this.lastHead = head;
  }

  /**
   * Only the writer can notice this, and only now: the foreign lines fit the chain, so a later verification would
   * accept them.
   */
  private noticingForeignWriter(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.current!.file.isForeign) noteForeignWriter(this.parts.places.state, this.parts.trust.ledger, this.seq);
      throw error;
    }
  }

  private openDraft(segment: number, key: SegmentKey): Draft {
    const { trust, software, places } = this.parts;
    const host = createHash('sha256').update(`${trust.ledger}\n${hostname()}`).digest('hex');
    return {
      ...{ kind: 'open', segment, key: key.publicKey, software, desktop: places.desktop, host },
      ...(trust.after && segment === trust.segment && { after: trust.after }),
    };
  }

  private checkMayWrite(): void {
    if (this.failure) throw this.failure;
    if (this.parts.lock.isOurs()) return;
    throw unavailable(
      'The lock of the log was taken by another process, so the log cannot be written any more.',
      'Find the process that holds it: the file "lock" is beside the file that deskproof audit path prints.',
    );
  }
}
