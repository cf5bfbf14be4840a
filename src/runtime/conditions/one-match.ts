import type { Match } from '../../selector/index.js';
import { ambiguous } from '../selector-target.js';
import type { Written } from './condition.js';
import { doubtOf } from './doubt.js';
import type { Judgement } from './judgement.js';
import type { Looked, Moment } from './moment.js';
import { nearestTo } from './nearest.js';
import { seenElement } from './seen-element.js';

/**
 * For conditions on one element: judged by `then` when exactly one fits. Nothing there does not hold; several are
 * refused with candidates, since any of them could be meant.
 */
export async function judgeOne(
  condition: string,
  written: Written,
  moment: Moment,
  then: (match: Match, looked: Looked) => Judgement | Promise<Judgement>,
  options: { full?: boolean } = {},
): Promise<Judgement> {
  const looked = await moment.search(written.selector, options);
  const [match, ...others] = looked.matches;
  if (others.length > 0) throw ambiguous(written, looked);
  if (match) {
    const { seen, ...rest } = await then(match, looked);
    return { ...rest, seen: { ...seen, matches: 1, element: seenElement(match) } };
  }
  return noMatch(condition, written, looked, moment);
}

export function noMatch(condition: string, written: Written, looked: Looked, moment: Moment): Judgement {
  const seen = { condition, matches: 0 };
  const doubt = doubtOf(looked);
  if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
  const reason = looked.absent !== undefined && { reason: looked.absent };
  return { answer: 'unsatisfied', seen, ...reason, nearest: nearestTo(written, looked, moment) };
}
