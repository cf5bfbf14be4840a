export { FileLedger } from './write/file-ledger.js';
export { EvidenceLedger } from './evidence/evidence-ledger.js';
export { openEvidence } from './evidence/open-evidence.js';
export type { OpenedEvidence } from './evidence/open-evidence.js';
export {
  type CallNote,
  type ActOutcome,
  type Intent,
  type Ledger,
  type Note,
  MemoryLedger,
  snapshotHash,
  type Redactor,
} from './ledger.js';
export { newLedger, openLedger } from './write/open-ledger.js';
export { currentLog, ledgerPlaces, segmentOf } from './locations.js';
export type { LedgerPlaces } from './locations.js';
export type { AuditRecord, Content, Kind, RecordOf } from './record.js';
export { ledgerKeys } from './write/ledger-state.js';
export type { LedgerKeys } from './write/ledger-state.js';
export { ConfirmedPolicy } from './write/confirmed-policy.js';
export { desktopsWithLog, hasLog, writerOfLog } from './read/list-logs.js';
export { followLog, readLast, readLog } from './read/read-log.js';
export type { ReadLine } from './read/read-log.js';
export { readLineText, recordText } from './read/format-record.js';
export { verificationLines, verifyDesktop, verifyLog } from './verify/verify.js';
export type { Verification, VerifyOptions } from './verify/verify.js';
