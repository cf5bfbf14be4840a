import { writeFileSync } from 'node:fs';
import { readLog, verifyDesktop, type AuditRecord, type LedgerPlaces } from '../../audit/index.js';
import { DesktopError } from '../../shared/index.js';
import { traceHtml, traceOf } from '../../replay/index.js';
import type { AuditCheck } from './audit-log.js';

/** A page of more is no pleasure to open; the page says that there were more. */
const MOST_ON_A_PAGE = 5_000;

export function recordsAt({ logs }: LedgerPlaces): AuditRecord[] {
  return [...readLog(logs)].flatMap(({ record }) => (record ? [record] : []));
}

export function checkLog(places: LedgerPlaces): AuditCheck {
  const { ok, verdict } = verifyDesktop(places);
  return { ok, verdict };
}

/** Readable by its owner alone. */
export function writePage(places: LedgerPlaces, file: string): void {
  const checked = verifyDesktop(places);
  const trace = traceOf(readLog(places.logs), { last: MOST_ON_A_PAGE, unsigned: checked.unsigned });
  const page = traceHtml(trace, { checked });
  try {
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const there = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new DesktopError('command_failed', `${file} ${there ? 'is there already' : 'cannot be written'}.`, {
      hint: 'Choose another place.',
      cause: error,
    });
  }
}
