import { writeFileSync } from 'node:fs';
import { readLog, verifyDesktop, type AuditRecord, type LedgerPlaces } from '../../audit/index.js';
import { DesktopError } from '../../shared/index.js';
import { traceHtml, traceOf } from '../../replay/index.js';
import type { AuditCheck } from './audit-log.js';

/** Larger pages are slow to open. The page states how many records were left out. */
const MAX_RECORDS_ON_PAGE = 5_000;

export function readRecords({ logs }: LedgerPlaces): AuditRecord[] {
  return [...readLog(logs)].flatMap(({ record }) => (record ? [record] : []));
}

export function checkLog(places: LedgerPlaces): AuditCheck {
  const { ok, verdict } = verifyDesktop(places);
  return { ok, verdict };
}

/** Only the owner can read the file. */
export function exportHtml(places: LedgerPlaces, file: string): void {
  const checked = verifyDesktop(places);
  const trace = traceOf(readLog(places.logs), { last: MAX_RECORDS_ON_PAGE, unsigned: checked.unsigned });
  const page = traceHtml(trace, { checked });
  try {
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new DesktopError('command_failed', `${file} ${exists ? 'already exists' : 'cannot be written'}.`, {
      hint: 'Choose another path.',
      cause: error,
    });
  }
}
