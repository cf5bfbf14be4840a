import type { Match } from '../../selector/index.js';
import type { Element } from '../../tree/index.js';
import type { Kind } from './condition.js';
import type { Moment } from './moment.js';
import { judgeOne } from './one-match.js';
import { readSelector } from './read-parts.js';

export const focused: Kind = {
  form: '{"focused": "textbox:Name"}',
  read(given) {
    const written = readSelector(given, 'focused', this.form);
    return {
      selectors: [written],
      judge: (moment) =>
        judgeOne('focused', written, moment, async (match) => {
          const answer = (await hasFocus(match, moment)) ? 'satisfied' : 'unsatisfied';
          return { answer, seen: { condition: 'focused' } };
        }),
    };
  },
};

/**
 * An app remembers a focus in each of its windows; the desktop has one. So the driver is asked where it is, and only
 * where it cannot tell the tree of an active window is believed.
 */
async function hasFocus({ element, window }: Match, { desktop, call }: Moment): Promise<boolean> {
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
