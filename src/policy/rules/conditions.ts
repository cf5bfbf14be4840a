import { z } from 'zod';
import { WHOLE } from '../../shared/index.js';
import { all, type Effect, any, CALLERS, CLASSES, DESKTOPS, type Match, METHODS, sure } from '../decision.js';
import type { Facts } from '../facts.js';
import { compileClaimed, namesOf } from '../risk/program-class.js';
import { type Level, LEVELS, type Risk } from '../risk/risk.js';
import { argumentFits, canonicalKeys } from './argument-match.js';
import { compileGlob, compileSeen, foldText, seenText } from './glob.js';

/** Everything that one decision looks at. */
export interface EvaluationContext {
  facts: Facts;
  risk: Risk;
}

/** `decision`: what the rule would decide. A doubtful fact counts against an allow and for the others. */
export type Fits = (moment: EvaluationContext, decision: Effect) => Match;

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

const TOOL = z.string().regex(/^ui_[a-z_]{1,40}$/, 'must be the name of a tool, such as ui_click');
const COMPARISON = /^(<=?|>=?)\s*(0(?:\.\d{1,4})?|1(?:\.0{1,4})?|\.\d{1,4})$/;

const app: Matcher<OneOrMany<string>> = {
  schema: oneOrMany(GLOB.describe('glob on the real path of the program, as the operating system tells it')),
  compile(given) {
    const patterns = listOf(given).map((pattern) => ({ path: compileGlob(pattern), claim: compileClaimed(pattern) }));
    return ({ facts }, decision) => {
      if (facts.app === undefined) return 'maybe';
      if (facts.app === null) return 'no';
      if ('path' in facts.app) {
        // Whoever refuses a shell refuses what only starts it; whoever allows a program has not allowed what that starts.
        const paths = [facts.app.path, ...(decision === 'allow' ? [] : (facts.runs ?? []))].map(foldText);
        return sure(patterns.some(({ path }) => paths.some(path)));
      }
      // What nobody has checked may be refused by the name that it claims, never allowed by it.
      const names = namesOf(facts.app);
      return sure(decision !== 'allow' && patterns.some(({ claim }) => claim(names)));
    };
  },
};

const risk: Matcher<OneOrMany<Level>> = {
  schema: oneOrMany(z.enum(LEVELS)),
  compile(given) {
    const wanted = new Set(listOf(given));
    return (moment) => within(moment.risk.levels, wanted);
  },
};

export function within(levels: readonly Level[], wanted: ReadonlySet<Level>): Match {
  const fitting = levels.filter((level) => wanted.has(level)).length;
  if (fitting === 0) return 'no';
  return fitting === levels.length ? 'yes' : 'maybe';
}

const secure: Matcher<boolean> = {
  schema: z.boolean(),
  compile:
    (wanted) =>
    ({ facts }) =>
      facts.secure === undefined ? 'maybe' : sure(facts.secure === wanted),
};

const confidence: Matcher<OneOrMany<string>> = {
  schema: oneOrMany(z.string().regex(COMPARISON, 'must be a comparison with a number from 0 to 1, such as "<0.5"')),
  compile(given) {
    const tests = listOf(given).map((one) => {
      const [, sign, bound] = COMPARISON.exec(one)!;
      return (value: number) => compare(value, sign!, Number(bound));
    });
    return ({ facts }) => {
      if (facts.confidence === undefined) return 'maybe';
      const value = facts.confidence;
      return sure(value !== null && tests.some((test) => test(value)));
    };
  },
};

function compare(value: number, sign: string, bound: number): boolean {
  if (sign === '<') return value < bound;
  if (sign === '<=') return value <= bound;
  return sign === '>' ? value > bound : value >= bound;
}

const args: Matcher<Record<string, OneOrMany<string>>> = {
  schema: z.record(
    z
      .string()
      .regex(/^\w+(\.\w+)*$/)
      .max(100),
    oneOrMany(GLOB),
  ),
  compile(given) {
    const tests = Object.entries(given).map(([path, globs]) => {
      const fits = anyGlob(listOf(globs));
      const chords = path === 'keys' ? anyGlob(listOf(globs).map(canonicalKeys)) : undefined;
      return { steps: path.split('.'), fits, chords };
    });
    return ({ facts }, decision) => {
      if (facts.args === undefined) return 'maybe';
      const given = facts.args;
      return all(
        tests.map(({ steps, fits, chords }) => {
          const asWritten = sure(argumentFits(given, steps, fits, decision));
          return chords && facts.tool === 'ui_key' ? keysFit(facts.keys, asWritten, chords, decision) : asWritten;
        }),
      );
    };
  },
};

function anyGlob(globs: readonly string[]): (folded: string) => boolean {
  const compiled = globs.map(compileGlob);
  return (folded) => compiled.some((glob) => glob(folded));
}

/**
 * A key has many names, and several may be pressed in one call. Who refuses or asks about one means it by every name and
 * in every place; who allows some allows what is written, where that is what it is.
 */
function keysFit(
  keys: readonly string[] | undefined,
  asWritten: Match,
  fits: (folded: string) => boolean,
  decision: Effect,
): Match {
  if (keys === undefined) return decision === 'allow' ? all([asWritten, 'maybe']) : any([asWritten, 'maybe']);
  const chords = keys.map((key) => foldText(canonicalKeys(key)));
  const whole = chords.join(' ');
  if (decision === 'allow') return all([asWritten, sure(fits(whole))]);
  return any([asWritten, sure([whole, ...chords].some(fits))]);
}

/** The keys of `when`. A new one is one entry here and its test. */
export const MATCHERS = {
  tool: named(TOOL, (facts) => facts.tool),
  class: named(z.enum(CLASSES), (facts) => facts.class),
  caller: named(z.enum(CALLERS), (facts) => facts.caller),
  desktop: named(z.enum(DESKTOPS), (facts) => facts.desktop),
  method: named(z.enum(METHODS), (facts) => facts.method),
  risk,
  secure,
  app,
  appName: text((facts) => facts.appName),
  window: text((facts) => facts[WHOLE] ?? facts.window),
  role: text((facts) => facts.role),
  name: text((facts) => facts.name),
  confidence,
  args,
};
