import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EvidenceLedger } from '../../src/audit/evidence/evidence-ledger.js';
import { blobDirectory, type BlobDisk } from '../../src/audit/evidence/blob-store.js';
import { evidenceKeyPath } from '../../src/audit/evidence/blob-store.js';
import { openEvidence, type OpenedEvidence } from '../../src/audit/evidence/open-evidence.js';
import {
  type ActOutcome,
  type Intent,
  type SnapshotContent,
  snapshotHash,
  NO_REDACTION,
  type Redactor,
} from '../../src/audit/ledger.js';
import { ledgerPlaces, type LedgerPlaces } from '../../src/audit/locations.js';
import { readLog } from '../../src/audit/read/read-log.js';
import type { AuditRecord, RecordOf } from '../../src/audit/record.js';
import type { FileLedger } from '../../src/audit/write/file-ledger.js';
import { openLedger } from '../../src/audit/write/open-ledger.js';

export const NOW = Date.parse('2026-11-15T10:30:45.000Z');

interface Start {
  redactor?: Redactor;
  evidence?: 'hashes' | 'blobs';
  disk?: BlobDisk;
}

const element = (ref: string, role: string, children: object[], more: object): object => ({
  ...{ ref, id: ref, role, states: { enabled: true, visible: true }, patterns: [], platformIds: {}, children },
  ...more,
});

/** A snapshot of one window with one label. */
export const content = (text: string): SnapshotContent => ({
  windows: [{ id: '0x1', title: 'Desk' }],
  roots: [element('w1', 'window', [element('e1', 'label', [], { name: text, value: 7 })], { name: 'Desk' })],
});

/** Without `seen`, a window of the snapshot is hidden. */
export const clickOn = (seen?: SnapshotContent): Intent => ({
  ...{ tool: 'ui_click', caller: 'cli', rule: 'private/all' },
  evidence: { snapshot: snapshotHash(seen ?? content('hidden')) },
  ...(seen && { seen }),
});

export const done = (seen?: SnapshotContent): ActOutcome => ({
  ...{ status: 'ok', delivered: 'yes', durationMs: 12 },
  ...(seen && { after: snapshotHash(seen), seen }),
});

/** A log on the disk that stores snapshots, at a fixed time. */
export class EvidenceLog {
  readonly root = mkdtempSync(join(tmpdir(), 'dp-evidence-'));
  readonly places: LedgerPlaces = ledgerPlaces('desk', { HOME: this.root });
  now = NOW;
  log!: FileLedger;
  ledger!: EvidenceLedger;

  /** Also after a restart of the host. */
  async start({ redactor = NO_REDACTION, evidence = 'blobs', disk }: Start = {}): Promise<void> {
    const { places } = this;
    await this.close();
    const now = (): number => this.now;
    this.log = await openLedger({ places, software: 'deskproof/test', redactor, now });
    this.ledger = new EvidenceLedger(this.log, {
      ...{ places, redactor, evidence, keepDays: 90, now },
      ...(disk && { disk }),
    });
  }

  async act(before = content('before'), after = content('after')): Promise<number> {
    const seq = await this.ledger.intent(clickOn(before));
    await this.ledger.outcome(seq, done(after));
    return seq;
  }

  open(seq: number, after = false): OpenedEvidence {
    return openEvidence({ ...this.places, lines: readLog(this.places.logs), seq, after });
  }

  get directory(): string {
    return blobDirectory(this.places.logs);
  }

  get keyFile(): string {
    return evidenceKeyPath(this.places.state, this.log.id);
  }

  get files(): string[] {
    return readdirSync(this.directory).sort();
  }

  fileOf(seq: number, side = 'before'): string {
    return join(this.directory, `${this.log.id}-${String(seq).padStart(6, '0')}-${side}.blob`);
  }

  get records(): AuditRecord[] {
    return [...readLog(this.places.logs)].map(({ record }) => record!);
  }

  last<K extends AuditRecord['kind']>(kind: K): RecordOf<K> {
    return this.records.findLast((record) => record.kind === kind) as unknown as RecordOf<K>;
  }

  private async close(): Promise<void> {
    this.ledger?.end();
    await this.log?.close();
  }

  async remove(): Promise<void> {
    await this.close().finally(() => rmSync(this.root, { recursive: true, force: true }));
  }
}
