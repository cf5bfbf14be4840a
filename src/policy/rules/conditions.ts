import { z } from 'zod';
import { all, type Effect, any, CALLERS, CLASSES, DESKTOPS, type Ternary, METHODS, ternary } from '../decision.js';
import type { CallFacts, Facts } from '../facts.js';
import { compileClaimed, namesOf } from '../risk/program-class.js';
import { type Level, LEVELS, type Risk } from '../risk/risk.js';
import { argumentMatches, canonicalKeys, chordText, patternsOf, spellings } from './argument-match.js';
import { compileGlob, compileAppTextGlob, foldText, appText } from './glob.js';

/** The input of one evaluation. */
export interface EvaluationContext {
  facts: CallFacts;
  risk: Risk;
}

/** `decision` is what the rule would decide. An uncertain fact does not match an allow, and matches a deny or ask. */
export type Condition = (context: EvaluationContext, decision: Effect) => Ternary;

/** One key of `when`: its schema, and how it matches. */
export interface Matcher<Value = unknown> {
  schema: z.ZodType<Value>;
  compile(value: Value): Condition;
}

type OneOrMany<Value> = Value | Value[];

export const MAX_LIST_LENGTH = 200;

function oneOrMany<Value>(one: z.ZodType<Value>): z.ZodType<OneOrMany<Value>> {
  return z.union([one, z.array(one).min(1).max(MAX_LIST_LENGTH)]);
}

export function listOf<Value>(given: OneOrMany<Value>): Value[] {
  return Array.isArray(given) ? given : [given];
}

/**
 * `*` matches any characters, `?` matches one, a backslash escapes the next. The whole text must match; case is
 * ignored.
 */
export const GLOB = z
  .string()
  .min(1)
  .max(500)
  .describe('* matches any characters, ? matches one; the whole text must match, case is ignored');

/** Matches words from a closed list that we assign ourselves. */
function wordMatcher<Value extends string>(
  words: z.ZodType<Value>,
  read: (facts: Facts) => string | null | undefined,
): Matcher<OneOrMany<Value>> {
  return {
    schema: oneOrMany(words),
    compile(given) {
      const wanted: ReadonlySet<string | null> = new Set(listOf(given));
      return ({ facts }) => {
        const value = read(facts);
        return value === undefined ? 'maybe' : ternary(wanted.has(value));
      };
    },
  };
}

/** Matches text that the app reports about itself. */
function textMatcher(read: (facts: Facts) => string | null | undefined): Matcher<OneOrMany<string>> {
  return {
    schema: oneOrMany(GLOB),
    compile(given) {
      const globs = listOf(given).map(compileAppTextGlob);
      return ({ facts }) => {
        const value = read(facts);
        if (value === undefined) return 'maybe';
        if (value === null) return 'no';
        const seen = appText(value);
        return any(globs.map((glob) => glob(seen)));
      };
    },
  };
}

const TOOL = z.string().regex(/^ui_[a-z_]{1,40}$/, 'must be the name of a tool, such as ui_click');
const COMPARISON = /^(<=?|>=?)\s*(0(?:\.\d{1,4})?|1(?:\.0{1,4})?|\.\d{1,4})$/;

const app: Matcher<OneOrMany<string>> = {
  schema: oneOrMany(GLOB.describe('glob on the real path of the program, as the operating system reports it')),
  compile(given) {
    const patterns = listOf(given).map((pattern) => ({ path: compileGlob(pattern), claim: compileClaimed(pattern) }));
    return ({ facts }, decision) => {
      if (facts.app === undefined) return 'maybe';
      if (facts.app === null) return 'no';
      if ('path' in facts.app) {
        // A deny or ask for a shell also covers programs that start it. An allow for a program does not cover what it
        // starts.
        const paths = [facts.app.path, ...(decision === 'allow' ? [] : (facts.runs ?? []))].map(foldText);
        return ternary(patterns.some(({ path }) => paths.some(path)));
      }
      // An unverified program can be denied by the name that it claims, but never allowed by it.
      const names = namesOf(facts.app);
      return ternary(decision !== 'allow' && patterns.some(({ claim }) => claim(names)));
    };
  },
};

const risk: Matcher<OneOrMany<Level>> = {
  schema: oneOrMany(z.enum(LEVELS)),
  compile(given) {
    const wanted = new Set(listOf(given));
    return (context) => levelsWithin(context.risk.levels, wanted);
  },
};

export function levelsWithin(levels: readonly Level[], wanted: ReadonlySet<Level>): Ternary {
  const fitting = levels.filter((level) => wanted.has(level)).length;
  if (fitting === 0) return 'no';
  return fitting === levels.length ? 'yes' : 'maybe';
}

const secure: Matcher<boolean> = {
  schema: z.boolean(),
  compile:
    (wanted) =>
    ({ facts }) =>
      facts.secure === undefined ? 'maybe' : ternary(facts.secure === wanted),
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
      return ternary(value !== null && tests.some((test) => test(value)));
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
      const chords =
        path === 'keys'
          ? { own: anyGlob(listOf(globs).map(canonicalKeys)), same: anyGlob(listOf(globs).flatMap(keyPatterns)) }
          : undefined;
      return { steps: path.split('.'), fits, chords };
    });
    return ({ facts }, decision) => {
      if (facts.args === undefined) return 'maybe';
      const given = facts.args;
      return all(
        tests.map(({ steps, fits, chords }) => {
          const asWritten = ternary(argumentMatches(given, steps, fits, decision));
          return chords && facts.does.includes('press')
            ? matchKeys(facts.keys, asWritten, chords, decision)
            : asWritten;
        }),
      );
    };
  },
};

function anyGlob(globs: readonly string[]): (folded: string) => boolean {
  const compiled = globs.map(compileGlob);
  return (folded) => compiled.some((glob) => glob(folded));
}

/** A pattern for keys in all its spellings: one for `shift+d` also denies `D`. */
function keyPatterns(pattern: string): string[] {
  const words = pattern.split(/\s+/u).filter(Boolean);
  return words.length === 1 ? patternsOf(words[0]!).map(chordText) : [canonicalKeys(pattern)];
}

interface KeyGlobs {
  /** Without other spellings. */
  own: (folded: string) => boolean;
  same: (folded: string) => boolean;
}

/**
 * A key has several names, and one call may press several keys. A deny or ask for a key matches all its names and every
 * position. An allow matches only if both the text as written and the normalised keys match.
 */
function matchKeys(
  keys: readonly string[] | undefined,
  asWritten: Ternary,
  { own, same }: KeyGlobs,
  decision: Effect,
): Ternary {
  if (keys === undefined) return decision === 'allow' ? all([asWritten, 'maybe']) : any([asWritten, 'maybe']);
  if (decision === 'allow') return all([asWritten, ternary(own(foldText(canonicalKeys(keys.join(' ')))))]);
  return any([asWritten, ternary(spellings(keys).map(foldText).some(same))]);
}

/** The keys of `when`. A new key needs one entry here and a test. */
export const MATCHERS = {
  tool: wordMatcher(TOOL, (facts) => facts.tool),
  class: wordMatcher(z.enum(CLASSES), (facts) => facts.class),
  caller: wordMatcher(z.enum(CALLERS), (facts) => facts.caller),
  desktop: wordMatcher(z.enum(DESKTOPS), (facts) => facts.desktop),
  method: wordMatcher(z.enum(METHODS), (facts) => facts.method),
  risk,
  secure,
  app,
  appName: textMatcher((facts) => facts.appName),
  window: textMatcher((facts) => facts.fullTitle ?? facts.window),
  role: textMatcher((facts) => facts.role),
  name: textMatcher((facts) => facts.name),
  confidence,
  args,
};
