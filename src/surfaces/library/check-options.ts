import { didYouMean } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';
import { badArguments } from './locator/selector-builder.js';
import type { OpenOptions, Timeout } from './options.js';

/** The valid values of an option. */
interface OptionType {
  accepts: (given: unknown) => boolean;
  /** Completes the sentence "NAME must be …", for example `true or false`. */
  description: string;
}

export const BOOLEAN: OptionType = { accepts: (given) => typeof given === 'boolean', description: 'true or false' };
export const STRING: OptionType = { accepts: (given) => typeof given === 'string', description: 'a text' };
export const STRING_OR_REGEXP: OptionType = {
  accepts: (given) => typeof given === 'string' || given instanceof RegExp,
  description: 'a string or a regular expression',
};
export const INTEGER: OptionType = { accepts: (given) => Number.isInteger(given), description: 'a whole number' };
export const OBJECT: OptionType = {
  accepts: (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  description: 'an object',
};
/** Recognized by its methods, not by its class: test runners use AbortSignals of another realm. */
export const ABORT_SIGNAL: OptionType = {
  accepts: (given) => OBJECT.accepts(given) && typeof (given as Partial<AbortSignal>).addEventListener === 'function',
  description: 'an AbortSignal',
};
export const MILLISECONDS: OptionType = {
  accepts: (given) => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 600_000,
  description: 'a whole number of milliseconds, at most 600000',
};

export function oneOf(...words: readonly string[]): OptionType {
  const listed = words.map((word) => JSON.stringify(word));
  return {
    accepts: (given) => words.includes(given as string),
    description: [listed.slice(0, -1).join(', '), listed.at(-1)].join(' or '),
  };
}

export function listOf(kind: OptionType): OptionType {
  return {
    accepts: (given) => Array.isArray(given) && given.every(kind.accepts),
    description: `a list in which each item is ${kind.description}`,
  };
}

/** The type of each option. The compiler reports a missing one. */
export type OptionTypes<T> = { [Name in keyof Required<T>]: OptionType };

/** Checks names and types of options, for programs that no compiler has checked. */
export function checkOptions<T extends object>(call: string, given: T | undefined, kinds: OptionTypes<T>): void {
  if (given === undefined) return;
  const known = Object.keys(kinds);
  if (!OBJECT.accepts(given))
    throw badArguments(`The options of ${call} must be an object.`, `Valid options are ${known.join(', ')}.`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(kinds, name)) throw unknownOption(call, name, known);
    const { accepts: matches, description: words } = kinds[name as keyof T];
    if (value !== undefined && !matches(value))
      throw badArguments(`${name} must be ${words}.`, `Correct it or leave it out of ${call}.`);
  }
}

function unknownOption(call: string, name: string, known: readonly string[]): Error {
  const guess = didYouMean(name, known);
  const hint = guess ? `Did you mean ${guess}?` : `Valid options are ${known.join(', ')}.`;
  return badArguments(`${call} has no option ${JSON.stringify(name)}.`, hint);
}

const TIMEOUT: OptionTypes<Timeout> = { timeoutMs: MILLISECONDS };

/** For calls without other options. */
export function readTimeout(call: string, given: Timeout | undefined): number | undefined {
  checkOptions(call, given, TIMEOUT);
  return given?.timeoutMs;
}

const isSize = ({ width, height }: Size): boolean =>
  [width, height].every(Number.isInteger) && width >= 320 && width <= 7680 && height >= 200 && height <= 4320;

const OPEN_OPTIONS: OptionTypes<OpenOptions> = {
  desktop: {
    accepts: (given) => STRING.accepts(given) && given !== '',
    description: '"virtual", "user" or the name of a desktop',
  },
  size: {
    accepts: (given) => OBJECT.accepts(given) && isSize(given as Size),
    description: '{ width, height } from 320x200 to 7680x4320, in whole pixels',
  },
  monitors: { accepts: (given) => given === 1 || given === 2, description: '1 or 2' },
  policy: {
    accepts: (given) => STRING.accepts(given) || OBJECT.accepts(given),
    description: 'a file path or a policy object',
  },
  approve: { accepts: (given) => typeof given === 'function', description: 'a function' },
  timeoutMs: MILLISECONDS,
  trace: oneOf('off', 'on', 'on-failure'),
  signal: ABORT_SIGNAL,
};

/** Strict, because a misspelt `policy` must not open a desktop without a policy. */
export function checkOpenOptions(options: OpenOptions): void {
  checkOptions('openDesktop()', options, OPEN_OPTIONS);
  const { desktop = 'virtual', size, monitors, policy, approve } = options;
  if (desktop === 'virtual') return;
  const [given] = Object.entries({ size, monitors, policy, approve }).filter(([, value]) => value !== undefined);
  if (!given) return;
  const why =
    given[0] === 'approve' ? 'run deskproof approvals to answer its approval requests' : 'that desktop has its own';
  throw badArguments(
    `${given[0]} applies only to a new private desktop, and ${JSON.stringify(desktop)} already exists.`,
    `Leave it out: ${why}.`,
  );
}
