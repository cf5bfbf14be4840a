import { DesktopError } from '../shared/index.js';
import { logsDirectory, type LedgerPlaces } from './locations.js';
import { firstLineOf } from './read/read-log.js';
import { pointerPath, readHeadText } from './write/ledger-state.js';

const SOFTWARE = /^deskwright\//;
const HEAD = /^deskwright-ledger\//;

interface Log {
  logs: string;
  segments: readonly number[];
  /** Where its head is, if it has one. */
  state?: string | undefined;
  ledger?: string | undefined;
}

/** Whether a log was written by this program under its earlier name. Its signatures have another format. */
function isOfEarlierName({ logs, segments, state, ledger }: Log): boolean {
  if (state !== undefined && ledger !== undefined && HEAD.test(readHeadText(state, ledger) ?? '')) return true;
  return segments.some((segment) => SOFTWARE.test(String(firstLineOf(logs, segment)?.software)));
}

/** `places`: of the desktop that the log belongs to, if it is known. */
export function refuseEarlierName(log: Log, places?: LedgerPlaces): void {
  if (!isOfEarlierName(log)) return;
  const advice = places
    ? `Move it and ${pointerPath(places)} away; then a new log begins in ${places.logs}.`
    : `The logs of this program are in ${logsDirectory()}.`;
  throw new DesktopError(
    'audit_unavailable',
    `The log ${log.logs} belongs to an earlier name of this program. ${advice}`,
    { retry: 'no' },
  );
}
