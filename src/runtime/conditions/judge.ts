import { DesktopError, type ErrorCode } from '../../shared/index.js';
import type { Candidate } from '../candidate.js';
import type { Condition } from './condition.js';
import type { Judgement } from './judgement.js';
import type { Moment } from './moment.js';

/** No further look can mend these, so they end the wait at once. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'bad_arguments',
  'selector_syntax',
  'not_supported',
  'permission_missing',
  'policy_denied',
  'cancelled',
]);

/** A look that failed says nothing, neither yes nor no. */
export async function judge(condition: Condition, moment: Moment): Promise<Judgement> {
  try {
    return await condition.judge(moment);
  } catch (error) {
    if (!(error instanceof DesktopError) || FINAL.has(error.code)) throw error;
    const candidates = error.details?.candidates as Candidate[] | undefined;
    const matches = error.details?.matches as number | undefined;
    return {
      answer: 'unknown',
      reason: error.message,
      seen: { condition: condition.key, ...(matches !== undefined && { matches }) },
      ...(candidates && { candidates }),
    };
  }
}
