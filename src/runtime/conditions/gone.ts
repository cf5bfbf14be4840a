import type { Kind } from './condition.js';
import { doubtOf } from './doubt.js';
import { notThereBefore, type Judgement } from './judgement.js';
import type { Looked, Moment } from './moment.js';
import { readSelector } from './read-parts.js';
import { seenElement } from './seen-element.js';

/** The windows in which it was seen. */
type Places = ReadonlySet<string>;

export const gone: Kind = {
  form: '{"gone": "dialog:Saving"}',
  read(given) {
    const written = readSelector(given, 'gone', this.form);
    const key = {};
    return {
      selectors: [written],
      async judge(moment) {
        const looked = await moment.search(written.selector);
        const there = looked.matches.length > 0;
        const places = moment.start.trace<Places>(
          key,
          (before) => new Set([...(before ?? []), ...looked.matches.map(({ window }) => window.ref)]),
        );
        const before = moment.start.first(key, there);
        if (!there) return notThere(looked, moment, places, before === true);
        const seen = { condition: 'gone', matches: looked.matches.length, element: seenElement(looked.matches[0]!) };
        return { answer: 'unsatisfied', seen };
      },
    };
  },
};

function notThere(looked: Looked, { start }: Moment, places: Places, before: boolean): Judgement {
  const seenBefore = start.of === 'act' ? before : places.size > 0;
  const seen = { condition: 'gone', matches: 0, seenBefore };
  const doubt = doubtOf(looked, places);
  if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
  if (start.of === 'act' && !before) return notThereBefore(seen);
  return { answer: 'satisfied', seen };
}
