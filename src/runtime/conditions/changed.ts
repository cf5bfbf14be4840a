import type { Element } from '../../tree/index.js';
import { ambiguous } from '../selector-target.js';
import type { Kind } from './condition.js';
import { stateDigest, treeDigest } from './digest.js';
import { doubtOf } from './doubt.js';
import type { Difference } from './judgement.js';
import { nearestTo } from './nearest.js';
import { readSelector } from './read-parts.js';
import { secretAnswer } from './secret.js';
import { seenElement } from './seen-element.js';

interface Version {
  name: string;
  value: string;
  states: string;
  children: string;
}

export const changed: Kind = {
  form: '{"changed": "#total"}',
  read(given) {
    const written = readSelector(given, 'changed', this.form);
    const key = {};
    return {
      selectors: [written],
      overTime: ['changed'],
      async judge(moment) {
        const looked = await moment.search(written.selector);
        const [match, ...others] = looked.matches;
        if (others.length > 0) throw ambiguous(written, looked);
        const seen = { condition: 'changed', matches: match ? 1 : 0, ...(match && { element: seenElement(match) }) };
        const doubt = match ? doubtOf(looked, new Set([match.window.ref])) : doubtOf(looked);
        if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
        const now = match ? versionOf(match.element) : null;
        const before = moment.start.first<Version | null>(key, now);
        if (before === undefined) {
          return { answer: 'unknown', reason: 'It could not be read before the act.', seen };
        }
        const differs = differences(before, now);
        if (differs.length > 0) return { answer: 'satisfied', seen: { ...seen, differs } };
        if (match?.element.states.secret) return { ...secretAnswer('changed', match.element), seen };
        return { answer: 'unsatisfied', seen, ...(!match && { nearest: nearestTo(written, looked, moment) }) };
      },
    };
  },
};

function versionOf({ name = '', value = '', states, children }: Element): Version {
  return { name, value: `${typeof value} ${value}`, states: stateDigest(states), children: treeDigest(children) };
}

function differences(before: Version | null, now: Version | null): Difference[] {
  if (!before || !now) return before === now ? [] : [now ? 'appeared' : 'gone'];
  return (['name', 'value', 'states', 'children'] as const).filter((part) => before[part] !== now[part]);
}
