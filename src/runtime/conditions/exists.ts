import type { Kind } from './condition.js';
import { noMatch } from './one-match.js';
import { readSelector } from './read-parts.js';
import { seenElement } from './seen-element.js';

export const exists: Kind = {
  form: '{"exists": "button:Save"}, or the selector alone',
  read(given) {
    const written = readSelector(given, 'exists', this.form);
    return {
      selectors: [written],
      async judge(moment) {
        const looked = await moment.search(written.selector);
        const [first] = looked.matches;
        if (!first) return noMatch('exists', written, looked, moment);
        const seen = { condition: 'exists', matches: looked.matches.length, element: seenElement(first) };
        return { answer: 'satisfied', seen };
      },
    };
  },
};
