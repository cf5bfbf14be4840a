import { normaliseLabel, type Place } from '../../selector/index.js';
import { CUT_MARK, DesktopError } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import {
  readSelector,
  readText,
  conditionInputError,
  type ConditionResult,
  type Kind,
  secretAnswer,
} from './condition.js';
import { incompleteReason, type SearchResult, type PollContext } from './evaluate.js';
import { evaluateOne, seenElement } from './match-element.js';

const FORM = '{"text": "on screen"}, or {"text": ["dialog:Open", "part of it"]}';
/** How many long texts are read completely in one poll. */
const MOST_LONG = 20;

export const text: Kind = {
  form: FORM,
  read(given) {
    if (Array.isArray(given)) return readWithin(given);
    const wanted = readText(given, 'text', FORM);
    return {
      async evaluate(moment) {
        const result = await moment.scene();
        return textResult(await holder(result.scene.places, wanted, moment), result);
      },
    };
  },
};

function readWithin(given: unknown[]): ReturnType<Kind['read']> {
  if (given.length !== 2) throw conditionInputError(`text takes a text, or a selector and a text.`, FORM);
  const written = readSelector(given[0], 'text', FORM);
  const wanted = readText(given[1], 'text', FORM);
  return {
    selectors: [written],
    evaluate: (moment) =>
      evaluateOne('text', written, moment, async ({ element }, result) => {
        const place = result.scene.placeOf(element);
        const places = place ? [place, ...result.scene.inside(place)] : [];
        const found = await holder(places, wanted, moment);
        if (!found && element.states.secret) return secretAnswer('text', element);
        return textResult(found, result);
      }),
  };
}

function textResult(found: Place | undefined, result: SearchResult): ConditionResult {
  const seen = { condition: 'text', matches: found ? 1 : 0 };
  if (found) return { answer: 'satisfied', seen: { ...seen, element: seenElement(found) } };
  const doubt = incompleteReason(result);
  if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
  return { answer: 'unsatisfied', seen, ...(result.absent !== undefined && { reason: result.absent }) };
}

/** The innermost element that shows the text. Truncated values are read completely if nothing else matches. */
async function holder(places: readonly Place[], wanted: string, moment: PollContext): Promise<Place | undefined> {
  const label = labelOf(wanted);
  const shown = places.filter(({ element }) => element.states.visible && !element.states.offscreen);
  const found = shown.findLast(({ element }) => wordsOf(element).some((words) => labelOf(words).includes(label)));
  if (found) return found;
  const long = shown.filter(({ element }) => isCutText(element.value) || isCutText(element.name)).slice(0, MOST_LONG);
  const whole = await Promise.all(long.map(({ element }) => wholeText(element, moment)));
  return long.find((_, at) => whole[at] !== undefined && labelOf(whole[at]).includes(label));
}

function wordsOf({ name, value }: Element): string[] {
  return [name, value].flatMap((one) => (one === undefined ? [] : [String(one)]));
}

/** Compares like labels, but a TAB in a text is a space, not an accelerator. */
function labelOf(words: string): string {
  return normaliseLabel(words.replaceAll('\t', ' '));
}

/** Longer texts are compared by their beginning. */
const LONGEST = 200_000;

/** Snapshots truncate long values and mark them. */
export function isCutText(text: string | number | undefined): boolean {
  return typeof text === 'string' && CUT_MARK.test(text);
}

/** The element's complete text; undefined if the app does not expose more than the snapshot has. */
export async function wholeText(element: Element, { desktop, call }: PollContext): Promise<string | undefined> {
  if (element.states.secret || !desktop.driver.text) return undefined;
  try {
    return (await desktop.driver.text(element.id, { start: 0, end: LONGEST }, call)).text;
  } catch (error) {
    // No text of its own, or gone since: the snapshot has all there is. An app that does not answer stays an error.
    if (error instanceof DesktopError && !['app_hung', 'timeout', 'cancelled'].includes(error.code)) return undefined;
    throw error;
  }
}
