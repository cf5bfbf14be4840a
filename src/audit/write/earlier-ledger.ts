import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readTrust, type Trust } from './ledger-state.js';
import { segmentPath, segmentsIn } from '../locations.js';

/** The state in which the previous ledger was found when its successor was started. */
export type EarlierState = NonNullable<Trust['earlier']>;

/** The result of verifying a ledger. */
export interface Verdict {
  ok: boolean;
  verdict: string;
  /** About the previous ledger: its fault when it was given up, which is still there. */
  earlierFault?: string;
}

/** Covers the number and the bytes of each file, so that none can be changed, moved or removed. */
function hashOfFiles(logs: string, segments: readonly number[]): string {
  const hash = createHash('sha256');
  for (const segment of segments) {
    const bytes = readFileSync(segmentPath(logs, segment));
    hash.update(`${segment} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Stored with the ledger that follows. */
export const currentState = (logs: string, segments: readonly number[], { ok, verdict }: Verdict): EarlierState => ({
  verdict: ok ? 'ok' : verdict,
  files: hashOfFiles(logs, segments),
});

/** The files of the ledger before the one of `trust`. */
export function segmentsBefore(logs: string, state: string, { after, segment }: Trust): number[] {
  const old = after && readTrust(state, after.ledger);
  const first = typeof old === 'object' ? old.segment : 1;
  return segmentsIn(logs).filter((one) => one >= first && one < segment);
}

/**
 * Checks that the previous ledger is unchanged since its successor was started. One that was broken then may stay
 * broken: that is why the successor was started.
 */
export function checkEarlier(logs: string, segments: readonly number[], trust: Trust, now: Verdict): Verdict {
  const then = trust.earlier;
  const which = `the log before it, up to segment ${trust.segment - 1},`;
  const untouched = then !== undefined && then.files === hashOfFiles(logs, segments);
  if (untouched && then.verdict !== 'ok') {
    const verdict = `${which} is unchanged since this one was started: ${then.verdict}`;
    return { ok: true, verdict, earlierFault: verdict };
  }
  const { earlierFault } = now;
  if (now.ok && (untouched || !then)) {
    return { ok: true, verdict: `${which} is intact`, ...(earlierFault !== undefined && { earlierFault }) };
  }
  return { ok: false, verdict: `${which} was changed after this one was started: ${now.verdict}` };
}
