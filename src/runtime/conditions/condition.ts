import type { Selector } from '../../selector/index.js';
import type { Element, WindowInfo } from '../../tree/index.js';
import type { Candidate } from '../observe/candidate.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import type { PollContext } from './evaluate.js';
import type { SeenElement } from './match-element.js';

/** A selector with the words that the caller wrote. */
export interface ConditionSource {
  selector: Selector;
  text: string;
}

/** What one kind of condition makes of what was written. */
export interface Asking {
  judge(moment: PollContext): Promise<ConditionResult>;
  /** The selectors in it. */
  selectors?: readonly ConditionSource[];
  /** The windows in it, by ref or title. */
  windows?: readonly string[];
  /** The list of windows answers it, so only what happens to windows matters. */
  ofWindows?: boolean;
  /** Keys in it that are about a stretch of time: they cannot be asked just once. */
  overTime?: readonly string[];
}

/** Something that holds, does not hold, or is not known. */
export interface Condition extends Asking {
  key: string;
  /** As it was written. */
  text: string;
}

/** How a kind of condition is written, and what is made of it. */
export interface Kind {
  /** An example, for hints. */
  form: string;
  /** `inner` reads a condition in it. */
  read(given: unknown, inner: (given: unknown) => Condition): Asking;
}

export type Answer = 'satisfied' | 'unsatisfied' | 'unknown';

/** What a condition was judged by; app text in it is data. */
export interface Seen {
  /** The condition's key. */
  condition: string;
  matches?: number;
  /** The match, or the first of several. */
  element?: SeenElement;
  /** Of a state: what it is; null when the element cannot have it. */
  state?: { name: string; is: boolean | 'mixed' | null };
  /** Windows whose title fits. */
  windows?: Pick<WindowInfo, 'ref' | 'role' | 'title'>[];
  /** Of what is gone or closed: whether it was there at all. */
  seenBefore?: boolean;
  /** What differs from the start. */
  differs?: readonly Difference[];
  stableForMs?: number;
  /** Of `all`, `any` and `not`. */
  parts?: { answer: Answer; reason?: string; seen: Seen }[];
}

export type Difference = 'appeared' | 'gone' | 'name' | 'value' | 'states' | 'children';

export interface ConditionResult {
  answer: Answer;
  seen: Seen;
  /** Why it is not known, or what is in the way: a sentence of ours. */
  reason?: string;
  /** Several where one is needed. */
  candidates?: Candidate[];
  /** It may come true by time alone: look again then. */
  againInMs?: number;
  /** What comes near what is missing. Asked only when nobody waits for it any longer. */
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

/** One that does not hold decides; else unknown spreads. */
export function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes('unsatisfied')) return 'unsatisfied';
  return answers.includes('unknown') ? 'unknown' : 'satisfied';
}

/** One that holds decides; else unknown spreads. */
export function anyOf(answers: readonly Answer[]): Answer {
  if (answers.includes('satisfied')) return 'satisfied';
  return answers.includes('unknown') ? 'unknown' : 'unsatisfied';
}

/** Whether an act closed it cannot be told: it was not there before. */
export function notThereBefore(seen: Seen): ConditionResult {
  return { answer: 'unknown', reason: 'It was not there before the act either.', seen };
}

/** What is never read is neither this nor that, neither changed nor unchanged. */
export function secretAnswer(condition: string, { ref }: Element): ConditionResult {
  return {
    answer: 'unknown',
    reason: `${ref} is a secret field: its value is never read.`,
    seen: { condition },
  };
}
