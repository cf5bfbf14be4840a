import { type Selector, normaliseLabel, parseSelector } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { Candidate } from '../observe/candidate.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import type { PollContext } from './evaluate.js';
import type { SeenElement } from './match-element.js';

/** A selector with its source text. */
export interface ConditionSource {
  selector: Selector;
  text: string;
}

/** A parsed condition of one kind. */
export interface ParsedCondition {
  evaluate(moment: PollContext): Promise<ConditionResult>;
  /** The selectors in it. */
  selectors?: readonly ConditionSource[];
  /** The windows in it, by ref or title. */
  windows?: readonly string[];
  /** The window list is enough to evaluate it, so only window events matter. */
  ofWindows?: boolean;
  /** Keys in it that refer to a time span: they cannot be evaluated just once. */
  overTime?: readonly string[];
}

/** A condition is satisfied, unsatisfied or unknown. */
export interface Condition extends ParsedCondition {
  key: string;
  /** Its source text. */
  text: string;
}

/** Syntax and parser of one kind of condition. */
export interface Kind {
  /** An example, for hints. */
  form: string;
  /** `inner` parses a nested condition. */
  read(given: unknown, inner: (given: unknown) => Condition): ParsedCondition;
}

export type Answer = 'satisfied' | 'unsatisfied' | 'unknown';

/** The evidence for an answer. App text in it is data. */
export interface Seen {
  /** The condition's key. */
  condition: string;
  matches?: number;
  /** The match, or the first of several. */
  element?: SeenElement;
  /** For a state: its value; null if the element cannot have it. */
  state?: { name: string; is: boolean | 'mixed' | null };
  /** Windows with a matching title. */
  windows?: Pick<WindowInfo, 'ref' | 'role' | 'title'>[];
  /** For `gone` and `windowClosed`: whether it existed before. */
  seenBefore?: boolean;
  /** Differences from the start. */
  differs?: readonly Difference[];
  stableForMs?: number;
  /** For `all`, `any` and `not`. */
  parts?: { answer: Answer; reason?: string; seen: Seen }[];
}

export type Difference = 'appeared' | 'gone' | 'name' | 'value' | 'states' | 'children';

export interface ConditionResult {
  answer: Answer;
  seen: Seen;
  /** Why it is unknown, or what prevents it. Our own text, not the app's. */
  reason?: string;
  /** Several matches where one is needed. */
  candidates?: Candidate[];
  /** It may become true by time alone: evaluate again then. */
  againInMs?: number;
  /** Finds similar elements for the error message. Called only after the wait has ended. */
  nearest?: (call: SnapshotCall) => Promise<Candidate[]>;
}

const OPPOSITE: Readonly<Record<Answer, Answer>> = {
  satisfied: 'unsatisfied',
  unsatisfied: 'satisfied',
  unknown: 'unknown',
};

export function opposite(answer: Answer): Answer {
  return OPPOSITE[answer];
}

/** One `unsatisfied` decides. If there is none, one `unknown` makes the result unknown. */
export function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes('unsatisfied')) return 'unsatisfied';
  return answers.includes('unknown') ? 'unknown' : 'satisfied';
}

/** One `satisfied` decides. If there is none, one `unknown` makes the result unknown. */
export function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes('satisfied')) return 'satisfied';
  return answers.includes('unknown') ? 'unknown' : 'unsatisfied';
}

/** It is unknown whether an act closed it: it did not exist before the act. */
export function notThereBefore(seen: Seen): ConditionResult {
  return { answer: 'unknown', reason: 'It was not there before the act either.', seen };
}

/** A secret value is never read, so no comparison with it has an answer. */
export function secretAnswer(condition: string, { ref }: Element): ConditionResult {
  return {
    answer: 'unknown',
    reason: `${ref} is a secret field: its value is never read.`,
    seen: { condition },
  };
}

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
