import { z } from 'zod';
import { any, sure, type Answer, type Match } from './answer.js';
import type { Facts } from './facts.js';
import type { Risk } from './risk.js';
import { compileSeen, seenText } from './seen-text.js';

/** Everything that one decision looks at. */
export interface Moment {
  facts: Facts;
  risk: Risk;
}

/** `decision`: what the rule would decide. A doubtful fact counts against an allow and for the others. */
export type Fits = (moment: Moment, decision: Answer) => Match;

/** One key of `when`: what may be written there, and when it fits. */
export interface Matcher<Value = unknown> {
  schema: z.ZodType<Value>;
  compile(value: Value): Fits;
}

export type OneOrMany<Value> = Value | Value[];

export const MOST_LISTED = 200;

export function oneOrMany<Value>(one: z.ZodType<Value>): z.ZodType<OneOrMany<Value>> {
  return z.union([one, z.array(one).min(1).max(MOST_LISTED)]);
}

export function listOf<Value>(given: OneOrMany<Value>): Value[] {
  return Array.isArray(given) ? given : [given];
}

/** `*` any run of characters, `?` any one, a backslash takes the next one as it is; whole text, case does not matter. */
export const GLOB = z.string().min(1).max(500).describe('* any characters, ? any one; whole text, no case');

/** Words of a closed list, that we say ourselves and know at once. */
export function named<Value extends string>(
  words: z.ZodType<Value>,
  read: (facts: Facts) => string | null | undefined,
): Matcher<OneOrMany<Value>> {
  return {
    schema: oneOrMany(words),
    compile(given) {
      const wanted: ReadonlySet<string | null> = new Set(listOf(given));
      return ({ facts }) => {
        const value = read(facts);
        return value === undefined ? 'maybe' : sure(wanted.has(value));
      };
    },
  };
}

/** Text that an app says of itself. */
export function text(read: (facts: Facts) => string | null | undefined): Matcher<OneOrMany<string>> {
  return {
    schema: oneOrMany(GLOB),
    compile(given) {
      const globs = listOf(given).map(compileSeen);
      return ({ facts }) => {
        const value = read(facts);
        if (value === undefined) return 'maybe';
        if (value === null) return 'no';
        const seen = seenText(value);
        return any(globs.map((glob) => glob(seen)));
      };
    },
  };
}
