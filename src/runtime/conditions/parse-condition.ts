import { DesktopError, didYouMean } from '../../shared/index.js';
import { changed, stableMs } from './change-conditions.js';
import { all, any, not } from './combine.js';
import { givenWord, type Condition, type Kind } from './condition.js';
import { count, exists, gone } from './element-conditions.js';
import { focused, state, value } from './property-conditions.js';
import { text } from './text-condition.js';
import { window, windowClosed } from './window-conditions.js';

const DEEPEST = 8;
const MOST = 100;

/** Common mistakes, with the correct key. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    notexists: 'gone',
    absent: 'gone',
    hidden: 'gone',
    closed: 'windowClosed',
    and: 'all',
    or: 'any',
    stable: 'stableMs',
    title: 'window',
    focus: 'focused',
    contains: 'text',
  }),
);

/** Parses a selector ("it exists") or an object with exactly one key. A string that begins with `{` is parsed as JSON. */
export function parseCondition(given: unknown): Condition {
  let count = 0;
  const parse = (one: unknown, depth: number): Condition => {
    if (depth > DEEPEST) throw tooMuch(`The condition is nested more than ${DEEPEST} deep.`);
    if (++count > MOST) throw tooMuch(`The condition has more than ${MOST} parts.`);
    const written = typeof one === 'string' ? fromText(one) : one;
    const [key, value] = typeof written === 'string' ? ['exists', written] : onlyKey(written);
    const asking = KINDS[key]!.read(value, (inner) => parse(inner, depth + 1));
    // Only after parsing: a parsed condition is never too deeply nested to be printed.
    return { key, text: typeof written === 'string' ? written : JSON.stringify(written), ...asking };
  };
  return parse(given, 1);
}

function fromText(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new DesktopError('bad_arguments', 'The condition begins with { and is not JSON.', {
      hint: `Write {"window": "Calculator"}; a name that begins with { is quoted: '"{…"'.`,
    });
  }
}

function onlyKey(given: unknown): [key: string, value: unknown] {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw new DesktopError('bad_arguments', `A condition is a selector or an object, not ${givenWord(given)}.`, {
      hint: 'For all of several conditions write {"all": […]}.',
    });
  }
  const entries = Object.entries(given);
  const unknown = entries.find(([key]) => !Object.hasOwn(KINDS, key));
  if (unknown) throw unknownKey(unknown[0]);
  if (entries.length === 1) return entries[0]!;
  if (entries.length === 0) throw new DesktopError('bad_arguments', 'The condition is empty.', { hint: keysHint() });
  const keys = entries.map(([key]) => key);
  throw new DesktopError('bad_arguments', `A condition has one key, not ${keys.length}: ${keys.join(', ')}.`, {
    hint: `Write {"all": [${keys.map((key) => `{"${key}": …}`).join(', ')}]}.`,
  });
}

function unknownKey(key: string): DesktopError {
  const known = Object.keys(KINDS);
  const guess = SYNONYMS.get(key.toLowerCase().replace(/[-_\s]/g, '')) ?? didYouMean(key, known);
  return new DesktopError('bad_arguments', `There is no condition ${givenWord(key)}.`, {
    hint: guess ? `Did you mean ${guess}? Write ${KINDS[guess]!.form}.` : keysHint(),
  });
}

function keysHint(): string {
  return `A selector alone (it exists), or one of ${Object.keys(KINDS).join(', ')}.`;
}

function tooMuch(sentence: string): DesktopError {
  return new DesktopError('bad_arguments', sentence, { hint: 'Wait for the parts one after the other.' });
}

/** Every kind of condition by its key. A new one is one entry here. */
export const KINDS: Readonly<Record<string, Kind>> = {
  exists,
  gone,
  count,
  state,
  value,
  text,
  window,
  windowClosed,
  focused,
  changed,
  stableMs,
  all,
  any,
  not,
};
