import { isStateKey, keyNamed, KEYS, statePredicate, type Selector, type StateKey } from '../../selector/index.js';
import { didYouMean } from '../../shared/index.js';
import type { Kind } from './condition.js';
import { judgeOne } from './one-match.js';
import { readList, readSelector } from './read-parts.js';
import { givenWord, wrongShape } from './wrong-shape.js';

const STATE_FORM = '{"state": ["checkbox:Wrap", "checked", true]}';
const STATES = KEYS.filter(isStateKey);

export const state: Kind = {
  form: STATE_FORM,
  read(given) {
    const [first, named, wanted = true] = readList(given, 'state', STATE_FORM, 2, 3);
    const written = readSelector(first, 'state', STATE_FORM);
    const key = readStateKey(named);
    const value = readValue(wanted, key);
    // What does not show is asked about only here: everywhere else it is as good as not there.
    const hidden = key === 'visible' || key === 'offscreen';
    const asked = hidden ? { ...written, selector: alsoHidden(written.selector) } : written;
    return {
      selectors: [written],
      judge: (moment) =>
        judgeOne(
          'state',
          asked,
          moment,
          ({ element }) => {
            const is = statePredicate(key).state(element);
            return {
              answer: is === value ? 'satisfied' : 'unsatisfied',
              seen: { condition: 'state', state: { name: key, is: is ?? null } },
            };
          },
          { full: hidden },
        ),
    };
  },
};

function readStateKey(given: unknown): StateKey {
  const key = typeof given === 'string' ? keyNamed(given.trim()) : undefined;
  if (key && isStateKey(key)) return key;
  const guess = typeof given === 'string' ? didYouMean(given, STATES) : undefined;
  const list = guess ? `Did you mean ${guess}?` : `The states are ${STATES.join(', ')}.`;
  throw wrongShape(`There is no state ${givenWord(given)}.`, STATE_FORM, list);
}

function readValue(given: unknown, key: StateKey): boolean | 'mixed' {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : String(given);
  const value = word === 'true' ? true : word === 'false' ? false : word;
  const found = statePredicate(key).values.find((one) => one === value);
  if (found !== undefined) return found;
  throw wrongShape(`${key} is ${statePredicate(key).values.join(', ')}, not ${givenWord(given)}.`, STATE_FORM);
}

/** Hidden elements fit only a step that speaks of `visible`. */
function alsoHidden({ alternatives }: Selector): Selector {
  const either = {
    kind: 'or' as const,
    terms: [true, false].map((value) => ({ kind: 'state' as const, key: 'visible' as const, op: '=' as const, value })),
  };
  return {
    alternatives: alternatives.map(({ steps }) => {
      const last = steps.findLastIndex((step) => step.kind === 'match');
      return {
        steps: steps.map((step, at) => {
          if (at !== last || step.kind !== 'match') return step;
          return { ...step, term: { kind: 'and' as const, terms: [step.term, either] } };
        }),
      };
    }),
  };
}
