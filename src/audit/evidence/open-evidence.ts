import { DesktopError } from '../../shared/index.js';
import { unavailable } from '../errors.js';
import type { SnapshotContent } from '../ledger.js';
import { type ReadLine, readLog } from '../read/read-log.js';
import type { RecordOf } from '../record.js';
import { type BlobFault, type BlobId, openBlob, type Side } from './blob.js';
import { blobsIn, readBlob } from './blob-store.js';
import { evidenceKeyPath, loadEvidenceKey } from './blob-store.js';
import { type BlobNote, readStoredText } from './snapshot-content.js';

interface EvidenceQuery {
  /** Directory of the log. */
  logs: string;
  /** Where the keys are. */
  state: string;
  /** The lines in which the act is searched: all of the log, or those of one file. */
  lines: Iterable<ReadLine>;
  /** Number of an intent, or of its outcome. */
  seq: number;
  /** For the number of an intent: the snapshot after the act. */
  after?: boolean;
}

/** A stored snapshot whose text has the hash that its record names. Whether the log is intact is not checked here. */
export interface OpenedEvidence {
  /** Number of the intent. */
  seq: number;
  side: Side;
  at: string;
  tool: string;
  hash: string;
  /** Secrets or masked text were removed before it was stored. */
  redacted: boolean;
  content: SnapshotContent;
}

interface Found {
  intent: RecordOf<'intent'>;
  side: Side;
  /** Hash of the complete snapshot. */
  snapshot: string | undefined;
  blob: BlobNote | undefined;
}

const LIST = 'Run deskproof audit show to see which records have evidence.';

/** Opens one snapshot and compares it with its record. Every failure is one sentence and what to do. */
export function openEvidence(query: EvidenceQuery): OpenedEvidence {
  const { logs, state } = query;
  const { intent, side, snapshot, blob } = find(query);
  const what = `the snapshot ${side} record ${intent.seq}`;
  if (blob?.hash === undefined) throw nothingStored(what, blob);
  const id: BlobId = { ledger: intent.ledger, seq: intent.seq, side };
  const bytes = readBlob(logs, id);
  if (!bytes) throw gone(what, logs, intent);
  const key = loadEvidenceKey(state, intent.ledger);
  if (!key) {
    throw unavailable(
      `The key for ${what} is missing.`,
      `Restore ${evidenceKeyPath(state, intent.ledger)} from a backup. Without it the snapshot cannot be opened.`,
    );
  }
  const opened = openBlob(bytes, id, key);
  key.fill(0);
  if (typeof opened === 'string') throw FAULTS[opened](what);
  const content = readStoredText(opened, blob.hash);
  if (!content) throw FAULTS.changed(what);
  return {
    ...{ seq: intent.seq, side, at: intent.at, tool: intent.tool, hash: blob.hash },
    ...{ redacted: blob.hash !== snapshot, content },
  };
}

/** The last ledger in a directory counts: an earlier one, which it replaced, has the same numbers. */
function find({ lines, seq, after }: EvidenceQuery): Found {
  const records = [...lines].flatMap(({ record }) => record ?? []);
  const named = records.findLast((record) => record.seq === seq);
  if (!named) throw new DesktopError('bad_arguments', `The log has no record ${seq}.`, { hint: LIST });
  const number = named.kind === 'outcome' ? named.of : seq;
  const own = records.filter((record) => record.ledger === named.ledger);
  const intent = own.find((record) => record.kind === 'intent' && record.seq === number) as Found['intent'] | undefined;
  if (!intent) {
    const what = named.kind === 'outcome' ? 'the outcome of an act that is not in this log' : `of kind ${named.kind}`;
    throw new DesktopError('bad_arguments', `Record ${seq} is ${what}. Only acts have evidence.`, { hint: LIST });
  }
  const { snapshot, blob } = intent.evidence ?? {};
  if (!after && named.kind === 'intent') return { intent, side: 'before', snapshot, blob };
  const outcome = own.find((record) => record.kind === 'outcome' && record.of === number) as
    RecordOf<'outcome'> | undefined;
  if (!outcome) {
    throw new DesktopError('command_failed', `The log has no outcome of record ${number}.`, {
      hint: 'The act is still running, or its host was killed. Without an outcome there is nothing to compare with.',
    });
  }
  return { intent, side: 'after', snapshot: outcome.after, blob: outcome.blob };
}

const REASONS: Readonly<Record<NonNullable<BlobNote['omitted']>, string>> = {
  'too large': 'it was too large',
  hidden: 'policy hid one of its windows at that moment',
  'not written': 'the disk did not accept it',
};

function nothingStored(what: string, blob: BlobNote | undefined): DesktopError {
  const why = blob?.omitted === undefined ? '' : `: ${REASONS[blob.omitted]}`;
  return new DesktopError('command_failed', `${capital(what)} was not stored${why}.`, {
    hint:
      why === ''
        ? 'Snapshots are stored with audit.evidence: blobs in your policy, and not after an act with a secret.'
        : LIST,
  });
}

/** Retention writes to the log before it deletes. It also covers the blobs of an earlier ledger in the directory. */
function gone(what: string, logs: string, { at }: RecordOf<'intent'>): DesktopError {
  for (const { record } of readLog(logs)) {
    if (record?.kind !== 'retention' || record.before <= at) continue;
    return new DesktopError(
      'command_failed',
      `${capital(what)} was deleted on ${record.at.slice(0, 10)}, when it was older than audit.keepDays.`,
      { hint: 'Its hash is still in the log. To keep snapshots longer, raise audit.keepDays in your policy.' },
    );
  }
  return unavailable(
    `${capital(what)} is missing: its file is not in the directory of the log.`,
    'Deskproof did not delete it. Restore the folder "evidence" of the log from a backup.',
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const FAULTS: Readonly<Record<BlobFault, (what: string) => DesktopError>> = {
  'not a blob': (what) => damaged(`The file of ${what} is not a stored snapshot.`),
  changed: (what) => damaged(`${capital(what)} was changed after it was stored.`),
  'another record': (what) => damaged(`The file of ${what} belongs to another record.`),
  'another key': (what) =>
    unavailable(
      `${capital(what)} was encrypted with another key.`,
      'Restore the file evidence.key of this log from a backup.',
    ),
  'newer version': (what) =>
    new DesktopError('not_supported', `${capital(what)} was stored by a newer Deskproof.`, {
      hint: 'Open it with that version: npm install -g deskproof@latest',
    }),
};

const damaged = (message: string): DesktopError =>
  unavailable(message, 'Do not trust it. Run deskproof audit verify to check the log itself.');

/** For `verify`: how many of the stored snapshots are still there, deleted by retention, or gone without a reason. */
export function countEvidence(logs: string, ledger: string): { present: number; expired: number; missing: number } {
  const files = new Set(blobsIn(logs).map(({ id }) => `${id.ledger} ${id.seq} ${id.side}`));
  const stored: { at: string; name: string }[] = [];
  const startedAt = new Map<number, string>();
  let deletedBefore = '';
  for (const { record } of readLog(logs)) {
    if (record?.kind === 'retention' && record.before > deletedBefore) deletedBefore = record.before;
    if (record?.ledger !== ledger) continue;
    if (record.kind === 'intent' && record.evidence?.snapshot !== undefined) {
      startedAt.set(record.seq, record.at);
      if (record.evidence.blob?.hash) stored.push({ at: record.at, name: `${ledger} ${record.seq} before` });
    }
    if (record.kind === 'outcome' && record.blob?.hash)
      stored.push({ at: startedAt.get(record.of) ?? record.at, name: `${ledger} ${record.of} after` });
  }
  const gone = stored.filter(({ name }) => !files.has(name));
  const expired = gone.filter(({ at }) => at < deletedBefore).length;
  return { present: stored.length - gone.length, expired, missing: gone.length - expired };
}
