import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readTrust, type Trust } from './ledger-state.js';
import { segmentPath, segmentsIn } from '../locations.js';

/** How the ledger before another was found when that one was begun. */
export type Earlier = NonNullable<Trust['earlier']>;

/** What verifying said of a ledger. */
export interface Said {
  ok: boolean;
  verdict: string;
  /** Of one before it: what was wrong with that when it was given up, and still is. */
  earlierFault?: string;
}

/** Number and bytes of each file, so that none can be changed, moved or missing. */
export function hashOfFiles(logs: string, segments: readonly number[]): string {
  const hash = createHash('sha256');
  for (const segment of segments) {
    const bytes = readFileSync(segmentPath(logs, segment));
    hash.update(`${segment} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** To be kept with the ledger that is begun after it. */
export const foundNow = (logs: string, segments: readonly number[], { ok, verdict }: Said): Earlier => ({
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
 * Whether the ledger before another is what it was when that one was begun. One that was broken then may stay so: it is
 * why the other was begun.
 */
export function judgeEarlier(logs: string, segments: readonly number[], trust: Trust, now: Said): Said {
  const then = trust.earlier;
  const which = `the log before it, up to segment ${trust.segment - 1},`;
  const untouched = then !== undefined && then.files === hashOfFiles(logs, segments);
  if (untouched && then.verdict !== 'ok') {
    const verdict = `${which} is as it was when this one was begun: ${then.verdict}`;
    return { ok: true, verdict, earlierFault: verdict };
  }
  const { earlierFault } = now;
  if (now.ok && (untouched || !then)) {
    return { ok: true, verdict: `${which} is whole`, ...(earlierFault !== undefined && { earlierFault }) };
  }
  return { ok: false, verdict: `${which} is not what it was when this one was begun: ${now.verdict}` };
}
