import {
  isStateKey,
  keyNamed,
  KEYS,
  type Match,
  type Selector,
  type StateKey,
  statePredicate,
} from '../../selector/index.js';
import { didYouMean } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import { givenWord, readList, readSelector, conditionInputError, type Kind, secretAnswer } from './condition.js';
import type { PollContext } from './evaluate.js';
import { evaluateOne } from './match-element.js';
import { isCutText, wholeText } from './text-condition.js';

const STATE_FORM = '{"state": ["checkbox:Wrap", "checked", true]}';
const STATES = KEYS.filter(isStateKey);

export const state: Kind = {
  form: STATE_FORM,
  read(given) {
    const [first, named, wanted = true] = readList(given, 'state', STATE_FORM, 2, 3);
    const written = readSelector(first, 'state', STATE_FORM);
    const key = readStateKey(named);
    const value = readValue(wanted, key);
    // Only this condition considers invisible elements. For all others they do not exist.
    const hidden = key === 'visible' || key === 'offscreen';
    const request = hidden ? { ...written, selector: alsoHidden(written.selector) } : written;
    return {
      selectors: [written],
      evaluate: (moment) =>
        evaluateOne(
          'state',
          request,
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
  throw conditionInputError(`There is no state ${givenWord(given)}.`, STATE_FORM, list);
}

function readValue(given: unknown, key: StateKey): boolean | 'mixed' {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : String(given);
  const value = word === 'true' ? true : word === 'false' ? false : word;
  const found = statePredicate(key).values.find((one) => one === value);
  if (found !== undefined) return found;
  throw conditionInputError(`${key} is ${statePredicate(key).values.join(', ')}, not ${givenWord(given)}.`, STATE_FORM);
}

/** Hidden elements match only a step that mentions `visible`. */
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

const VALUE_FORM = '{"value": ["textbox:Name", "Ada"]}';

export const value: Kind = {
  form: VALUE_FORM,
  read(given) {
    const [first, wanted] = readList(given, 'value', VALUE_FORM, 2, 2);
    const written = readSelector(first, 'value', VALUE_FORM);
    if (typeof wanted !== 'string' && typeof wanted !== 'number') {
      throw conditionInputError(`value takes a text or a number, not ${givenWord(wanted)}.`, VALUE_FORM);
    }
    return {
      selectors: [written],
      evaluate: (moment) =>
        evaluateOne('value', written, moment, async ({ element }) => {
          const seen = { condition: 'value' };
          if (element.states.secret) return secretAnswer('value', element);
          const is = await valueOf(element, moment);
          return { answer: is !== undefined && same(is, wanted) ? 'satisfied' : 'unsatisfied', seen };
        }),
    };
  },
};

async function valueOf(element: Element, moment: PollContext): Promise<string | number | undefined> {
  if (!isCutText(element.value)) return element.value;
  return (await wholeText(element, moment)) ?? element.value;
}

/** Compares texts exactly and numbers by value, so that 36 equals "36.0". */
function same(is: string | number, wanted: string | number): boolean {
  if (typeof wanted === 'string') return String(is) === wanted;
  return String(is).trim() !== '' && Number(is) === wanted;
}

export const focused: Kind = {
  form: '{"focused": "textbox:Name"}',
  read(given) {
    const written = readSelector(given, 'focused', this.form);
    return {
      selectors: [written],
      evaluate: (moment) =>
        evaluateOne('focused', written, moment, async (match) => {
          const answer = (await hasFocus(match, moment)) ? 'satisfied' : 'unsatisfied';
          return { answer, seen: { condition: 'focused' } };
        }),
    };
  },
};

/**
 * An app keeps a focus in each of its windows, but the desktop has only one. So the driver is asked for it. Only if the
 * driver cannot answer, the `focused` state in the tree of the active window counts.
 */
async function hasFocus({ element, window }: Match, { desktop, call }: PollContext): Promise<boolean> {
  const { driver } = desktop;
  if (!driver.focused) return window.active && holdsFocus(element);
  const found = await driver.focused(call);
  if (!found || found.window !== window.id) return false;
  const last = found.path.at(-1)!;
  return found.path.some(({ id }) => id === element.id) || element.ref === window.ref || holds(element, last.id);
}

function holdsFocus(element: Element): boolean {
  return element.states.focused === true || element.children.some(holdsFocus);
}

function holds(element: Element, id: string): boolean {
  return element.id === id || element.children.some((child) => holds(child, id));
}
