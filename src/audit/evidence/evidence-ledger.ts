import { debug, DesktopError } from '../../shared/index.js';
import { diskFault } from '../errors.js';
import type { ActOutcome, CallNote, Intent, Ledger, Note, Redactor } from '../ledger.js';
import type { LedgerPlaces } from '../locations.js';
import type { FileLedger } from '../write/file-ledger.js';
import { type BlobDisk, BlobStore, deleteBlobs, expiredBlobs } from './blob-store.js';
import { prepareBlob } from './snapshot-content.js';

/** As in a policy. */
interface EvidenceSettings {
  evidence: 'hashes' | 'blobs';
  keepDays: number;
}

interface EvidenceOptions extends EvidenceSettings {
  places: LedgerPlaces;
  redactor: Redactor;
  now?: () => number;
  disk?: BlobDisk;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * The log together with the encrypted snapshots of its acts, if the policy asks for them. An act whose snapshot cannot
 * be stored is refused before it is performed.
 */
export class EvidenceLedger implements Ledger {
  private settings: EvidenceSettings;
  private readonly store: BlobStore;
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: FileLedger,
    private readonly options: EvidenceOptions,
  ) {
    this.settings = options;
    this.store = new BlobStore(options.places, log.id, options.disk);
    this.now = options.now ?? Date.now;
  }

  /** After the policy was read again. */
  use(settings: EvidenceSettings): void {
    this.settings = settings;
  }

  async intent(intent: Intent): Promise<number> {
    const { evidence, seen } = intent;
    if (this.settings.evidence === 'hashes' || evidence?.snapshot === undefined) return this.log.intent(intent);
    const began = performance.now();
    const { note, bytes } = await prepareBlob(seen, this.options.redactor, 'intent');
    // The record comes first: its number is part of the blob.
    const seq = await this.log.intent({ ...intent, evidence: { ...evidence, blob: note } });
    try {
      if (bytes) await this.store.write({ seq, side: 'before' }, bytes);
    } catch (error) {
      const durationMs = performance.now() - began;
      await this.log.outcome(seq, { status: 'failed', delivered: 'no', error: 'audit_unavailable', durationMs });
      throw notStored('before', error);
    }
    return seq;
  }

  async outcome(of: number, ending: ActOutcome): Promise<void> {
    if (this.settings.evidence === 'hashes' || ending.after === undefined) return this.log.outcome(of, ending);
    const { note, bytes } = await prepareBlob(ending.seen, this.options.redactor, 'outcome');
    let fault: Error | undefined;
    try {
      if (bytes) await this.store.write({ seq: of, side: 'after' }, bytes);
    } catch (error) {
      fault = notStored('after', error);
    }
    // The act is over, so its outcome is written in any case.
    await this.log.outcome(of, { ...ending, blob: fault ? { omitted: 'not written' } : note });
    if (fault) throw fault;
  }

  call(call: CallNote): Promise<void> {
    return this.log.call(call);
  }

  note(note: Note): Promise<number> {
    return this.log.note(note);
  }

  /** Deletes expired blobs now and then once a day. */
  async startRetention(): Promise<void> {
    this.timer ??= setInterval(() => void this.deleteExpired(), DAY_MS);
    // A process without other work may end.
    this.timer.unref();
    await this.deleteExpired();
  }

  /**
   * The log records it first, so a blob that is gone without such a record was removed by another program. A failure
   * stops no act; the next run tries again.
   */
  async deleteExpired(): Promise<void> {
    const { logs } = this.options.places;
    try {
      const { before, paths } = expiredBlobs(logs, this.settings.keepDays, this.now());
      if (paths.length === 0 || !this.log.mayWrite) return;
      await this.log.note({ kind: 'retention', before, deleted: paths.length });
      if (this.log.mayWrite) deleteBlobs(paths);
    } catch (error) {
      debug('audit', () => `retention: ${String(error)}`);
    }
  }

  /** The log itself stays open. */
  end(): void {
    clearInterval(this.timer);
    this.store.end();
  }
}

function notStored(side: 'before' | 'after', error: unknown): DesktopError {
  return diskFault(
    `The snapshot ${side} the act could not be stored, which audit.evidence in the policy asks for`,
    error,
  );
}
