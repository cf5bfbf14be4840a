import type { Element } from '../../tree/index.js';
import type { Kind } from './condition.js';
import type { Moment } from './moment.js';
import { judgeOne } from './one-match.js';
import { readList, readSelector } from './read-parts.js';
import { secretAnswer } from './secret.js';
import { isCutText, wholeText } from './whole-text.js';
import { givenWord, wrongShape } from './wrong-shape.js';

const VALUE_FORM = '{"value": ["textbox:Name", "Ada"]}';

export const value: Kind = {
  form: VALUE_FORM,
  read(given) {
    const [first, wanted] = readList(given, 'value', VALUE_FORM, 2, 2);
    const written = readSelector(first, 'value', VALUE_FORM);
    if (typeof wanted !== 'string' && typeof wanted !== 'number') {
      throw wrongShape(`value takes a text or a number, not ${givenWord(wanted)}.`, VALUE_FORM);
    }
    return {
      selectors: [written],
      judge: (moment) =>
        judgeOne('value', written, moment, async ({ element }) => {
          const seen = { condition: 'value' };
          if (element.states.secret) return secretAnswer('value', element);
          const is = await valueOf(element, moment);
          return { answer: is !== undefined && same(is, wanted) ? 'satisfied' : 'unsatisfied', seen };
        }),
    };
  },
};

async function valueOf(element: Element, moment: Moment): Promise<string | number | undefined> {
  if (!isCutText(element.value)) return element.value;
  return (await wholeText(element, moment)) ?? element.value;
}

/** A text byte for byte; a number by what it is worth, so that 36 is "36.0". */
function same(is: string | number, wanted: string | number): boolean {
  if (typeof wanted === 'string') return String(is) === wanted;
  return String(is).trim() !== '' && Number(is) === wanted;
}
