import {
  readList,
  readSelector,
  readWhole,
  conditionInputError,
  type Answer,
  type ConditionResult,
  type Kind,
  notThereBefore,
} from './condition.js';
import { incompleteReason, type SearchResult, type PollContext } from './evaluate.js';
import { nearestTo, noMatch, seenElement } from './match-element.js';

export const exists: Kind = {
  form: '{"exists": "button:Save"}, or the selector alone',
  read(given) {
    const written = readSelector(given, 'exists', this.form);
    return {
      selectors: [written],
      async evaluate(moment) {
        const result = await moment.search(written.selector);
        const [first] = result.matches;
        if (!first) return noMatch('exists', written, result, moment);
        const seen = { condition: 'exists', matches: result.matches.length, element: seenElement(first) };
        return { answer: 'satisfied', seen };
      },
    };
  },
};

/** The windows in which it was seen. */
type Places = ReadonlySet<string>;

export const gone: Kind = {
  form: '{"gone": "dialog:Saving"}',
  read(given) {
    const written = readSelector(given, 'gone', this.form);
    const key = {};
    return {
      selectors: [written],
      async evaluate(moment) {
        const result = await moment.search(written.selector);
        const there = result.matches.length > 0;
        const places = moment.start.trace<Places>(
          key,
          (before) => new Set([...(before ?? []), ...result.matches.map(({ window }) => window.ref)]),
        );
        const before = moment.start.first(key, there);
        if (!there) return notThere(result, moment, places, before === true);
        const seen = { condition: 'gone', matches: result.matches.length, element: seenElement(result.matches[0]!) };
        return { answer: 'unsatisfied', seen };
      },
    };
  },
};

function notThere(result: SearchResult, { start }: PollContext, places: Places, before: boolean): ConditionResult {
  const seenBefore = start.of === 'act' ? before : places.size > 0;
  const seen = { condition: 'gone', matches: 0, seenBefore };
  const doubt = incompleteReason(result, places);
  if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
  if (start.of === 'act' && !before) return notThereBefore(seen);
  return { answer: 'satisfied', seen };
}

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
      async evaluate(moment) {
        const result = await moment.search(written.selector);
        const [match] = result.matches;
        const found = result.matches.length;
        const doubt = incompleteReason(result);
        const answer = answerFor(found, least, most, doubt !== undefined);
        return {
          answer,
          seen: { condition: 'count', matches: found, ...(match && { element: seenElement(match) }) },
          ...(answer === 'unknown' && { reason: doubt }),
          ...(answer === 'unsatisfied' && result.absent !== undefined && { reason: result.absent }),
          ...(answer === 'unsatisfied' && found === 0 && { nearest: nearestTo(written, result, moment) }),
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
  if (least > most) throw conditionInputError(`count has ${least} as its least and ${most} as its most.`, FORM);
  return [least, most];
}

/** If something could not be read, there may be more matches, never fewer. */
function answerFor(found: number, least: number, most: number, doubt: boolean): Answer {
  if (found > most) return 'unsatisfied';
  if (doubt && !(found >= least && most === Infinity)) return 'unknown';
  return found >= least ? 'satisfied' : 'unsatisfied';
}
