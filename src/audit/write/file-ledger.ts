import { debug } from '../../shared/index.js';
import { Anchor, type AnchorOptions } from '../verify/anchor.js';
import {
  callDraft,
  type CallNote,
  type Ending,
  type Intent,
  intentDraft,
  type Ledger,
  type Note,
  outcomeDraft,
} from '../ledger.js';
import { diskFault, unavailable } from '../errors.js';
import { MOST_UNSIGNED } from './ledger-end.js';
import type { Entry, LedgerWriter } from './ledger-writer.js';
import { checkDraft } from '../line.js';
import type { LedgerLock } from './ledger-lock.js';
import type { Disk } from './log-file.js';
import type { LedgerPlaces } from '../locations.js';
import type { Content, Draft } from '../record.js';
import { NOTHING_SECRET, redact, type Redactor } from './redact.js';
import { Repeats } from './repeats.js';

export interface LedgerLimits {
  segmentBytes: number;
  segmentMs: number;
  /** How long reads may be in the log before they are on the disk. */
  groupMs: number;
  /** How long after the last record it is signed in the log. */
  checkpointMs: number;
  checkpointRecords: number;
  /** Refusals that equal one before them by no more than this are one record. */
  repeatMs: number;
}

export const LIMITS: LedgerLimits = {
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

interface Waiting extends Entry {
  sync: boolean;
  resolve: (seq: number) => void;
  reject: (error: Error) => void;
}

interface Step {
  batch: Waiting[];
  /** They are in the log, whatever came after. */
  put: boolean;
}

/** One place of a batch stays free for the checkpoint. */
const MOST_AT_ONCE = MOST_UNSIGNED - 1;
const MOST_OWED = 32;

/** The ledger on the disk. Records are written in the order in which they came; one sync serves all that wait for it. */
export class FileLedger implements Ledger {
  private readonly limits: LedgerLimits;
  private readonly redactor: Redactor;
  private readonly repeats: Repeats;
  private anchor: Anchor | undefined;
  private readonly now: () => number;
  private queue: Waiting[] = [];
  /** What has happened and could not be written: it comes before anything else. */
  private owed: Entry[] = [];
  private readonly unfinished = new Set<number>();
  private wanted = { sync: false, checkpoint: false };
  /** Lines are in the log, and the last attempt to bring them to the disk and to name them failed. */
  private behind = false;
  /** Not tried again before something could be written. */
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
    this.redactor = options.redactor ?? NOTHING_SECRET;
    this.now = options.now ?? Date.now;
    this.repeats = new Repeats((draft, at) => this.addUnasked({ draft, at }), this.limits.repeatMs);
    this.useAnchor(options.anchor);
  }

  /** In place of the one before, or none. It hears at once how far the log is: that covers what the other was not told. */
  useAnchor(options: AnchorOptions | undefined): void {
    this.anchor = options && new Anchor(options);
    this.anchor?.send(this.writer.head);
  }

  /** The file that is written now. */
  get path(): string {
    return this.writer.path;
  }

  /** Number of the last record that is safely on the disk. */
  get seq(): number {
    return this.writer.head.seq;
  }

  /** Why the outside anchor did not take the last checkpoint. */
  get anchorTrouble(): Error | undefined {
    return this.anchor?.trouble;
  }

  async intent(intent: Intent): Promise<number> {
    await this.anchor?.ready();
    return this.add(intentDraft(intent), true);
  }

  async outcome(of: number, ending: Ending): Promise<void> {
    await this.add(outcomeDraft(of, ending), true);
  }

  async call(call: CallNote): Promise<void> {
    const draft = callDraft(call);
    if (call.status !== 'refused') return void (await this.add(draft, false));
    if (this.ended) throw over();
    const { draft: clean, at } = this.entry(draft);
    this.repeats.add(clean as typeof draft, at);
  }

  async note(note: Note): Promise<number> {
    return this.add(note, true);
  }

  /** Signs in the log what is not signed there yet. */
  async checkpoint(): Promise<void> {
    this.wanted.checkpoint = true;
    await this.drain();
  }

  /** Ends the segment and destroys its key. It waits for the outcome of an act that is under way. */
  async rotate(): Promise<void> {
    if (this.ended) throw over();
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
      await this.draining?.catch(() => undefined); // What failed is owed; the next attempt says whether it still does.
      if (this.owed.length > 0 || this.writer.sinceCheckpoint > 0) await this.checkpoint();
      await this.end();
    } finally {
      clearTimeout(this.groupTimer);
      clearTimeout(this.checkpointTimer);
      for (const { reject } of this.rotations.splice(0)) reject(over());
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
    if (this.ended) return Promise.reject(over());
    const entry = this.entry(draft);
    if (sync) this.repeats.tellAll();
    return new Promise<number>((resolve, reject) => {
      this.queue.push({ ...entry, sync, resolve, reject });
      this.drainLater();
    });
  }

  /** Nobody waits for it, so what cannot be written now is owed. */
  private addUnasked(entry: Entry): void {
    this.queue.push({ ...entry, sync: false, resolve: () => undefined, reject: () => undefined });
    this.drainLater();
  }

  /** A failure reaches whoever waits for a record; what nobody waits for is tried again before the next one. */
  private drainLater(): void {
    this.drain().catch((error: unknown) => debug('audit', () => String(error)));
  }

  private drain(): Promise<void> {
    this.draining ??= this.writeAll();
    return this.draining;
  }

  /** A batch that fails is its own affair: the next ones are tried too. Whoever waits for all hears of the first. */
  private async writeAll(): Promise<void> {
    let failure: unknown;
    try {
      await Promise.resolve(); // Whoever adds several records at once gets one write for them.
      while (this.queue.length > 0 || this.wanted.sync || this.wanted.checkpoint || this.rotationReason()) {
        await this.writeNext().catch((error: unknown) => (failure ??= error));
      }
    } finally {
      // Here, and not when the promise is settled: what is added in between would wait for ever.
      this.draining = undefined;
    }
    if (failure !== undefined) throw failure as Error;
  }

  private async writeNext(): Promise<void> {
    const { sync, checkpoint } = this.wanted;
    this.wanted = { sync: false, checkpoint: false };
    const room = MOST_AT_ONCE - this.owed.length;
    const step: Step = { batch: [], put: false };
    try {
      if (this.behind || this.writer.unnamed >= room) await this.sync();
      const reason = this.rotationReason();
      if (reason) await this.rotateNow(reason);
      await this.writer.ready();
      step.batch = this.queue.splice(0, room - this.writer.unnamed);
      await this.writeBatch(step, sync, checkpoint);
      this.setTimers();
    } catch (error) {
      // What stands before the fault fails with it, else it would be tried without end.
      if (step.batch.length === 0) step.batch = this.queue.splice(0);
      throw this.fail(step, error);
    }
  }

  private async writeBatch(step: Step, sync: boolean, checkpoint: boolean): Promise<void> {
    const { writer } = this;
    const { batch } = step;
    const entries = [...this.owed, ...batch];
    const many = writer.sinceCheckpoint + entries.length >= this.limits.checkpointRecords;
    const stopped = entries.some(({ draft }) => draft.kind === 'stop');
    const sign = many || stopped || (checkpoint && writer.sinceCheckpoint + entries.length > 0);
    const first = entries.length > 0 || sign ? writer.put(entries, sign) + this.owed.length : 0;
    step.put = true;
    this.owed = [];
    const full = writer.unnamed >= MOST_AT_ONCE;
    if (sign || full || sync || batch.some((waiting) => waiting.sync)) await this.sync();
    for (const [at, waiting] of batch.entries()) this.written(waiting, first + at);
    if (sign) this.anchor?.send(writer.head);
  }

  private async sync(): Promise<void> {
    this.behind = true;
    await this.writer.sync();
    this.behind = false;
  }

  /** An intent and its outcome stay in one segment: after a crash the last one tells which acts have no end. */
  private rotationReason(): Content<'close'>['reason'] | undefined {
    if (this.unfinished.size > 0 || this.rotationFailed) return undefined;
    if (this.rotations.length > 0) return 'command';
    const { segmentBytes, segmentMs } = this.limits;
    if (this.writer.size >= segmentBytes) return 'size';
    return this.writer.ageMs >= segmentMs ? 'age' : undefined;
  }

  private async rotateNow(reason: Content<'close'>['reason']): Promise<void> {
    if (this.writer.unnamed > 0) await this.sync();
    await this.writer.rotate(reason);
    this.anchor?.send(this.writer.head);
    for (const { resolve } of this.rotations.splice(0)) resolve();
  }

  private written({ draft, resolve }: Waiting, seq: number): void {
    this.rotationFailed = false;
    if (draft.kind === 'intent') this.unfinished.add(seq);
    if (draft.kind === 'outcome') this.unfinished.delete(draft.of);
    resolve(seq);
  }

  private fail({ batch, put }: Step, error: unknown): Error {
    const fault = diskFault('The log could not be written', error);
    for (const { draft, at, reject } of batch) {
      if (!put) this.owe({ draft, at });
      reject(fault);
    }
    this.rotationFailed = true;
    for (const { reject } of this.rotations.splice(0)) reject(fault);
    return fault;
  }

  /** What has happened must be told before anything else is done; what was only wanted need not be. */
  private owe(entry: Entry): void {
    const { kind } = entry.draft;
    if (kind === 'intent' || kind === 'ask') return;
    if (kind === 'call' && this.owed.length >= MOST_OWED) return;
    this.owed.push(entry);
  }

  private setTimers(): void {
    if (this.ended) return;
    if (this.writer.unnamed > 0) this.groupTimer ??= this.timer(this.limits.groupMs, 'sync');
    else this.groupTimer = void clearTimeout(this.groupTimer);
    clearTimeout(this.checkpointTimer);
    this.checkpointTimer =
      this.writer.sinceCheckpoint > 0 ? this.timer(this.limits.checkpointMs, 'checkpoint') : undefined;
  }

  private timer(ms: number, what: 'sync' | 'checkpoint'): NodeJS.Timeout {
    const timer = setTimeout(() => {
      if (what === 'sync') this.groupTimer = undefined;
      this.wanted[what] = true;
      this.drainLater();
    }, ms);
    // A process that has nothing else to do may end; the log is whole without it.
    timer.unref();
    return timer;
  }
}

const over = (): Error => unavailable('The log is closed.', 'Start the desktop again: deskproof desktop start');
