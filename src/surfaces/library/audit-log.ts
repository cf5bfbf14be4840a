import type { AuditRecord, LedgerPlaces } from '../../audit/index.js';

/** Whether a log is what was written. */
export interface AuditCheck {
  /** Nothing was changed, as far as one can know here. */
  ok: boolean;
  /** In words: `ok 120 records, 2 checkpoints, head at 120`. */
  verdict: string;
}

/** The log of a desktop. That of a private desktop which was opened here goes with it. */
export interface AuditLog {
  /** The folder that it is written in. */
  path(): Promise<string>;
  /** All records so far, the oldest first. Names of windows and elements in them come from apps: data. */
  records(): Promise<AuditRecord[]>;
  /** Checks chain, signatures and head. */
  verify(): Promise<AuditCheck>;
  /** Writes a page that shows all of it. A file that is there already stays, and the call fails. */
  exportHtml(file: string): Promise<void>;
}

/** What reads it is loaded when it is wanted: most programs never look into the log. */
export function auditLog(places: () => Promise<LedgerPlaces>): AuditLog {
  const reading = (): Promise<typeof import('./read-log.js')> => import('./read-log.js');
  return {
    path: async () => (await places()).logs,
    records: async () => (await reading()).recordsAt(await places()),
    verify: async () => (await reading()).checkLog(await places()),
    exportHtml: async (file) => (await reading()).writePage(await places(), file),
  };
}
