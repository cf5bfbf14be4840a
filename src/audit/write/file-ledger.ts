import { debug } from '../../shared/index.js';
import { Anchor, type AnchorOptions } from '../verify/anchor.js';
import {
  callDraft,
  type CallNote,
  type ActOutcome,
  type Intent,
  intentDraft,
  type Ledger,
  type Note,
  outcomeDraft,
  NO_REDACTION,
  redact,
  type Redactor,
} from '../ledger.js';
import { diskFault, unavailable } from '../errors.js';
import { MAX_UNSIGNED } from '../verify/compare-with-head.js';
import type { Entry, LedgerWriter } from './ledger-writer.js';
import { checkDraft } from '../line.js';
import type { LedgerLock } from './ledger-lock.js';
import type { Disk } from './log-file.js';
import type { LedgerPlaces } from '../locations.js';
import type { Content, Draft } from '../record.js';
import { Repeats } from './repeats.js';

interface LedgerLimits {
  segmentBytes: number;
  segmentMs: number;
  /** How long read records may be in the log before they are synced to the disk. */
  groupMs: number;
  /** How long after the last record a checkpoint is written. */
  checkpointMs: number;
  checkpointRecords: number;
  /** Equal refusals within this time become one record. */
  repeatMs: number;
}

const LIMITS: LedgerLimits = {
  segmentBytes: 32 * 1024 * 1024,
  segmentMs: 7 * 24 * 60 * 60_000,
  groupMs: 250,
  checkpointMs: 60_000,
  checkpointRecords: 64,
  repeatMs: 1_000,
};

export interface LedgerOptions {
  places: LedgerPlaces;
  /** `deskproof/0.1.0` */
  software: string;
  redactor?: Redactor;
  anchor?: AnchorOptions;
  limits?: Partial<LedgerLimits>;
  now?: () => number;
  disk?: Disk;
}

interface QueuedEntry extends Entry {
  sync: boolean;
  resolve: (seq: number) => void;
  reject: (error: Error) => void;
}

interface WriteStep {
  batch: QueuedEntry[];
  /** They are in the log, whatever happened afterwards. */
  isInLog: boolean;
}

/** One place of a batch is kept free for the checkpoint. */
const MAX_BATCH = MAX_UNSIGNED - 1;
const MAX_RETRIED_CALLS = 32;

/** The ledger on disk. Records are written in the order in which they arrive; one sync serves all that wait for it. */
export class FileLedger implements Ledger {
  private readonly limits: LedgerLimits;
  private readonly redactor: Redactor;
  private readonly repeats: Repeats;
  private anchor: Anchor | undefined;
  private readonly now: () => number;
  private queue: QueuedEntry[] = [];
  /** Records of past events that could not be written. They are written before anything else. */
  private unwritten: Entry[] = [];
  private readonly unfinished = new Set<number>();
  private requested = { sync: false, checkpoint: false };
  /** Lines are in the log, but the last attempt to sync them and to update the head failed. */
  private syncFailed = false;
  /** Rotation is not tried again until a write succeeded. */
  private rotationFailed = false;
  private readonly rotations: { resolve: () => void; reject: (error: Error) => void }[] = [];
  private draining: Promise<void> | undefined;
  private groupTimer: NodeJS.Timeout | undefined;
  private checkpointTimer: NodeJS.Timeout | undefined;
  private ended = false;

  constructor(
    options: LedgerOptions,
    readonly id: string,
    private readonly writer: LedgerWriter,
    private readonly lock: LedgerLock,
  ) {
    this.limits = { ...LIMITS, ...options.limits };
    this.redactor = options.redactor ?? NO_REDACTION;
    this.now = options.now ?? Date.now;
    this.repeats = new Repeats((draft, at) => this.addWithoutWaiting({ draft, at }), this.limits.repeatMs);
    this.useAnchor(options.anchor);
  }

  /**
   * Replaces or removes the anchor. A new one gets the current head at once, which covers everything that the previous
   * one missed.
   */
  useAnchor(options: AnchorOptions | undefined): void {
    this.anchor = options && new Anchor(options);
    this.anchor?.send(this.writer.head);
  }

  /** The file that is being written. */
  get path(): string {
    return this.writer.path;
  }

  /** Number of the last durable record. */
  get seq(): number {
    return this.writer.head.seq;
  }

  /** Whether this process may change the files of the log. */
  get mayWrite(): boolean {
    return !this.ended && this.lock.isOurs();
  }

  /** Why the outside anchor did not accept the last checkpoint. */
  get anchorTrouble(): Error | undefined {
    return this.anchor?.lastError;
  }

  async intent(intent: Intent): Promise<number> {
    await this.anchor?.ready();
    return this.add(intentDraft(intent), true);
  }

  async outcome(of: number, ending: ActOutcome): Promise<void> {
    await this.add(outcomeDraft(of, ending), true);
  }

  async call(call: CallNote): Promise<void> {
    const draft = callDraft(call);
    if (call.status !== 'refused') return void (await this.add(draft, false));
    if (this.ended) throw closedError();
    const { draft: clean, at } = this.entry(draft);
    this.repeats.add(clean as typeof draft, at);
  }

  async note(note: Note): Promise<number> {
    return this.add(note, true);
  }

  /** Writes a checkpoint if there are unsigned records. */
  async checkpoint(): Promise<void> {
    this.requested.checkpoint = true;
    await this.drain();
  }

  /** Ends the segment and destroys its key. Waits for the outcome of an act that is in progress. */
  async rotate(): Promise<void> {
    if (this.ended) throw closedError();
    await new Promise<void>((resolve, reject) => {
      this.rotationFailed = false;
      this.rotations.push({ resolve, reject });
      this.drainLater();
    });
  }

  async close(): Promise<void> {
    if (this.ended) return;
    this.repeats.end();
    this.ended = true;
    clearTimeout(this.groupTimer);
    clearTimeout(this.checkpointTimer);
    try {
      await this.draining?.catch(() => undefined); // Records that failed are kept for a retry. The next attempt reports whether it still fails.
      if (this.unwritten.length > 0 || this.writer.sinceCheckpoint > 0) await this.checkpoint();
      await this.end();
    } finally {
      clearTimeout(this.groupTimer);
      clearTimeout(this.checkpointTimer);
      for (const { reject } of this.rotations.splice(0)) reject(closedError());
      await this.anchor?.settled();
      await this.writer.close();
      this.lock.release();
    }
  }

  private async end(): Promise<void> {
    try {
      await this.writer.end();
    } catch (error) {
      throw diskFault('The end of the log could not be marked', error);
    }
  }

  private entry(draft: Draft): Entry {
    const at = new Date(this.now()).toISOString();
    const clean = redact(draft, this.redactor);
    checkDraft(clean, at);
    return { draft: clean, at };
  }

  private add(draft: Draft, sync: boolean): Promise<number> {
    if (this.ended) return Promise.reject(closedError());
    const entry = this.entry(draft);
    if (sync) this.repeats.writeAll();
    return new Promise<number>((resolve, reject) => {
      this.queue.push({ ...entry, sync, resolve, reject });
      this.drainLater();
    });
  }

  /** No caller waits for it, so a record that cannot be written now is kept for a retry. */
  private addWithoutWaiting(entry: Entry): void {
    this.queue.push({ ...entry, sync: false, resolve: () => undefined, reject: () => undefined });
    this.drainLater();
  }

  /**
   * A failure is reported to the caller that waits for the record. Records without a waiting caller are tried again
   * before the next one.
   */
  private drainLater(): void {
    this.drain().catch((error: unknown) => debug('audit', () => String(error)));
  }

  private drain(): Promise<void> {
    this.draining ??= this.writeAll();
    return this.draining;
  }

  /** A failed batch does not stop the next ones. A caller that waits for all of them gets the first error. */
  private async writeAll(): Promise<void> {
    let failure: unknown;
    try {
      await Promise.resolve(); // Records that are added together are written together.
      while (this.queue.length > 0 || this.requested.sync || this.requested.checkpoint || this.rotationReason()) {
        await this.writeNext().catch((error: unknown) => (failure ??= error));
      }
    } finally {
      // Here, and not when the promise settles: a record that is added in between would wait for ever.
      this.draining = undefined;
    }
    if (failure !== undefined) throw failure as Error;
  }

  private async writeNext(): Promise<void> {
    const { sync, checkpoint } = this.requested;
    this.requested = { sync: false, checkpoint: false };
    const room = MAX_BATCH - this.unwritten.length;
    const step: WriteStep = { batch: [], isInLog: false };
    try {
      if (this.syncFailed || this.writer.notInHead >= room) await this.sync();
      const reason = this.rotationReason();
      if (reason) await this.rotateNow(reason);
      await this.writer.openPending();
      step.batch = this.queue.splice(0, room - this.writer.notInHead);
      await this.writeBatch(step, sync, checkpoint);
      this.setTimers();
    } catch (error) {
      // The records in the queue fail as well, else they would be tried again without end.
      if (step.batch.length === 0) step.batch = this.queue.splice(0);
      throw this.fail(step, error);
    }
  }

  private async writeBatch(step: WriteStep, sync: boolean, checkpoint: boolean): Promise<void> {
    const { writer } = this;
    const { batch } = step;
    const entries = [...this.unwritten, ...batch];
    const many = writer.sinceCheckpoint + entries.length >= this.limits.checkpointRecords;
    const stopped = entries.some(({ draft }) => draft.kind === 'stop');
    const sign = many || stopped || (checkpoint && writer.sinceCheckpoint + entries.length > 0);
    const first = entries.length > 0 || sign ? writer.append(entries, sign) + this.unwritten.length : 0;
    step.isInLog = true;
    this.unwritten = [];
    const full = writer.notInHead >= MAX_BATCH;
    if (sign || full || sync || batch.some((waiting) => waiting.sync)) await this.sync();
    for (const [at, waiting] of batch.entries()) this.written(waiting, first + at);
    if (sign) this.anchor?.send(writer.head);
  }

  private async sync(): Promise<void> {
    this.syncFailed = true;
    await this.writer.sync();
    this.syncFailed = false;
  }

  /**
   * An intent and its outcome stay in one segment, so that after a crash the last segment shows which acts have no
   * outcome.
   */
  private rotationReason(): Content<'close'>['reason'] | undefined {
    if (this.unfinished.size > 0 || this.rotationFailed) return undefined;
    if (this.rotations.length > 0) return 'command';
    const { segmentBytes, segmentMs } = this.limits;
    if (this.writer.size >= segmentBytes) return 'size';
    return this.writer.ageMs >= segmentMs ? 'age' : undefined;
  }

  private async rotateNow(reason: Content<'close'>['reason']): Promise<void> {
    if (this.writer.notInHead > 0) await this.sync();
    await this.writer.rotate(reason);
    this.anchor?.send(this.writer.head);
    for (const { resolve } of this.rotations.splice(0)) resolve();
  }

  private written({ draft, resolve }: QueuedEntry, seq: number): void {
    this.rotationFailed = false;
    if (draft.kind === 'intent') this.unfinished.add(seq);
    if (draft.kind === 'outcome') this.unfinished.delete(draft.of);
    resolve(seq);
  }

  private fail({ batch, isInLog: put }: WriteStep, error: unknown): Error {
    const fault = diskFault('The log could not be written', error);
    for (const { draft, at, reject } of batch) {
      if (!put) this.keepForRetry({ draft, at });
      reject(fault);
    }
    this.rotationFailed = true;
    for (const { reject } of this.rotations.splice(0)) reject(fault);
    return fault;
  }

  /** A past event must be written before anything else happens. An intent that was not carried out need not be. */
  private keepForRetry(entry: Entry): void {
    const { kind } = entry.draft;
    if (kind === 'intent' || kind === 'ask') return;
    if (kind === 'call' && this.unwritten.length >= MAX_RETRIED_CALLS) return;
    this.unwritten.push(entry);
  }

  private setTimers(): void {
    if (this.ended) return;
    if (this.writer.notInHead > 0) this.groupTimer ??= this.timer(this.limits.groupMs, 'sync');
    else this.groupTimer = void clearTimeout(this.groupTimer);
    clearTimeout(this.checkpointTimer);
    this.checkpointTimer =
      this.writer.sinceCheckpoint > 0 ? this.timer(this.limits.checkpointMs, 'checkpoint') : undefined;
  }

  private timer(ms: number, what: 'sync' | 'checkpoint'): NodeJS.Timeout {
    const timer = setTimeout(() => {
      if (what === 'sync') this.groupTimer = undefined;
      this.requested[what] = true;
      this.drainLater();
    }, ms);
    // A process without other work may end; the log is complete without this.
    timer.unref();
    return timer;
  }
}

const closedError = (): Error => unavailable('The log is closed.', 'Start the desktop again: deskproof desktop start');
