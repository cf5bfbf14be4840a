import type { Kind } from './condition.js';
import { doubtOf } from './doubt.js';
import type { Answer } from './judgement.js';
import { nearestTo } from './nearest.js';
import { readList, readSelector, readWhole } from './read-parts.js';
import { seenElement } from './seen-element.js';
import { wrongShape } from './wrong-shape.js';

const FORM = '{"count": ["role=row", 5]}, or [selector, least, most] with null for no bound';
const BOUNDS = [0, 100_000] as const;

export const count: Kind = {
  form: FORM,
  read(given) {
    const [first, ...numbers] = readList(given, 'count', FORM, 2, 3);
    const written = readSelector(first, 'count', FORM);
    const [least, most] = readBounds(numbers);
    return {
      selectors: [written],
      async judge(moment) {
        const looked = await moment.search(written.selector);
        const [match] = looked.matches;
        const found = looked.matches.length;
        const doubt = doubtOf(looked);
        const answer = answerFor(found, least, most, doubt !== undefined);
        return {
          answer,
          seen: { condition: 'count', matches: found, ...(match && { element: seenElement(match) }) },
          ...(answer === 'unknown' && { reason: doubt }),
          ...(answer === 'unsatisfied' && looked.absent !== undefined && { reason: looked.absent }),
          ...(answer === 'unsatisfied' && found === 0 && { nearest: nearestTo(written, looked, moment) }),
        };
      },
    };
  },
};

function readBounds(numbers: readonly unknown[]): [least: number, most: number] {
  const [least, most] = numbers.map((one, at) => {
    if (one === null && numbers.length === 2) return at === 0 ? 0 : Infinity;
    return readWhole(one, 'count', FORM, BOUNDS);
  }) as [number, number?];
  if (most === undefined) return [least, least];
  if (least > most) throw wrongShape(`count has ${least} as its least and ${most} as its most.`, FORM);
  return [least, most];
}

/** Where something could not be read there may be more, never fewer. */
function answerFor(found: number, least: number, most: number, doubt: boolean): Answer {
  if (found > most) return 'unsatisfied';
  if (doubt && !(found >= least && most === Infinity)) return 'unknown';
  return found >= least ? 'satisfied' : 'unsatisfied';
}
