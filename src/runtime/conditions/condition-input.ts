import { normaliseLabel, parseSelector } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import type { ConditionSource } from './condition.js';

/** Schemas for the parts of conditions. Models write "5" for 5, which is unambiguous. */

export function readSelector(given: unknown, key: string, form: string): ConditionSource {
  if (typeof given !== 'string') throw conditionInputError(`${key} takes a selector, not ${givenWord(given)}.`, form);
  return { selector: parseSelector(given), text: given };
}

export function readList(given: unknown, key: string, form: string, least: number, most: number): unknown[] {
  if (Array.isArray(given) && given.length >= least && given.length <= most) return given;
  const count = least === most ? `${least}` : `${least} to ${most}`;
  throw conditionInputError(`${key} takes a list of ${count}, not ${givenWord(given)}.`, form);
}

const LONGEST_TEXT = 2_000;

export function readText(given: unknown, key: string, form: string): string {
  if (typeof given === 'number') return String(given);
  if (typeof given !== 'string') throw conditionInputError(`${key} takes a text, not ${givenWord(given)}.`, form);
  // Every text contains invisible text.
  if (normaliseLabel(given.trim()) === '') throw conditionInputError(`The text of ${key} is empty.`, form);
  if (given.length > LONGEST_TEXT) {
    throw conditionInputError(`The text of ${key} is longer than ${LONGEST_TEXT} characters.`, form);
  }
  return given.trim();
}

export function readWhole(given: unknown, key: string, form: string, [least, most]: readonly [number, number]): number {
  const number = typeof given === 'string' && /^\s*\d+\s*$/.test(given) ? Number(given) : given;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw conditionInputError(`${key} takes a whole number from ${least} to ${most}, not ${givenWord(given)}.`, form);
}

/** The error for an invalid condition, with an example. */
export function conditionInputError(sentence: string, form: string, guess?: string): DesktopError {
  const hint = `${guess === undefined ? '' : `${guess} `}Write ${form}.`;
  return new DesktopError('bad_arguments', sentence, { hint });
}

/** The given value, shortened for an error message. */
export function givenWord(given: unknown): string {
  if (given === null) return 'null';
  if (given === undefined) return 'nothing';
  if (Array.isArray(given)) return `a list of ${given.length}`;
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 40));
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : 'an object';
}
