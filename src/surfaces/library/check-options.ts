import { didYouMean } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';
import { wrong } from './locator/selector-builder.js';
import type { OpenOptions, Timeout } from './options.js';

/** What an option may be. */
export interface Kind {
  fits: (given: unknown) => boolean;
  /** After "is": `true or false`. */
  words: string;
}

export const FLAG: Kind = { fits: (given) => typeof given === 'boolean', words: 'true or false' };
export const TEXT: Kind = { fits: (given) => typeof given === 'string', words: 'a text' };
export const TEXT_OR_PATTERN: Kind = {
  fits: (given) => typeof given === 'string' || given instanceof RegExp,
  words: 'a text or a regular expression',
};
export const WHOLE: Kind = { fits: (given) => Number.isInteger(given), words: 'a whole number' };
export const OBJECT: Kind = {
  fits: (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
  words: 'an object',
};
/** By what is done with it: that of another realm, as test runners have, is one too. */
export const SIGNAL: Kind = {
  fits: (given) => OBJECT.fits(given) && typeof (given as Partial<AbortSignal>).addEventListener === 'function',
  words: 'an AbortSignal',
};
export const MILLISECONDS: Kind = {
  fits: (given) => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 600_000,
  words: 'a whole number of milliseconds, at most 600000',
};

export function oneOf(...words: readonly string[]): Kind {
  const listed = words.map((word) => JSON.stringify(word));
  return {
    fits: (given) => words.includes(given as string),
    words: [listed.slice(0, -1).join(', '), listed.at(-1)].join(' or '),
  };
}

export function listOf(kind: Kind): Kind {
  return { fits: (given) => Array.isArray(given) && given.every(kind.fits), words: `a list; each is ${kind.words}` };
}

/** Of each option its kind; the compiler says when one is missing. */
export type Kinds<T> = { [Name in keyof Required<T>]: Kind };

/** Options are an object of known names and kinds. Programs that no compiler has seen learn of a slip here. */
export function checkOptions<T extends object>(call: string, given: T | undefined, kinds: Kinds<T>): void {
  if (given === undefined) return;
  const known = Object.keys(kinds);
  if (!OBJECT.fits(given)) throw wrong(`The options of ${call} are an object.`, `It has ${known.join(', ')}.`);
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(kinds, name)) throw noSuch(call, name, known);
    const { fits, words } = kinds[name as keyof T];
    if (value !== undefined && !fits(value)) throw wrong(`${name} is ${words}.`, `${call} goes without it, too.`);
  }
}

function noSuch(call: string, name: string, known: readonly string[]): Error {
  const guess = didYouMean(name, known);
  const hint = guess ? `Did you mean ${guess}?` : `It has ${known.join(', ')}.`;
  return wrong(`${call} has no option ${JSON.stringify(name)}.`, hint);
}

const TIMEOUT: Kinds<Timeout> = { timeoutMs: MILLISECONDS };

/** Of calls that take nothing else. */
export function timeoutIn(call: string, given: Timeout | undefined): number | undefined {
  checkOptions(call, given, TIMEOUT);
  return given?.timeoutMs;
}

const isSize = ({ width, height }: Size): boolean =>
  [width, height].every(Number.isInteger) && width >= 320 && width <= 7680 && height >= 200 && height <= 4320;

const KINDS: Kinds<OpenOptions> = {
  desktop: { fits: (given) => TEXT.fits(given) && given !== '', words: '"virtual", "user" or the name of a desktop' },
  size: {
    fits: (given) => OBJECT.fits(given) && isSize(given as Size),
    words: '{ width, height } from 320x200 to 7680x4320, in whole pixels',
  },
  monitors: { fits: (given) => given === 1 || given === 2, words: '1 or 2' },
  policy: { fits: (given) => TEXT.fits(given) || OBJECT.fits(given), words: 'the path of a file, or a policy' },
  approve: { fits: (given) => typeof given === 'function', words: 'a function' },
  timeoutMs: MILLISECONDS,
  trace: oneOf('off', 'on', 'on-failure'),
  signal: SIGNAL,
};

/** A policy that is misspelt must not be none. */
export function checkOpen(options: OpenOptions): void {
  checkOptions('openDesktop()', options, KINDS);
  const { desktop = 'virtual', size, monitors, policy, approve } = options;
  if (desktop === 'virtual') return;
  const [given] = Object.entries({ size, monitors, policy, approve }).filter(([, value]) => value !== undefined);
  if (!given) return;
  const why = given[0] === 'approve' ? 'questions about it are answered by: deskproof approvals' : 'it has its own';
  throw wrong(
    `${given[0]} is for new private desktops; ${JSON.stringify(desktop)} is there already.`,
    `Leave it out: ${why}.`,
  );
}
